// Upper bounds for the sound and the time on a GPU of a task, from its request. Pure.
import { z } from 'zod'
import { isOperation } from '#shared/operations/table.ts'
import { mostSoundSeconds } from '#shared/operations/tts.ts'

/** The parts of stored parameters that decide how long the speech lasts. They were checked when the task was admitted. */
const Spoken = z.object({
  segments: z.array(z.object({ text: z.string(), pause_after_ms: z.number().default(0) })),
  speed: z.number().positive().default(1),
  duration: z.number().positive().nullable().default(null),
})
type Spoken = z.output<typeof Spoken>
/** The parts of the result of speech that say how long it lasts. */
const Speech = z.object({ sample_rate: z.number().positive(), parts: z.array(z.object({ samples: z.number().nonnegative() })) })

/**
 * Seconds of slow speech: three words in a second take two syllables each, and one sign of Chinese or Japanese is a syllable or two. A digit is
 * read as a word.
 */
const SECONDS_PER = { letter: 0.15, sign: 0.5, digit: 0.7 } as const
/** Silence and breath around a segment. */
const SEGMENT_SECONDS = 2
const SIGNS = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u{20000}-\u{3ffff}]/gu
const DIGITS = /\p{Nd}/gu
const SLOWEST = 0.25

const countOf = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0

/**
 * Most milliseconds of sound that the speech will have. It holds for speech; the bound that no engine may exceed (`mostSoundSeconds`) is
 * ten times as long, and would let hardly anybody use a small limit.
 */
function mostSpokenMs({ segments, speed, duration }: Spoken): number {
  const pauses = segments.reduce((sum, { pause_after_ms: ms }) => sum + ms, 0)
  if (duration !== null) return Math.ceil(duration * 1000) + segments.length * SEGMENT_SECONDS * 1000
  let seconds = 0
  for (const { text } of segments) {
    const [signs, digits] = [countOf(text, SIGNS), countOf(text, DIGITS)]
    const letters = Math.max(0, text.length - signs - digits)
    seconds += SEGMENT_SECONDS + signs * SECONDS_PER.sign + digits * SECONDS_PER.digit + letters * SECONDS_PER.letter
  }
  return Math.ceil(Math.min((seconds * 1000) / Math.max(SLOWEST, Math.min(1, speed)) + pauses, mostSoundSeconds({ segments }) * 1000))
}

/** The request of a task. `size`: seconds of its recording, or characters of its text. `newSeconds`: those that no earlier task recognised. */
export type Sized = { readonly operation: string; readonly params: string; readonly size: number; readonly newSeconds?: number }

/**
 * Milliseconds of sound that a task makes or recognises, at most. Sound counts once: the analyses around it, such as finding the voice or the
 * speakers in a recording, take time on a machine and no further sound; neither does live sound that is recognised again with what follows it.
 */
export function mostSoundMs({ operation, params, size, newSeconds = size }: Sized): number {
  if (operation === 'tts') {
    const spoken = Spoken.safeParse(JSON.parse(params))
    return spoken.success ? mostSpokenMs(spoken.data) : 0 // no engine runs it
  }
  if (operation === 'asr') return Math.ceil(Math.min(size, newSeconds) * 1000)
  return 0
}

/** Milliseconds of sound of a task that has ended well. `result`: the JSON that its engine reported. */
export function soundMsOf(sized: Sized, result: string): number {
  if (sized.operation !== 'tts') return mostSoundMs(sized)
  const { sample_rate: rate, parts } = Speech.parse(JSON.parse(result)) // it was checked when it arrived
  return Math.ceil((parts.reduce((sum, { samples }) => sum + samples, 0) / rate) * 1000)
}

/** Milliseconds on a GPU for a unit of a task without sound, until one was measured. */
const MS_PER_CHARACTER = 10
const MS_PER_SECOND = 1000

/** Milliseconds of work for which a speed is measured: of its sound, of its recording, or of its text. */
export function workMsOf(sized: Sized): number {
  if (sized.operation === 'tts') return mostSoundMs(sized)
  const isText = !isOperation(sized.operation) || sized.operation === 'translate'
  return sized.size * (isText ? MS_PER_CHARACTER : MS_PER_SECOND)
}

/** Bytes of a stored take for a millisecond of its sound: 16 bits at 48 kHz. */
const BYTES_PER_MS = 96
/** Bytes that the sound of a task may take on the disk of the studio. */
export const mostBytes = ({ operation }: Pick<Sized, 'operation'>, soundMs: number): number =>
  operation === 'tts' ? soundMs * BYTES_PER_MS : 0

/**
 * Time on a GPU for a unit of work of one engine, as it was measured. A slower task counts at once and a faster one slowly, so that the next
 * bound holds.
 */
export const slower = (known: number | undefined, measured: number): number =>
  known === undefined ? measured : Math.max(measured, known + FORGET * (measured - known))
const FORGET = 0.1
