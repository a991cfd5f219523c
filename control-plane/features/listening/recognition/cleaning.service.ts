// POST /clean-audio: isolates the voice if a separation network is installed, otherwise removes noise, with a notice. If neither works, the
// recording is returned unchanged.

import type { Upload } from '#control-plane/http/input/form.ts'
import { type Notice, noticeOf } from '#control-plane/inference/notice.ts'
import { type Offer, requireLocalOffers } from '#control-plane/inference/offers.ts'
import { type Recording, recordingRequest } from '#control-plane/inference/recording.ts'
import type { Inference } from '#control-plane/inference/run.ts'
import { whenReady } from '#control-plane/inference/when-ready.ts'
import type { Intake } from '#control-plane/media/intake.ts'
import { keepFile } from '#control-plane/media/keep-file.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'

export type Cleaning = ReturnType<typeof createCleaning>
export type CleanedAudio = {
  /** Name of the stored file. */
  readonly name: string
  readonly wav: Uint8Array
  readonly wasCleaned: boolean
  readonly notice: Notice | null
}
type Deps = {
  readonly inference: Pick<Inference, 'keepInput' | 'collect'>
  readonly intake: Intake
  readonly offered: () => readonly Offer[]
  readonly audioFolder: string
  readonly random: Random
  readonly clock: Pick<Clock, 'mono' | 'sleep'>
}
const WITHIN_MS = 900_000
/** Hz of a cleaned recording. */
const CLEAN_RATE = 24_000
/** Best first. */
const OPERATIONS = ['separate', 'denoise'] as const
type CleaningOperation = (typeof OPERATIONS)[number]
type Candidate = { readonly operation: CleaningOperation; readonly offer: Offer }
/** The engine that leaves the least music in the voice, and the slowest. */
const THOROUGH = 'htdemucs'
/** On a CPU it takes about 1.5 times the length of the recording, and a task is limited to ten minutes. */
const THOROUGH_SECONDS = 300
/** RNNoise takes 4 to 8 dB of music away, more in some bands than in others, and its own speech detector does not notice music. */
const ONLY_NOISE = 'Only noise was removed. Noise removal is for speech: it weakens and distorts music.'
const NOT_CLEANED = 'Nothing was removed. This is the original recording, converted to mono at 16 kHz.'
const NO_ENGINE = 'No engine on this machine can remove noise.'

export function createCleaning({ inference, intake, offered, audioFolder, random, clock }: Deps) {
  /** 16-bit PCM of one channel and its rate in Hz. */
  async function cleanedPcm({ operation, offer }: Candidate, recording: Recording): Promise<{ sampleRate: number; pcm: Buffer }> {
    const { signal } = recording
    const params = { sample_rate: CLEAN_RATE }
    const { result, output } =
      operation === 'separate'
        ? await inference.collect(await recordingRequest(inference, offer, operation, { ...params, vocals_only: true }, recording), signal)
        : await inference.collect(await recordingRequest(inference, offer, operation, params, recording), signal)
    return { sampleRate: result.sample_rate, pcm: output }
  }

  return {
    /** If an engine fails, the next one is used, with a notice. Throws BAD_REQUEST for a missing or unreadable file, NOT_READY when no engine starts. */
    async clean(upload: Upload | undefined, signal: AbortSignal, traceparent: string): Promise<CleanedAudio> {
      if (!upload) throw new Failure('BAD_REQUEST', 'The recording is missing from the form.')
      const { wav, seconds, remark } = await intake.read(upload.path, signal)
      const recording: Recording = { wav, seconds, withinMs: WITHIN_MS, signal, traceparent }
      const failed: string[] = []
      let cleaned: { readonly wav: Buffer; readonly outcome: string; readonly isIsolated: boolean } | null = null
      for (const candidate of await whenReady(async () => candidatesIn(offered(), seconds), clock, signal)) {
        const { engine } = candidate.offer
        try {
          const { sampleRate, pcm } = await cleanedPcm(candidate, recording)
          const header = wavHeader({ sampleRate, channels: 1, samples: pcm.length / 2 })
          const isIsolated = candidate.operation === 'separate'
          cleaned = { wav: Buffer.concat([header, pcm]), outcome: isIsolated ? `${engine} was used instead.` : ONLY_NOISE, isIsolated }
          break
        } catch (error) {
          signal.throwIfAborted()
          failed.push(`${engine} failed: ${Failure.from(error).message}.`)
        }
      }
      const name = `mic_${random.hex(4)}.wav`
      const answer = cleaned?.wav ?? wav
      await keepFile(fileIn(audioFolder, name), answer)
      const reasons = [...(failed.length > 0 || cleaned ? failed : [NO_ENGINE]), cleaned?.outcome ?? NOT_CLEANED]
      const isAsRequested = cleaned?.isIsolated === true && failed.length === 0
      const notice = noticeOf([...(isAsRequested ? [] : reasons), remark], false)
      return { name, wav: answer, wasCleaned: cleaned !== null, notice }
    },
  }
}

/** In the order in which they are tried. */
function candidatesIn(offered: readonly Offer[], seconds: number): Candidate[] {
  const isThorough = ({ engine }: Offer) => engine === THOROUGH
  const isTooSlow = (offer: Offer) => isThorough(offer) && offer.device === 'cpu' && seconds > THOROUGH_SECONDS
  const rank = (offer: Offer) => (isTooSlow(offer) ? 2 : isThorough(offer) ? 0 : 1)
  return OPERATIONS.flatMap((operation) =>
    requireLocalOffers(offered, operation)
      .sort((left, right) => rank(left) - rank(right))
      .map((offer) => ({ operation, offer })),
  )
}
