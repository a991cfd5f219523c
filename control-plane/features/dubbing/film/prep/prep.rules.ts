// Keys and frames of the preparation of a dub. Pure.

import { type DubSound, type InputType, secondsOf } from '#control-plane/features/dubbing/store/dub.ts'
import { failureFrame } from '#control-plane/jobs/events.ts'
import type { JobFault } from '#control-plane/jobs/job.ts'
import { keyOf } from '#control-plane/jobs/key.ts'
import type { FilmProbe } from '#control-plane/media/film/probe/probe.rules.ts'
import type { FailureCode } from '#shared/protocol/failure.ts'
import type { PrepFailed, PrepStage, PrepWarning } from './prep-events.schema.ts'

/** Versions of the code that makes each result; raised when it makes another one from the same film. */
const VERSIONS = { sound: 3, thumb: 1, scenes: 1, vocals: 1, onsets: 2, peaks: 1 }

/** The position of the stream of sound and its lead decide what is extracted. */
const chosen = ({ audio, defaultAudio }: FilmProbe) => {
  const stream = defaultAudio === null ? null : audio[defaultAudio]
  return { stream: stream?.position ?? null, leadUs: stream?.leadUs ?? 0 }
}
export function soundKeys(source: string, probe: FilmProbe): Pick<DubSound, 'sound' | 'speech'> {
  const of = (kind: string) => keyOf({ kind, version: VERSIONS.sound, inputs: [source], params: chosen(probe) })
  return { sound: of('dub.sound'), speech: of('dub.speech') }
}
export const thumbKey = (source: string): string => keyOf({ kind: 'dub.thumb', version: VERSIONS.thumb, inputs: [source], params: null })
export const scenesKey = (source: string, inputType: InputType): string =>
  keyOf({ kind: 'dub.scenes', version: VERSIONS.scenes, inputs: [source], params: { inputType } })
/** `part`: null for the whole voice. `sound`: the key of the sound. */
export const vocalsKey = (sound: string, separator: { readonly engine: string; readonly model: string }, part: number | null): string =>
  keyOf({
    kind: 'dub.vocals',
    version: VERSIONS.vocals,
    inputs: [sound],
    params: { engine: separator.engine, model: separator.model, part },
  })
export const peaksKey = (sound: string): string => keyOf({ kind: 'dub.peaks', version: VERSIONS.peaks, inputs: [sound], params: null })
export const onsetsKey = (sound: string): string => keyOf({ kind: 'dub.onsets', version: VERSIONS.onsets, inputs: [sound], params: null })

export const warningFrame = (fault: JobFault, stage: PrepStage): PrepWarning => ({ ...failureFrame(fault), type: 'warning', stage })
export const errorFrame = (fault: JobFault): PrepFailed => ({ ...failureFrame(fault), stage: 'extract' })
export const faultOf = (code: FailureCode, message: string): JobFault => ({ code, message })

/** A header that is wrong by more is reported. */
const LENGTH_SHARE = 0.01
const MIN_DIFFERENCE_US = 1e6
/** `decodedUs`: without the silence under a picture that is longer. `pictureUs`: when the picture ends; null for none. Files of earlier versions have neither. */
export type SoundLengths = {
  readonly durationUs: number
  readonly decodedUs?: number | undefined
  readonly pictureUs?: number | null | undefined
}

/**
 * A sentence about picture and sound that end at different times, by more than a header may be wrong. `wholeUs`: the length that the file announces,
 * which is that of the picture if it has one; null for none.
 */
export function lengthRemark({ durationUs, decodedUs = durationUs, pictureUs }: SoundLengths, wholeUs: number | null): string | null {
  const shownUs = pictureUs ?? wholeUs
  if (shownUs === null || Math.abs(decodedUs - shownUs) <= Math.max(MIN_DIFFERENCE_US, LENGTH_SHARE * shownUs)) return null
  const [heard, shown] = [decodedUs, shownUs].map((us) => secondsOf(us).toFixed(1))
  if (decodedUs > shownUs)
    // Without a picture, a length that was guessed from the size of the file was too low.
    return pictureUs == null ? null : `The picture ends after ${shown} s and the sound after ${heard} s. The last picture stays until then.`
  return durationUs > decodedUs
    ? `The sound ends after ${heard} s and the picture after ${shown} s. The rest is silent; if sound is missing there, the file is incomplete.`
    : `${heard} s of sound were decoded where the file announces ${shown} s. The file may be incomplete.`
}
