// The styles of a Word document. Pure.
import { attributeOf, childOf, childrenOf, type MarkupElement } from '../markup/markup.ts'
import { DEEPEST_HEADING, type ParagraphRole, styleNamed, TEMPLATE_LANGUAGE } from '../office/style-names.ts'

export type WordStyle = {
  /** 1 to 6; 0 for text. */
  readonly level: number
  readonly role: ParagraphRole
  /** The list and the level in it; null for a style that is in none. */
  readonly numId: string | null
  readonly ilvl: number
  readonly isHidden: boolean
  /** Null without one. */
  readonly language: string | null
}
export type WordStyles = (id: string | undefined) => WordStyle

const NO_STYLE: WordStyle = { level: 0, role: 'text', numId: null, ilvl: 0, isHidden: false, language: null }
/** Styles are based on styles; longer chains are circles. */
const LONGEST_CHAIN = 30
/** The value that says that a paragraph is no heading. */
const BODY_LEVEL = 9

export const valueIn = (parent: MarkupElement | undefined, name: string): string | undefined => attributeOf(childOf(parent, name), 'val')

/** True for a property that is there and not switched off. */
export function isSwitchedOn(parent: MarkupElement | undefined, name: string): boolean {
  const property = childOf(parent, name)
  return property !== undefined && !['0', 'false', 'off'].includes(attributeOf(property, 'val') ?? '')
}

/** The level of a heading, 1 to 6, of the properties of a paragraph; 0 for text, undefined for properties that do not say it. */
export function levelIn(properties: MarkupElement | undefined): number | undefined {
  const value = Number(valueIn(properties, 'outlinelvl') ?? Number.NaN)
  if (!Number.isInteger(value) || value < 0) return undefined
  return value >= BODY_LEVEL ? 0 : Math.min(DEEPEST_HEADING, value + 1)
}

/** `root`: the part styles.xml; null without one. */
export function readWordStyles(root: MarkupElement | null): WordStyles {
  const styles = childOf(root ?? undefined, 'styles')
  const elements = new Map(
    styles === undefined
      ? []
      : childrenOf(styles).flatMap((each) => (each.name === 'style' ? [[attributeOf(each, 'styleid') ?? '', each]] : [])),
  )
  const usual = [...elements.values()].find(
    (each) => attributeOf(each, 'type') === 'paragraph' && ['1', 'true'].includes(attributeOf(each, 'default') ?? ''),
  )
  const written = valueIn(childOf(childOf(childOf(styles, 'docdefaults'), 'rprdefault'), 'rpr'), 'lang') ?? null
  const documentLanguage = written === TEMPLATE_LANGUAGE ? null : written
  const known = new Map<string, WordStyle>()
  function resolve(id: string, left: number): WordStyle {
    const earlier = known.get(id)
    if (earlier !== undefined) return earlier
    const style = elements.get(id)
    // Some programs use names of the standard styles without declaring them.
    if (style === undefined || left === 0) return { ...NO_STYLE, ...styleNamed(id), language: documentLanguage }
    const base = resolve(valueIn(style, 'basedon') ?? '', left - 1)
    const [paragraph, run] = [childOf(style, 'ppr'), childOf(style, 'rpr')]
    const named = styleNamed(valueIn(style, 'name') ?? id)
    const list = childOf(paragraph, 'numpr')
    const found: WordStyle = {
      level: named.role === 'text' ? (levelIn(paragraph) ?? (named.level || base.level)) : 0,
      role: named.role === 'text' && named.level === 0 ? base.role : named.role,
      numId: valueIn(list, 'numid') ?? base.numId,
      ilvl: Number(valueIn(list, 'ilvl') ?? base.ilvl) || 0,
      isHidden: childOf(run, 'vanish') ? isSwitchedOn(run, 'vanish') : base.isHidden,
      language: valueIn(run, 'lang') ?? base.language,
    }
    known.set(id, found)
    return found
  }
  const usualId = attributeOf(usual, 'styleid') ?? ''
  return (id) => resolve(id ?? usualId, LONGEST_CHAIN)
}
