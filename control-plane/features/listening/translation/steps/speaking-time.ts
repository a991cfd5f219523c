// Predicts the time that a text takes to say: by the newest lines that were spoken in its language, or at the usual pace before there are
// enough.
import type { Clock } from '#shared/runtime/clock.ts'
import { paceOf } from '#shared/text/pace.ts'
import { estimateLengthUs, RATE_SAMPLES, rateOfVoice, spokenWeight, type VoiceRate } from '#shared/timing/length.ts'
import type { DubSource } from '../terms.ts'
import type { SpeakingTime } from './length.rules.ts'

type Deps = { readonly spokenTexts: DubSource['spokenTexts']; readonly clock: Pick<Clock, 'mono'> }

/** A request asks for each of its lines; what was spoken meanwhile changes little. */
const KEPT_MS = 5_000
const MAX_LANGUAGES = 100

export function createSpeakingTime({ spokenTexts, clock }: Deps): SpeakingTime {
  const rates = new Map<string, { readonly at: number; readonly rate: VoiceRate }>()

  function rateIn(language: string): VoiceRate {
    const known = rates.get(language)
    if (known && clock.mono() - known.at < KEPT_MS) return known.rate
    const samples = spokenTexts(language, RATE_SAMPLES).map(({ text, lengthUs }) => ({ weight: spokenWeight(text, language), lengthUs }))
    const rate = rateOfVoice(samples)
    if (rates.size >= MAX_LANGUAGES) rates.clear()
    rates.set(language, { at: clock.mono(), rate })
    return rate
  }

  return (text, language) => {
    const rate = rateIn(language)
    const seconds = rate.calibrated ? estimateLengthUs(text, language, rate) / 1e6 : [...text].length / paceOf(language)
    return { seconds, calibrated: rate.calibrated }
  }
}
