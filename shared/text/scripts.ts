// Words in a script that a voice does not speak. Pure.
import { withoutAnnotations } from './pronunciation/annotation.ts'

/** The letters of scripts by their ISO 15924 codes. */
const LETTERS = {
  Arab: /\p{Script=Arabic}/u,
  Armn: /\p{Script=Armenian}/u,
  Beng: /\p{Script=Bengali}/u,
  Cyrl: /\p{Script=Cyrillic}/u,
  Deva: /\p{Script=Devanagari}/u,
  Geor: /\p{Script=Georgian}/u,
  Grek: /\p{Script=Greek}/u,
  Hang: /\p{Script=Hangul}/u,
  Hani: /\p{Script=Han}/u,
  Hebr: /\p{Script=Hebrew}/u,
  Hira: /\p{Script=Hiragana}/u,
  Kana: /\p{Script=Katakana}/u,
  Latn: /\p{Script=Latin}/u,
  Thai: /\p{Script=Thai}/u,
} as const
export type ScriptCode = keyof typeof LETTERS
export const SCRIPT_CODES = Object.keys(LETTERS) as ScriptCode[]

/** Letters of a script of their own, which the sign for micro is not. */
const SCRIPTED = /(?![\p{Script=Common}\p{Script=Inherited}])\p{L}/gu
const NOT_ASCII = /[^\p{ASCII}]/u
const WORD = /[\p{L}\p{M}]+/gu

const isKnown = (code: string): code is ScriptCode => Object.hasOwn(LETTERS, code)

/**
 * The words with a letter of none of these scripts, of a text as an engine receives it. No scripts, or one that is not known here: nothing is
 * known about words that are left out.
 */
export function foreignWords(sent: string, codes: readonly string[]): number {
  const scripts = codes.filter(isKnown)
  if (scripts.length === 0 || scripts.length < codes.length || (scripts.includes('Latn') && !NOT_ASCII.test(sent))) return 0
  const isForeign = (letter: string) => !scripts.some((script) => LETTERS[script].test(letter))
  const words = withoutAnnotations(sent).match(WORD) ?? []
  return words.filter((word) => (word.match(SCRIPTED) ?? []).some(isForeign)).length
}
/** Notice about omitted words; null for none. */
export function omittedWords(count: number): string | null {
  if (count === 0) return null
  const [words, were] = count === 1 ? ['word', 'was'] : ['words', 'were']
  return `${count} ${words} in another script ${were} left out, because the voice does not speak that script.`
}
