// Sentences about parts of a recording that are not in its transcript, or are there with doubt. Pure.
import type { Stretch } from '#agent/engine/audio/condensed.ts'
import type { Verdict } from './decoding/guards.ts'

/** Parts that one sentence lists. */
const MAX_LISTED = 5

const clock = (seconds: number): string => {
  const whole = Math.floor(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

function listed(parts: readonly Stretch[]): string {
  const named = parts.slice(0, MAX_LISTED).map(({ start, end }) => `${clock(start)} to ${clock(end)}`)
  const rest = parts.length - named.length
  return `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

/** `hasSpeech`: whether the voice detector found any. */
export function createNotices(engine: string, hasSpeech: boolean) {
  const parts: Record<Verdict, Stretch[]> = { accepted: [], uncertain: [], repeats: [], silent: [] }
  let missing: readonly Stretch[] = []
  const notices: string[] = hasSpeech ? [] : ['No speech was found in the recording.']
  return {
    add: (verdict: Verdict, part: Stretch) => void parts[verdict].push(part),
    /** Parts with a voice that have no words. */
    addMissing: (found: readonly Stretch[]) => {
      missing = found
    },
    addUnaligned: (language: string) =>
      void notices.push(`The alignment model supports English only; there are no word times for "${language}".`),
    all: (): string[] => [
      ...notices,
      ...(parts.repeats.length > 0 ? [`${engine} left out text that repeats itself: ${listed(parts.repeats)}.`] : []),
      ...(parts.silent.length > 0 ? [`${engine} left out parts without clear speech: ${listed(parts.silent)}.`] : []),
      ...(parts.uncertain.length > 0 ? [`${engine} is not sure of these parts: ${listed(parts.uncertain)}.`] : []),
      ...(missing.length > 0 ? [`${engine} found speech but no words in these parts: ${listed(missing)}.`] : []),
    ],
  }
}
