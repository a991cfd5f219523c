// Predicts how long a voice needs for a text, from the lines that it has spoken before.
import { normaliseText } from '#shared/text/normalise/normalise.ts'
import { weightOfText } from '#shared/text/weight.ts'

/** A line that was spoken: the weight of its text, and its length without the silence at its ends. */
export type SpokenSample = { readonly weight: number; readonly lengthUs: number }
/** The pace of a voice in a language. `calibrated`: enough of its own lines are known. */
export type VoiceRate = { readonly usPerWeight: number; readonly calibrated: boolean }
/** "Nice to meet you.", which weighs 14.1, takes a second in an ordinary voice. */
export const USUAL_US_PER_WEIGHT = 1e6 / 14.1
/** Older lines say less about how the voice speaks now. */
export const RATE_SAMPLES = 16
/** Number of lines that the prior counts as. */
const PRIOR_LINES = 2
const CALIBRATED_FROM = 3

/** The weight of a text as it is spoken: with its figures in words. `language`: a tag such as `en` or `pt-BR`. */
export const spokenWeight = (text: string, language: string): number => weightOfText(normaliseText(text, language))

/**
 * The median of the last `RATE_SAMPLES` lines, drawn towards the prior as if that were two more lines. `samples`: oldest first; ones
 * without weight or length do not count. `prior`: microseconds per weight.
 */
export function rateOfVoice(samples: readonly SpokenSample[], prior = USUAL_US_PER_WEIGHT): VoiceRate {
  const rates = samples
    .filter(({ weight, lengthUs }) => weight > 0 && lengthUs > 0 && Number.isFinite(lengthUs / weight))
    .slice(-RATE_SAMPLES)
    .map(({ weight, lengthUs }) => lengthUs / weight)
    .sort((a, b) => a - b)
  const count = rates.length
  const median = count === 0 ? prior : (rates[(count - 1) >> 1]! + rates[count >> 1]!) / 2
  return { usPerWeight: (median * count + prior * PRIOR_LINES) / (count + PRIOR_LINES), calibrated: count >= CALIBRATED_FROM }
}

/** Whole microseconds; 0 for a text without sound. */
export const estimateLengthUs = (text: string, language: string, { usPerWeight }: VoiceRate): number =>
  Math.round(spokenWeight(text, language) * usPerWeight)
