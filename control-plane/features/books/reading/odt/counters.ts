// Numbers of list items and headings in an OpenDocument text.
import { attributeOf, type MarkupElement } from '../markup/markup.ts'
import { numeralOf } from '../office/numerals.ts'
import type { TextStyles } from './styles.ts'

export function createCounters({ listLevel, outline }: TextStyles) {
  /** The last numbers of lists by their style, and by their depth, for one that goes on with it. */
  const last = new Map<string | undefined, number[]>()
  const ends = new Map<string, () => number>()
  const headings: number[] = []
  const startIn = (text: string | undefined): number | null => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : null)
  return {
    /** Counts the items of one list. The function returns the number of the next item, null for a bullet; `start`: its own number. */
    list(list: MarkupElement, style: string | undefined, depth: number): (start: string | undefined) => number | null {
      const level = listLevel(style, depth)
      if (level === null) return () => null
      const numbers = last.get(style) ?? []
      last.set(style, numbers)
      const goesOn = ends.get(attributeOf(list, 'continue-list') ?? '')
      let number = level.start - 1
      if (goesOn) number = goesOn()
      else if (attributeOf(list, 'continue-numbering') === 'true') number = numbers[depth] ?? number
      const id = attributeOf(list, 'id')
      if (id !== undefined) ends.set(id, () => number)
      return (start) => {
        number = startIn(start) ?? number + 1
        numbers[depth] = number
        return number
      }
    },
    /** The printed number of a heading, such as `2.1.`; empty without one. `level`: 1 to 6. */
    heading(level: number, heading: MarkupElement): string {
      const own = outline.get(level)
      if (own === undefined || attributeOf(heading, 'is-list-header') === 'true') return ''
      headings.length = Math.min(headings.length, level)
      headings[level - 1] = startIn(attributeOf(heading, 'start-value')) ?? (headings[level - 1] ?? own.start - 1) + 1
      const parts: string[] = []
      for (let at = Math.max(1, level - own.shown + 1); at <= level; at++)
        parts.push(numeralOf(headings[at - 1] ?? outline.get(at)?.start ?? 1, outline.get(at)?.format ?? '1'))
      return `${own.prefix}${parts.join('.')}${own.suffix}`.trim()
    },
  }
}
