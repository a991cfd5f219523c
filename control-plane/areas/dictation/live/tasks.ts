// The tasks of a dictation: recognition of the audio since the last settled text, and detection of speech in what has just arrived.
import { wavHeader } from '#shared/audio/wav.ts'
import type { AsrResult } from '#shared/operations/asr.ts'
import type { ParamsInput, ResultOf } from '#shared/operations/table.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Offer } from '../../../inference/offers.ts'
import type { Inference } from '../../../inference/run.ts'
import { LIVE_RATE } from './source.ts'

export type DictationTasks = ReturnType<typeof createDictationTasks>
export type Recognised = Pick<AsrResult, 'segments' | 'language' | 'notices'> & { readonly tookSeconds: number }
type Deps = { readonly inference: Pick<Inference, 'holdInput' | 'run'>; readonly clock: Clock }

/** A text that takes longer is of no use to a person who speaks. */
const WITHIN_MS = 120_000

/** `detector`: null where no machine detects speech. */
export function createDictationTasks({ inference, clock }: Deps, recogniser: Offer, detector: Offer | null, signal: AbortSignal) {
  async function run<Id extends 'asr' | 'vad'>(
    operation: Id,
    offer: Offer,
    params: ParamsInput<Id>,
    pcm: Buffer,
    until: AbortSignal,
  ): Promise<ResultOf<Id>> {
    const samples = pcm.length / 2
    const { input, release } = inference.holdInput(
      'audio',
      Buffer.concat([wavHeader({ sampleRate: LIVE_RATE, channels: 1, samples }), pcm]),
    )
    try {
      const { engine, model, workerId: target } = offer
      const seconds = samples / LIVE_RATE
      const where = { engine, model, target, withinMs: WITHIN_MS, ephemeral: true, traceparent: '' }
      return await inference.run({ operation, params, inputs: [input], seconds, ...where }, until)
    } finally {
      release()
    }
  }

  return {
    detects: detector !== null,
    /** Speech in seconds from the start of `pcm`; all of it without a detector. */
    speechIn: async (pcm: Buffer): Promise<readonly { readonly start: number; readonly end: number }[]> =>
      detector
        ? (await run('vad', detector, { min_speech_ms: 120, pad_ms: 0 }, pcm, signal)).segments
        : [{ start: 0, end: pcm.length / 2 / LIVE_RATE }],
    /** `isPartial`: the recording goes on, so a recogniser that can continue keeps its state. */
    async recognise(pcm: Buffer, isPartial: boolean, until: AbortSignal): Promise<Recognised> {
      const startedAt = clock.mono()
      const params = isPartial && recogniser.continues ? { partial: true } : {}
      const { segments, language, notices } = await run('asr', recogniser, params, pcm, until)
      return { segments, language, notices, tookSeconds: (clock.mono() - startedAt) / 1000 }
    },
  }
}
