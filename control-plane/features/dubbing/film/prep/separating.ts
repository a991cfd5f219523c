// Separation of stereo sound on the machine of the studio.

import { type Offer, requireLocalOffers } from '#control-plane/inference/offers.ts'
import { recordingRequest } from '#control-plane/inference/recording.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'

export type SeparatorChoice = {
  readonly engine: string /** The digest of the model, or its name. */
  readonly model: string
  readonly offer: Offer
}
export type Separating = {
  /** Null without an engine that can run now. `seconds`: of the film. Throws NOT_READY while the engines of this machine start. */
  readonly find: (seconds: number) => SeparatorChoice | null
  /** Both channels of the voice, s16le mono at the rate of `pcm`, which is interleaved s16le. Throws how the task ended. */
  readonly voiceOf: (
    pcm: Buffer,
    sampleRate: number,
    separator: SeparatorChoice,
    signal: AbortSignal,
  ) => Promise<readonly [left: Buffer, right: Buffer]>
}
type Deps = { readonly inference: Pick<Inference, 'keepInput' | 'collect'>; readonly offered: () => readonly Offer[] }

/** The engine that leaves the least music in the voice, and the slowest. */
const THOROUGH = 'htdemucs'
/** On a processor it takes longer than the film. */
const THOROUGH_SECONDS = 300
const WITHIN_MS = 3600_000
const FRAME_BYTES = 4
/** Engines that resample may lose or add a few at the end, where the sound is context only. */
const MAX_FRAMES_APART = 4_096

export function createSeparating({ inference, offered }: Deps): Separating {
  return {
    find(seconds) {
      const isTooSlow = ({ engine, device }: Offer) => engine === THOROUGH && device === 'cpu' && seconds > THOROUGH_SECONDS
      const rank = (offer: Offer) => (isTooSlow(offer) ? 2 : offer.engine === THOROUGH ? 0 : 1)
      const offer = requireLocalOffers(offered(), 'separate').sort((one, other) => rank(one) - rank(other))[0]
      return offer ? { engine: offer.engine, model: offer.model_digest || offer.model, offer } : null
    },
    async voiceOf(pcm, sampleRate, { offer }, signal) {
      const frames = pcm.length / FRAME_BYTES
      const wav = Buffer.concat([wavHeader({ sampleRate, channels: 2, samples: frames }), pcm])
      const recording = { wav, seconds: frames / sampleRate, withinMs: WITHIN_MS, signal, traceparent: '' }
      const request = await recordingRequest(inference, offer, 'separate', { sample_rate: sampleRate, stereo_vocals: true }, recording)
      const { result, output } = await inference.collect({ ...request, priority: 1 }, signal)
      const left = (result.parts[0]?.samples ?? 0) * 2
      // The voice is subtracted from the film sample by sample.
      if (Math.abs(left / 2 - frames) > MAX_FRAMES_APART || output.length !== 2 * left)
        throw new Failure('INVALID_RESULT', 'The separation returned a voice of another length than the sound.')
      return [output.subarray(0, left), output.subarray(left)]
    },
  }
}
