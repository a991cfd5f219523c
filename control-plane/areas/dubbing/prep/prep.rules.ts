// Keys and frames of the preparation of a dub. Pure.
import type { FailureCode } from '#shared/protocol/failure.ts'
import { failureFrame } from '../../../jobs/events.ts'
import type { JobFault } from '../../../jobs/job.ts'
import type { JobFrame } from '../../../jobs/job-type.ts'
import { keyOf } from '../../../jobs/key.ts'
import type { FilmProbe } from '../../../media/film/probe/probe.rules.ts'
import type { DubSound, InputType } from '../store/dub.ts'

/** Of the code that makes each result; raised when it makes another one from the same film. */
const VERSIONS = { sound: 2, thumb: 1, scenes: 1, vocals: 1, onsets: 2, peaks: 1 }

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

export type PrepStage = 'demucs' | 'scene' | 'thumbnail' | 'extract'
export const warningFrame = (fault: JobFault, stage: PrepStage): JobFrame => ({ ...failureFrame(fault), type: 'warning', stage })
export const errorFrame = (fault: JobFault): JobFrame => ({ ...failureFrame(fault), stage: 'extract' })
export const faultOf = (code: FailureCode, message: string): JobFault => ({ code, message })
