// Speech recognition. The recording is the input `audio`: mono WAV at 16 kHz. The output, on request, is the text in UTF-8, sent in pieces during recognition.
import { z } from 'zod'
import { DAY_SECONDS, list, Notices, Seconds, Word } from './limits.ts'
import { operation } from './operation.ts'

export const AsrParams = z.strictObject({
  /** The language that the caller expects; null: the engine detects it, or supports only one. */
  language: z.string().max(64).nullable().default(null),
  /** Without a language, engines with `expectsLanguages` detect one of these. */
  expected_languages: z.array(z.string().max(64)).max(100).optional(),
  /** Words that are likely, for engines that support a prompt. */
  prompt: z.string().max(10_000).nullable().default(null),
  temperature: z.number().min(0).max(2).nullable().default(null),
  /** Requests the times of words, if the engine has them. */
  words: z.boolean().default(false),
  /** `translate`: the text in English. Only engines with `translates` in the table of engines can. */
  task: z.enum(['transcribe', 'translate']).default('transcribe'),
  /** The recording goes on: the last words may be missing, and a longer one with the same start will follow. Needs `continues`. */
  partial: z.boolean().default(false),
  /** The text is the output as well, piece by piece. Needs `streams`. */
  stream: z.boolean().default(false),
})
export type AsrParams = z.output<typeof AsrParams>
/** The parameters of an engine that does not translate. */
export const TranscribeParams = AsrParams.extend({ task: z.literal('transcribe').default('transcribe') })
export type TranscribeParams = z.output<typeof TranscribeParams>

const MAX_CHARACTERS = 1_000_000
/** Two hours of fast speech have about 25,000 words. */
const MAX_WORDS = 100_000
/** One every two seconds, in two hours. */
const MAX_PARTS_WITHOUT_WORDS = 5_000
/** Details of how a segment was decoded, if the recogniser reports them. The names and meanings are those of Whisper. */
export const Decoding = z
  .object({
    tokens: list(z.int(), 10_000),
    temperature: z.number(),
    avg_logprob: z.number(),
    compression_ratio: z.number(),
    no_speech_prob: z.number(),
  })
  .partial()
export type Decoding = z.output<typeof Decoding>
export const AsrSegment = z.object({
  start: Seconds,
  end: Seconds,
  text: z.string().max(MAX_CHARACTERS),
  words: list(Word, MAX_WORDS).optional(),
  decoding: Decoding.optional(),
  /** ISO 639-1, of engines that decide it for each segment. */
  language: z.string().max(64).optional(),
})
export type AsrSegment = z.output<typeof AsrSegment>

export const AsrResult = z.object({
  text: z.string().max(MAX_CHARACTERS),
  /** ISO 639-1, or '' when the engine does not know it. */
  language: z.string().max(64),
  /** Seconds from the start of the recording. Neural recognisers may return them out of order. */
  segments: list(AsrSegment, 50_000),
  /** Parts where a voice was found and no words; only of engines that look for both. */
  speech_without_words: list(z.object({ start: Seconds, end: Seconds }), MAX_PARTS_WITHOUT_WORDS).optional(),
  /** Length of the recording. */
  duration: Seconds,
  notices: Notices,
})
export type AsrResult = z.output<typeof AsrResult>

/** Far above speech: the fastest has 30 characters a second, and a recogniser that repeats itself has 50. */
const CHARACTERS_PER_SECOND = 200
const SEGMENTS_PER_SECOND = 10
/** Characters that any recording may have, however short. */
const FREE_CHARACTERS = 10_000
const FREE_SEGMENTS = 100
/** Recognisers work in windows of 30 s and give times up to the end of the last one. */
const WINDOW_SECONDS = 60
/** Most bytes of a UTF-16 unit in UTF-8. */
const MAX_BYTES_PER_CHARACTER = 3
/** A text and the texts of its segments. */
const mostCharacters = (seconds: number) => 2 * CHARACTERS_PER_SECOND * seconds + FREE_CHARACTERS
const mostSegments = (seconds: number) => SEGMENTS_PER_SECOND * seconds + FREE_SEGMENTS

/** Describes what cannot be said in so many seconds; null if everything can. */
function tooMuch({ text, segments }: AsrResult, seconds: number): string | null {
  const characters = segments.reduce((sum, segment) => sum + segment.text.length, text.length)
  if (characters > mostCharacters(seconds)) return `it has ${characters} characters for ${seconds} s of sound`
  if (segments.length > mostSegments(seconds)) return `it has ${segments.length} segments for ${seconds} s of sound`
  const last = segments.reduce((latest, { start }) => Math.max(latest, start), 0)
  return last > seconds + WINDOW_SECONDS ? `a segment starts at ${last.toFixed(1)} s of a recording of ${seconds} s` : null
}

export const asr = operation({
  id: 'asr',
  params: AsrParams,
  result: AsrResult,
  units: (_, { seconds }) => Math.ceil(seconds),
  parts: ({ stream }) => (stream ? 1 : 0),
  // Each piece has new words, so there are no more pieces than segments.
  outputLimit: (_, units) => ({
    bytes: MAX_BYTES_PER_CHARACTER * (units === 0 ? MAX_CHARACTERS : Math.min(MAX_CHARACTERS, mostCharacters(units))),
    pieces: mostSegments(units === 0 ? DAY_SECONDS : units),
  }),
  objection: (result, { stream }, { units, isOutput }) =>
    stream && !isOutput(result.text) ? 'its text differs from the text of the output' : units === 0 ? null : tooMuch(result, units),
})
