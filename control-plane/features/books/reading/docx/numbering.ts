// Numbers of lists and headings in a Word document. Pure.
import { attributeOf, childOf, childrenOf, type MarkupElement } from '../markup/markup.ts'
import { numeralOf } from '../office/numerals.ts'
import { valueIn } from './styles.ts'

type Level = { readonly format: string; readonly text: string; readonly start: number }
/** `value`: null for a bullet. `label`: the printed number, such as `2.1` or `Chapter 3`; empty for a bullet. */
export type ListNumber = { readonly value: number | null; readonly label: string }
/** Counts one paragraph. Null for a list that does not exist, or a level without numbers and bullets. */
export type CountItem = (numId: string, ilvl: number) => ListNumber | null

const LEVELS = 9
const LONGEST_LABEL = 100

/** `root`: the part numbering.xml; null without one. */
export function createNumbering(root: MarkupElement | null): CountItem {
  const numbering = childOf(root ?? undefined, 'numbering')
  const parts = numbering === undefined ? [] : childrenOf(numbering)
  const definitions = new Map(
    parts.filter(({ name }) => name === 'abstractnum').map((each) => [attributeOf(each, 'abstractnumid') ?? '', levelsOf(each)]),
  )
  const lists = new Map(
    parts
      .filter(({ name }) => name === 'num')
      .map((each) => [
        attributeOf(each, 'numid') ?? '',
        { definition: valueIn(each, 'abstractnumid') ?? '', overrides: overridesOf(each) },
      ]),
  )
  /** Lists of one definition go on counting, unless they say where they start. */
  const counters = new Map<string, (number | undefined)[]>()
  const started = new Set<string>()
  return (numId, ilvl) => {
    const list = lists.get(numId)
    const levels = list && definitions.get(list.definition)
    if (list === undefined || levels === undefined || !(ilvl >= 0 && ilvl < LEVELS)) return null
    const counts = counters.get(list.definition) ?? []
    counters.set(list.definition, counts)
    if (!started.has(numId)) {
      started.add(numId)
      for (const [level, start] of list.overrides) counts[level] = start - 1
    }
    const level = levels.get(ilvl)
    if (level === undefined || level.format === 'none') return null
    counts.length = Math.min(counts.length, ilvl + 1)
    counts[ilvl] = (counts[ilvl] ?? level.start - 1) + 1
    if (level.format === 'bullet') return { value: null, label: '' }
    const label = level.text.replaceAll(/%([1-9])/g, (_, digit: string) => {
      const at = Number(digit) - 1
      const upper = levels.get(at)
      return numeralOf(counts[at] ?? upper?.start ?? 1, upper?.format ?? 'decimal')
    })
    return { value: counts[ilvl], label: label.trim() }
  }
}

const levelsOf = (definition: MarkupElement): ReadonlyMap<number, Level> =>
  new Map(
    childrenOf(definition)
      .filter(({ name }) => name === 'lvl')
      .map((each) => [
        Number(attributeOf(each, 'ilvl')),
        {
          format: valueIn(each, 'numfmt') ?? 'decimal',
          text: (valueIn(each, 'lvltext') ?? '').slice(0, LONGEST_LABEL),
          start: countOf(valueIn(each, 'start'), 1),
        },
      ]),
  )

const overridesOf = (list: MarkupElement): readonly (readonly [level: number, start: number])[] =>
  childrenOf(list).flatMap((each) => {
    const [level, start] = [Number(attributeOf(each, 'ilvl')), valueIn(each, 'startoverride')]
    return each.name === 'lvloverride' && start !== undefined && level >= 0 && level < LEVELS ? [[level, countOf(start, 1)] as const] : []
  })

const countOf = (text: string | undefined, fallback: number): number => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : fallback)
