// Text to speech. Every parameter is accepted whether or not an engine supports it: the caller does not know which engine will answer.
import { z } from 'zod'
import { characters } from '#shared/protocol/fields/characters.ts'
import { list, Notices, Parts, Placed, partsDisagree, SampleRate } from './limits.ts'
import { operation } from './operation.ts'

/** UTF-16 units of a segment. */
export const SEGMENT_CHARS = 100_000

export const Segment = z.strictObject({
  text: z.string().min(1).max(SEGMENT_CHARS),
  seed: z.int().min(0).max(0xffff_ffff).nullable().default(null),
  /** Digital silence at the end of this segment's part. */
  pause_after_ms: z.number().min(0).max(60_000).default(0),
})

/** Pauses of a request together, in seconds: 10 minutes, or ten times the speech if that is more. */
export const mostPauseSeconds = (spokenSeconds: number): number => Math.max(FREE_PAUSE_SECONDS, PAUSE_PER_SPEECH * spokenSeconds)
export const FREE_PAUSE_SECONDS = 600
const PAUSE_PER_SPEECH = 10
/** No engine spends more on a character, at the lowest speed. */
const MAX_SECONDS_PER_CHARACTER = 1

/**
 * Reason to reject pauses of `pauseMs` milliseconds: too long for this many characters on every engine; null if one may speak long enough.
 */
export function pauseObjection(pauseMs: number, characters: number): string | null {
  return pauseMs / 1000 <= mostPauseSeconds(characters * MAX_SECONDS_PER_CHARACTER) ? null : pauseMessage(pauseMs)
}
export const pauseMessage = (pauseMs: number): string =>
  `The pauses add up to ${Math.round(pauseMs / 1000)} s. They may add up to 10 minutes, or to ten times the speech if that is more.`

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

export const TtsParams = z.strictObject({
  /** One output part per segment, with the same index. */
  segments: list(Segment, 10_000, 1).superRefine((segments, context) => {
    const objection = pauseObjection(sum(segments.map((each) => each.pause_after_ms)), sum(segments.map(({ text }) => text.length)))
    if (objection) context.addIssue({ code: 'custom', message: objection })
  }),
  voice: z.string().max(200).nullable().default(null),
  language: z.string().max(64).nullable().default(null),
  speed: z.number().min(0.25).max(4).default(1),
  instruct: characters(4_096).nullable().default(null),
  description: characters(4_096).nullable().default(null),
  /** Transcript of the input `reference`, the recording of a voice to follow. */
  ref_text: characters(10_000).nullable().default(null),
  /** Seconds for all segments together, their pauses included. */
  duration: z.number().positive().max(86_400).nullable().default(null),
  num_step: z.int().min(1).max(512).nullable().default(null),
  guidance_scale: z.number().min(0).max(100).nullable().default(null),
  t_shift: z.number().min(0).max(100).nullable().default(null),
  layer_penalty_factor: z.number().min(0).max(100).nullable().default(null),
  position_temperature: z.number().min(0).max(100).nullable().default(null),
  class_temperature: z.number().min(0).max(100).nullable().default(null),
  denoise: z.boolean().default(true),
  preprocess_prompt: z.boolean().default(true),
  postprocess_output: z.boolean().default(true),
  chunk_duration: z.number().positive().max(600).nullable().default(null),
  chunk_threshold: z.number().positive().max(600).nullable().default(null),
})
export type TtsParams = z.output<typeof TtsParams>
const LanguageOnly = z.object({ language: TtsParams.shape.language })
/** The language in the JSON text of parameters, without reading the others. */
export const languageInParams = (text: string): string | null => LanguageOnly.parse(JSON.parse(text)).language

/** Seconds that each segment may take in addition: some engines speak even one character for a while. */
const FREE_SECONDS = 60

/** The most sound that speech with these parameters lasts, in seconds. */
export function mostSoundSeconds({ segments, duration = null }: Pick<z.input<typeof TtsParams>, 'segments' | 'duration'>): number {
  let seconds = duration ?? 0
  for (const { text, pause_after_ms: pauseMs = 0 } of segments)
    seconds += FREE_SECONDS + text.length * MAX_SECONDS_PER_CHARACTER + pauseMs / 1000
  return seconds
}

/** Notice for a speed or a duration that a voice with these speeds does not support; null if it does. */
export function paceNotice(
  [slowest, fastest]: readonly [slowest: number, fastest: number],
  { speed, duration }: { readonly speed: number; readonly duration: number | null },
): string | null {
  if (slowest === fastest && (speed !== slowest || duration !== null))
    return 'This voice has a fixed pace; speed and duration were ignored.'
  if (slowest === fastest || duration !== null || (speed >= slowest && speed <= fastest)) return null
  return `This voice supports speeds from ${slowest} to ${fastest}; the nearest one was used.`
}

export const TtsResult = z.object({
  sample_rate: SampleRate,
  parts: Parts,
  /** The voice that was used. */
  voice: z.string().max(200).default(''),
  notices: Notices,
  ...Placed,
})
export type TtsResult = z.output<typeof TtsResult>

export const tts = operation({
  id: 'tts',
  params: TtsParams,
  result: TtsResult,
  units: ({ segments }) => segments.reduce((sum, { text }) => sum + text.length, 0),
  parts: ({ segments }) => segments.length,
  hasLargeOutput: true,
  objection: ({ parts, sample_rate: rate }, params, { outputBytes }) =>
    partsDisagree(parts, params.segments.length, outputBytes) ??
    (outputBytes / 2 / rate > mostSoundSeconds(params) ? 'it has much more sound than the text can last' : null),
})
