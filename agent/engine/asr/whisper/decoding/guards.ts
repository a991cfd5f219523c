// Judges the text of a window: repetition, uncertainty and silence, with the limits of the reference. Pure.
import { deflateSync } from 'node:zlib'

/** One decoding of a window. */
export type DecodingAttempt = {
  readonly tokens: readonly number[]
  /** Text without the timestamps. */
  readonly text: string
  readonly temperature: number
  /** Mean of the logarithms of the probabilities of its tokens, the end included. */
  readonly averageLogProbability: number
}
export type Verdict = 'accepted' | 'uncertain' | 'repeats' | 'silent'

const MAX_COMPRESSION_RATIO = 2.4
const MIN_LOG_PROBABILITY = -1
const MAX_NO_SPEECH = 0.6
/** The step from each temperature to the next one, up to 1. */
const TEMPERATURE_STEP = 0.2

/** UTF-8 bytes of the text relative to their deflated size: high for text that repeats itself. */
export function compressionRatio(text: string): number {
  const bytes = Buffer.from(text.trim())
  return bytes.length / deflateSync(bytes).length
}

export const isRepetitive = ({ text }: { readonly text: string }): boolean => compressionRatio(text) > MAX_COMPRESSION_RATIO
const isUncertain = ({ averageLogProbability }: DecodingAttempt): boolean => averageLogProbability < MIN_LOG_PROBABILITY
/** An uncertain text where the network found no speech is invented. */
const isSilent = (attempt: DecodingAttempt, noSpeech: number): boolean => noSpeech > MAX_NO_SPEECH && isUncertain(attempt)

/** True if no further temperature is tried. */
export const isSettled = (attempt: DecodingAttempt, noSpeech: number): boolean =>
  isSilent(attempt, noSpeech) || !(isRepetitive(attempt) || isUncertain(attempt))

/** The temperatures to try in order. `first`: the requested one. */
export function temperaturesFrom(first: number): number[] {
  const steps = Math.max(0, Math.floor((1 - first) / TEMPERATURE_STEP + 1e-6))
  return Array.from({ length: steps + 1 }, (_, step) => Math.round((first + step * TEMPERATURE_STEP) * 100) / 100)
}

/** The settled attempt, else the likeliest one that does not repeat itself, else the likeliest one. `attempts`: at least one. */
export function judge(
  attempts: readonly DecodingAttempt[],
  noSpeech: number,
): { readonly attempt: DecodingAttempt; readonly verdict: Verdict } {
  const last = attempts.at(-1)!
  if (isSettled(last, noSpeech)) return { attempt: last, verdict: isSilent(last, noSpeech) ? 'silent' : 'accepted' }
  const varied = attempts.filter((attempt) => !isRepetitive(attempt))
  const candidates = varied.length > 0 ? varied : attempts
  const attempt = candidates.reduce((best, one) => (one.averageLogProbability > best.averageLogProbability ? one : best))
  return { attempt, verdict: varied.length === 0 ? 'repeats' : 'uncertain' }
}
