// Warnings about a transcript: a recogniser repeated itself or invented text, or found no words. Pure.
import { wordsOf } from '#shared/text/words.ts'
import type { TranscriptRemark, TranscriptWarning } from './transcribe-events.schema.ts'

/** Words of a phrase that repeats itself. */
const LONGEST_PHRASE = 8
const MIN_REPEATS = 4
/** Words that are looked at. */
const MAX_WORDS = 20_000
/** Share of all characters. */
const MAX_OF_ALL = 0.7
const MIN_LINES = 4
/** Share of the film. */
const MIN_SPEECH = 0.05
const US_PER_MINUTE = 60e6

/** The first phrase of up to eight words that follows itself at least three times; null without one. */
export function repeatedPhrase(text: string): string | null {
  const words = wordsOf(text).slice(0, MAX_WORDS)
  for (let length = 1; length <= LONGEST_PHRASE; length++) {
    let run = 0
    for (let at = length; at < words.length; at++) {
      run = words[at] === words[at - length] ? run + 1 : 0
      if (run === length * (MIN_REPEATS - 1)) return words.slice(at - length + 1, at + 1).join(' ')
    }
  }
  return null
}

type Line = { readonly startUs: number; readonly endUs: number; readonly text: string }

/** Sentences about a transcript that is probably wrong, before anything is made of it. `durationUs`: of the film. */
export function transcriptWarnings(lines: readonly Line[], durationUs: number): string[] {
  const warnings: string[] = []
  const all = lines.reduce((sum, { text }) => sum + text.length, 0)
  const counts = new Map<string, { chars: number; lines: number }>()
  for (const { text } of lines) {
    const phrase = wordsOf(text).join(' ')
    const { chars, lines: known } = counts.get(phrase) ?? { chars: 0, lines: 0 }
    counts.set(phrase, { chars: chars + text.length, lines: known + 1 })
  }
  const [usual] = [...counts].sort(([, one], [, other]) => other.chars - one.chars)
  if (usual && lines.length >= MIN_LINES && usual[1].lines > 1 && usual[1].chars > MAX_OF_ALL * all)
    warnings.push(
      `One phrase is ${Math.round((100 * usual[1].chars) / all)} % of the transcript ("${usual[0].slice(0, 60)}"). The recogniser probably repeated itself: check the lines, or use another recogniser.`,
    )
  const spoken = lines.reduce((sum, { startUs, endUs }) => sum + Math.max(0, endUs - startUs), 0)
  if (durationUs > US_PER_MINUTE && spoken < MIN_SPEECH * durationUs)
    warnings.push(
      `Only ${Math.round((1000 * spoken) / durationUs) / 10} % of the film has speech. Check that the right sound track was used and that no lines are missing.`,
    )
  const loop = warnings.length > 0 ? null : lines.map(({ text }) => repeatedPhrase(text)).find((phrase) => phrase !== null)
  const across = warnings.length > 0 || loop ? null : repeatedPhrase(lines.map(({ text }) => text).join(' '))
  if (loop ?? across)
    warnings.push(
      `The transcript repeats "${(loop ?? across)!.slice(0, 60)}" several times in a row. The recogniser may have invented it: check these lines.`,
    )
  return warnings
}

export const transcriptWarning = (remark: TranscriptRemark): TranscriptWarning => ({ type: 'warning', ...remark })

const clock = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`

/** `parts`: in seconds of the film. */
export function wordlessWarning(parts: readonly { readonly from: number; readonly to: number }[]): TranscriptWarning {
  const named = parts.slice(0, 5).map(({ from, to }) => `${clock(from)} to ${clock(to)}`)
  const rest = parts.length - named.length
  const detail = `Speech without words was found at ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. There are no lines for it.`
  return transcriptWarning({ detail, source: 'transcript' })
}
