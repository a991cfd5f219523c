// Words in a script that a voice does not speak. Pure.
import { withoutAnnotations } from './pronunciation/annotation.ts'

/** Names of Unicode by ISO 15924 codes. */
const SCRIPTS = {
  Arab: 'Arabic',
  Armn: 'Armenian',
  Beng: 'Bengali',
  Cyrl: 'Cyrillic',
  Deva: 'Devanagari',
  Geor: 'Georgian',
  Grek: 'Greek',
  Hang: 'Hangul',
  Hani: 'Han',
  Hebr: 'Hebrew',
  Hira: 'Hiragana',
  Kana: 'Katakana',
  Latn: 'Latin',
  Thai: 'Thai',
} as const
export type Script = keyof typeof SCRIPTS
export const SCRIPT_CODES = Object.keys(SCRIPTS) as [Script, ...Script[]]

const WORD = /[\p{L}\p{M}]+/gu
/** A letter of no script of its own, such as the sign for micro. */
const OF_ALL = ['Common', 'Inherited']
const foreign = new Map<string, RegExp>()

/** A letter of another script. */
function foreignLetter(scripts: readonly Script[]): RegExp {
  const name = scripts.join()
  const known = foreign.get(name)
  if (known) return known
  const own = [...OF_ALL, ...scripts.map((code) => SCRIPTS[code])].map((script) => `\\p{Script=${script}}`).join('|')
  const letter = new RegExp(`(?!${own})\\p{L}`, 'u')
  foreign.set(name, letter)
  return letter
}

/** The words with a letter of none of these scripts, of a text as an engine receives it. No scripts: every word is spoken. */
export function wordsOutside(sent: string, scripts: readonly Script[]): number {
  if (scripts.length === 0) return 0
  const letter = foreignLetter(scripts)
  const text = withoutAnnotations(sent)
  if (!letter.test(text)) return 0
  return (text.match(WORD) ?? []).filter((word) => letter.test(word)).length
}
/** What is said about them; null for none. */
export function omittedWords(count: number): string | null {
  if (count === 0) return null
  const [words, were] = count === 1 ? ['word', 'was'] : ['words', 'were']
  return `${count} ${words} in another script ${were} left out, because the voice does not speak that script.`
}
