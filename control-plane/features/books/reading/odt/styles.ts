// The styles of an OpenDocument text. Pure.
import { attributeOf, childOf, childrenOf, type MarkupElement } from '../markup/markup.ts'
import { DEEPEST_HEADING, type ParagraphRole, styleNamed, TEMPLATE_LANGUAGE } from '../office/style-names.ts'

export type TextStyle = {
  /** 1 to 6; 0 for text. */
  readonly level: number
  readonly role: ParagraphRole
  readonly isHidden: boolean
  readonly isRaised: boolean
  /** Such as `de-DE`; null without one. */
  readonly language: string | null
}
/** `format`: `1`, `a`, `A`, `i` or `I`; empty for a level without a number. */
export type ListLevel = {
  readonly format: string
  readonly prefix: string
  readonly suffix: string
  readonly start: number
  readonly shown: number
}
export type TextStyles = {
  readonly style: (name: string | undefined) => TextStyle
  /** Null for a level with a bullet or of an unknown style. `depth`: 0 for the first level. */
  readonly listLevel: (name: string | undefined, depth: number) => ListLevel | null
  /** Numbers of headings, by level. */
  readonly outline: ReadonlyMap<number, ListLevel>
  readonly language: string | null
}

const PLAIN: TextStyle = { level: 0, role: 'text', isHidden: false, isRaised: false, language: null }
const LONGEST_CHAIN = 30
const LONGEST_LABEL = 50

/** `roots`: the documents with styles; those of later ones win. */
export function readTextStyles(roots: readonly MarkupElement[]): TextStyles {
  const groups = roots.flatMap(childrenOf).filter(({ name }) => name === 'styles' || name === 'automatic-styles')
  const all = groups.flatMap(childrenOf)
  const named = new Map(all.filter(({ name }) => name === 'style').map((each) => [attributeOf(each, 'name') ?? '', each]))
  const lists = new Map(all.filter(({ name }) => name === 'list-style').map((each) => [attributeOf(each, 'name') ?? '', levelsOf(each)]))
  const outline = all.find(({ name }) => name === 'outline-style')
  const usual = all.find((each) => each.name === 'default-style' && attributeOf(each, 'family') === 'paragraph')
  const written = languageIn(childOf(usual, 'text-properties'))
  const known = new Map<string, TextStyle>()
  function resolve(name: string, left: number): TextStyle {
    const earlier = known.get(name)
    if (earlier !== undefined) return earlier
    const style = named.get(name)
    // Some programs use names of the standard styles without declaring them.
    if (style === undefined || left === 0) return { ...PLAIN, ...styleNamed(plainName(name)) }
    const base = resolve(attributeOf(style, 'parent-style-name') ?? '', left - 1)
    const text = childOf(style, 'text-properties')
    const own = styleNamed(attributeOf(style, 'display-name') ?? plainName(name))
    const level = Number(attributeOf(style, 'default-outline-level') || Number.NaN)
    const position = text?.attributes.get('style:text-position')
    const isNamed = own.level > 0 || own.role !== 'text'
    const found: TextStyle = {
      level: own.role !== 'text' ? 0 : level >= 1 ? Math.min(DEEPEST_HEADING, level) : own.level || base.level,
      role: isNamed ? own.role : base.role,
      isHidden: text?.attributes.has('text:display') ? text.attributes.get('text:display') === 'none' : base.isHidden,
      isRaised: position === undefined ? base.isRaised : /^super|^[1-9]/.test(position.trim()),
      language: languageIn(text) ?? base.language,
    }
    known.set(name, found)
    return found
  }
  return {
    style: (name) => resolve(name ?? '', LONGEST_CHAIN),
    listLevel: (name, depth) => lists.get(name ?? '')?.get(depth + 1) ?? null,
    outline: outline ? levelsOf(outline) : new Map(),
    language: written === TEMPLATE_LANGUAGE ? null : written,
  }
}

/** In names of styles a character is written as its code between underscores. */
const plainName = (name: string): string =>
  name.replaceAll(/_([0-9a-f]{2})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

function languageIn(text: MarkupElement | undefined): string | null {
  const [language, country] = [text?.attributes.get('fo:language'), text?.attributes.get('fo:country')]
  if (!language || !/^[a-z]{2,3}$/i.test(language) || language === 'zxx') return null
  return country && /^[a-z]{2}$/i.test(country) ? `${language}-${country}` : language
}

const labelIn = (each: MarkupElement, name: string): string => (attributeOf(each, name) ?? '').slice(0, LONGEST_LABEL)

const levelsOf = (style: MarkupElement): ReadonlyMap<number, ListLevel> =>
  new Map(
    childrenOf(style).flatMap((each) => {
      const format = attributeOf(each, 'num-format') ?? ''
      if (format === '' || !/^(?:list-level-style-number|outline-level-style)$/.test(each.name)) return []
      const count = (name: string) => Number(/^\d{1,6}$/.exec(attributeOf(each, name) ?? '')?.[0] ?? 1)
      const level = { format, prefix: labelIn(each, 'num-prefix'), suffix: labelIn(each, 'num-suffix') }
      return [[count('level'), { ...level, start: count('start-value'), shown: count('display-levels') }]]
    }),
  )
