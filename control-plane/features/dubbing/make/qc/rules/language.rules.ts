// Decides whether a line was spoken in the language of its dub, by its words. Pure.
import { detectLanguage } from '#shared/text/language.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'

/** Groups of languages that a short text does not distinguish, because they share a script. */
const ALIKE = ['ru uk sr', 'ar ur fa', 'zh ja'].map((codes) => new Set(codes.split(' ')))
const areAlike = (one: string, other: string): boolean => one === other || ALIKE.some((codes) => codes.has(one) && codes.has(other))
const shortOf = (tag: string): string => tag.toLowerCase().split(/[-_]/)[0]!

/** The language of a dub as a tag, or that of its texts if the dub names none. Null while it is unknown. */
export function languageOfDub(code: string, texts: readonly string[]): string | null {
  if (code !== 'und') return code
  return detectLanguage(texts.join(' '))?.code ?? null
}

/** Such as `Spanish (es)`. */
export function languageName(tag: string): string {
  const short = shortOf(tag)
  const name = /^[a-z]{2,3}$/.test(short) ? englishNameOf(short) : null
  return name ? `${name} (${tag})` : tag
}

/** `found` null: it is not clear. `isOther`: it is not `expected`. */
export type FoundLanguage = { readonly found: string | null; readonly isOther: boolean }

/** `identified`: by an engine that identifies languages; empty or null without one. */
export function foundLanguage(
  expected: string | null,
  wanted: string,
  recognized: string | null,
  identified: string | null,
): FoundLanguage {
  const byWords = recognized === null ? null : detectLanguage(recognized)
  const found = byWords?.code ?? (identified || null)
  if (found === null || expected === null) return { found, isOther: false }
  // A language that the detection does not know is named as another one: so is the wanted text.
  const isExpected = areAlike(found, shortOf(expected)) || areAlike(found, detectLanguage(wanted)?.code ?? '')
  return { found, isOther: !isExpected }
}
