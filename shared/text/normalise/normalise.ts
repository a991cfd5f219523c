// Spells out what engines that were trained on plain words cannot read: numbers, dates, sums, units, abbreviations and roman numerals.
// Pure and total. A pass looks at every place once, and each look reads a bounded part of the text or the part that it replaces.

import { sayElectronic, saySigned } from './figures/electronic.ts'
import { OTHER_CARDINALS, spellIntegers } from './integers.ts'
import type { Language } from './language.ts'
import { dutch } from './languages/dutch.ts'
import { american, britishEnglish } from './languages/english.ts'
import { french } from './languages/french.ts'
import { german } from './languages/german.ts'
import { italian } from './languages/italian.ts'
import { polish } from './languages/polish.ts'
import { brazilian, european } from './languages/portuguese.ts'
import { russian } from './languages/russian.ts'
import { spanish } from './languages/spanish.ts'
import { sayFigures } from './numerals.ts'
import { sayWord } from './words.ts'

const LANGUAGES: Readonly<Record<string, Language>> = {
  en: american,
  'en-gb': britishEnglish,
  'en-au': britishEnglish,
  'en-ie': britishEnglish,
  'en-nz': britishEnglish,
  de: german,
  fr: french,
  es: spanish,
  it: italian,
  pt: brazilian,
  'pt-pt': european,
  nl: dutch,
  pl: polish,
  ru: russian,
}

/** The tables of a language tag; undefined for a language without tables. */
export function tablesOf(language: string): Language | undefined {
  const tag = language.trim().toLowerCase().replaceAll('_', '-')
  const short = tag.split('-', 1)[0]!
  return Object.hasOwn(LANGUAGES, tag) ? LANGUAGES[tag] : Object.hasOwn(LANGUAGES, short) ? LANGUAGES[short] : undefined
}

const MAX_PASSES = 4
const LETTER = /[\p{L}\p{M}]/u
const WORD_END = /[\p{L}\p{M}\p{N}]$/u
const WORD_START = /^[\p{L}\p{M}\p{N}]/u
/** Possible first characters of an address, a name behind @ or a hashtag. */
const ADDRESS_START = /[\p{L}\d@#]/u
const isInsideWord = (text: string, at: number): boolean => /[\p{L}\p{M}\d]$/u.test(text.slice(Math.max(0, at - 2), at))
/** Possible first characters of an expression in figures. */
const FIGURE = /[\d$€£¥₹₩₽№½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞.,#−+(§±≈~≤≥<>-]/

/**
 * `language`: a tag such as `en`, `en-GB` or `pt-BR`. Text of an unknown language comes back as it is; of a language without tables of
 * its own, integers that stand alone are spelled out. Text without digits and abbreviations comes back unchanged, `[…]` is never touched,
 * and the result is normal: a second pass changes nothing.
 */
export function normaliseText(text: string, language: string): string {
  const known = tablesOf(language)
  const short = language.trim().toLowerCase().split(/[-_]/, 1)[0]!
  const cardinal = Object.hasOwn(OTHER_CARDINALS, short) ? OTHER_CARDINALS[short] : undefined
  if (!known && !cardinal) return text
  return betweenBrackets(text, (part) => (known ? untilStable(part, known) : spellIntegers(part, cardinal!, short)))
}

/** A blank that one pass puts between letters and figures can complete an abbreviation, as in "Mr2024-01-05". */
function untilStable(text: string, language: Language): string {
  let current = text
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const next = spellOut(current, language)
    if (next === current) break
    current = next
  }
  return current
}

/** Applies `change` to what lies outside of `[…]`. An opening bracket that is never closed protects nothing. */
function betweenBrackets(text: string, change: (part: string) => string): string {
  let result = ''
  let from = 0
  for (;;) {
    const open = text.indexOf('[', from)
    const close = open < 0 ? -1 : text.indexOf(']', open)
    if (close < 0) return result + change(text.slice(from))
    result += change(text.slice(from, open)) + text.slice(open, close + 1)
    from = close + 1
  }
}

function spellOut(text: string, language: Language): string {
  const parts: string[] = []
  let from = 0
  let at = 0
  const replace = (words: string, end: number) => {
    parts.push(text.slice(from, at))
    const last = at > from ? text[at - 1]! : (parts.findLast((part) => part !== '') ?? '')
    const isGlued = WORD_START.test(words)
    parts.push(isGlued && WORD_END.test(last) ? ' ' : '', words)
    if (WORD_END.test(words) && WORD_START.test(text.slice(end, end + 2))) parts.push(' ')
    from = at = end
  }
  while (at < text.length) {
    const char = String.fromCodePoint(text.codePointAt(at)!)
    const address =
      ADDRESS_START.test(char) && !isInsideWord(text, at) ? (sayElectronic(text, at, language) ?? saySigned(text, at, language)) : null
    if (address) {
      replace(address.words, address.end)
      continue
    }
    if (LETTER.test(char)) {
      const figures = /[A-Z]/.test(char) ? sayFigures(text, at, language) : null
      const { words, end } = figures ?? sayWord(text, at, language)
      if (figures || words !== text.slice(at, end)) replace(words, end)
      else at = end
    } else {
      const figures = FIGURE.test(char) ? sayFigures(text, at, language) : null
      if (figures) replace(figures.words, figures.end)
      else at += char.length
    }
  }
  return parts.join('') + text.slice(from)
}
