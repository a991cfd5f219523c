// Shorter wordings of lines that take longer than their time, from a language model.
import { z } from 'zod'
import type { LlmAsker } from './lines.ts'
import { LineText, rowsById } from './reply.rules.ts'
import { shorteningMessages } from './window.rules.ts'

export type LongLine = {
  readonly id: string
  /** The translation, and what it translates. */
  readonly text: string
  readonly source: string
  /** About how many characters fit. */
  readonly characters: number
  /** Share of its time that a wording needs; at most 1.05 fits. */
  readonly need: (text: string) => number
  /** True if a wording keeps what must be kept besides numbers and names. */
  readonly isKept: (text: string) => boolean
}
const Candidates = z.object({ candidates: z.array(LineText).max(20) })
const AT_ONCE = 8
const TEMPERATURE = 0.4
const FITS = 1.05
/** A wording with less than a third of the line has lost its meaning. */
const MIN_SHARE = 1 / 3

const numbersIn = (text: string): string[] => (text.match(/\p{N}+/gu) ?? []).sort()
/** Words that the translation has in common with its source and that begin with a capital: names. */
export function namesIn(text: string, source: string): string[] {
  const known = new Set(source.match(/[\p{L}\p{M}]+/gu) ?? [])
  return [...new Set(text.match(/[\p{L}\p{M}]+/gu) ?? [])].filter(
    (word) => word.length > 1 && known.has(word) && word.charAt(0) !== word.charAt(0).toLowerCase(),
  )
}

/** The longest candidate that fits, else the shortest; null when none is shorter and keeps numbers and names. */
export function bestCandidate(line: Omit<LongLine, 'id' | 'characters'>, candidates: readonly string[]): string | null {
  const numbers = numbersIn(line.text).join(' ')
  const names = namesIn(line.text, line.source)
  const least = [...line.text].length * MIN_SHARE
  const usable = candidates.filter(
    (text) =>
      [...text].length >= least &&
      line.need(text) < line.need(line.text) &&
      numbersIn(text).join(' ') === numbers &&
      names.every((name) => text.includes(name)) &&
      line.isKept(text),
  )
  const byNeed = usable.toSorted((one, other) => line.need(one) - line.need(other))
  return byNeed.findLast((text) => line.need(text) <= FITS) ?? byNeed[0] ?? null
}

/** By id; lines without a usable wording are absent. Throws the reason of the signal. */
export async function shortenWithLlm(
  lines: readonly LongLine[],
  { asker, language, signal }: { readonly asker: LlmAsker; readonly language: string; readonly signal: AbortSignal },
): Promise<Map<string, string>> {
  const done = new Map<string, string>()
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    const some = lines.slice(at, at + AT_ONCE)
    const reply = await asker.ask(shorteningMessages(language, some), TEMPERATURE, signal)
    const ids = some.map(({ id }) => id)
    for (const [id, { candidates }] of reply === null ? [] : rowsById(reply, ids, Candidates)) {
      const best = bestCandidate(some.find((line) => line.id === id)!, candidates)
      if (best !== null) done.set(id, best)
    }
    if (asker.failure()) break
  }
  return done
}
