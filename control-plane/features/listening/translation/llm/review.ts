// The second look of a language model at literal translations: what is stiff in a line, and its final wording.
import { z } from 'zod'
import { missedTerms, type TermFinder } from '../glossary/glossary.rules.ts'
import type { LlmAsker } from './lines.ts'
import { LineText, lineObjection, rowsById } from './reply.rules.ts'
import { reviewMessages, type TaskNotes, type WindowLine, windowsOf } from './window.rules.ts'

export type LiteralLine = WindowLine & { readonly literal: string }
export type ReviewedLine = { readonly text: string; readonly critique: string }

const Reviewed = z.object({ text: LineText, critique: LineText.catch('') })
const TEMPERATURE = 0.4
const CRITIQUE_CHARS = 1_000
const ATTEMPTS = 2
/** Shorter lines have nothing to improve. */
const MIN_WORDS = 3

export const isWorthReview = (text: string): boolean =>
  (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).length >= MIN_WORDS || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}]{4}/u.test(text)

/** By our id; a line without a usable answer is absent, and keeps its literal translation. Throws the reason of the signal. */
export async function reviewWithLlm(
  lines: readonly LiteralLine[],
  {
    asker,
    notes,
    find,
    signal,
  }: { readonly asker: LlmAsker; readonly notes: TaskNotes; readonly find: TermFinder; readonly signal: AbortSignal },
): Promise<Map<string, ReviewedLine>> {
  const done = new Map<string, ReviewedLine>()
  const byId = new Map(lines.map((line) => [line.id, line]))
  for (const window of windowsOf(lines.filter(({ text }) => isWorthReview(text)))) {
    for (let attempt = 0; attempt < ATTEMPTS && !asker.failure(); attempt++) {
      const missing = window.filter(({ id }) => !done.has(id))
      if (missing.length === 0) break
      const terms = [...new Set(missing.flatMap(({ text }) => find(text).map(({ term }) => term)))]
      const reply = await asker.ask(reviewMessages(notes, missing, terms), TEMPERATURE, signal)
      const ids = missing.map(({ id }) => id)
      for (const [id, { text, critique }] of reply === null ? [] : rowsById(reply, ids, Reviewed)) {
        const { text: source, literal } = byId.get(id)!
        const hits = find(source)
        const isUsable = lineObjection(source, text, notes) === null && missedTerms(hits, text).length <= missedTerms(hits, literal).length
        if (isUsable) done.set(id, { text, critique: critique.slice(0, CRITIQUE_CHARS) })
      }
    }
  }
  return done
}
