// Texts through a translator that has no glossary of its own: what misses a term is translated again with the target in place of the source.

import { missedTerms, type TermFinder, withTargets } from '../glossary/glossary.rules.ts'
import type { Term } from '../terms.ts'
import { type TextAnswer, type TextCaller, type TextService, usableAnswer } from './service.ts'

const CONTEXT_TERMS = 50
type Order = { readonly texts: readonly string[]; readonly source: string; readonly target: string; readonly find: TermFinder }

const contextOf = (terms: readonly Term[]): string =>
  terms.length === 0 ? '' : `Terms: ${terms.map(({ source, target }) => `${source} = ${target}`).join('; ')}.`

/**
 * Same as TextService.translate, with answers that can be used. If a line has two translations, the one with more terms is kept, the first
 * one if they are equal.
 */
export async function translateTexts(
  service: TextService,
  { texts, source, target, find }: Order,
  caller: TextCaller,
): Promise<{ readonly answers: readonly TextAnswer[]; readonly notices: readonly string[] }> {
  const hits = texts.map(find)
  const terms = [...new Set(hits.flat().map(({ term }) => term))].slice(0, CONTEXT_TERMS)
  const first = await service.translate({ texts, source, target, context: contextOf(terms) }, caller)
  const { notices } = first
  const answers = first.answers.map(usableAnswer)
  const again = answers.flatMap((answer, at) => {
    if (!('text' in answer)) return []
    const missed = missedTerms(hits[at]!, answer.text)
    const replaced = withTargets(texts[at]!, hits[at]!, missed)
    return missed.length > 0 && replaced !== texts[at] ? [{ at, replaced, missed }] : []
  })
  if (again.length === 0) return { answers, notices }
  const second = await service.translate({ texts: again.map(({ replaced }) => replaced), source, target, context: '' }, caller)
  const better = new Map(
    again.flatMap(({ at, missed }, index) => {
      const answer = usableAnswer(second.answers[index]!)
      return 'text' in answer && missedTerms(hits[at]!, answer.text).length < missed.length ? [[at, answer] as const] : []
    }),
  )
  return { answers: answers.map((answer, at) => better.get(at) ?? answer), notices }
}
