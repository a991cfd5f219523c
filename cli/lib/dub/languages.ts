// Languages as a person types them: a code, or the English name.
import { COMMAND } from '#shared/protocol/version.ts'
import { englishNameOf } from '#shared/text/languages/language-names.ts'
import { Misuse } from '../command.ts'
import { likelyWord } from '../nearest.ts'

const TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/i
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

export type NamedLanguage = { /** BCP 47. */ readonly code: string; readonly name: string }

/** Two letters for each language that has them. */
function byName(): Map<string, string> {
  const found = new Map<string, string>()
  for (const first of LETTERS)
    for (const second of LETTERS) {
      const code = new Intl.Locale(first + second).language
      const name = englishNameOf(code)
      if (name !== null) found.set(name.toLowerCase(), code)
    }
  return found
}

/** `es`, `pt-br` or `Spanish`. Throws Misuse for anything else. */
export function languageNamed(text: string): NamedLanguage {
  const asked = text.trim().replaceAll('_', '-')
  const code = TAG.test(asked) ? Intl.getCanonicalLocales(asked)[0]! : null
  const name = code === null ? null : englishNameOf(code)
  if (code !== null && name !== null) return { code, name }
  const names = byName()
  const known = names.get(asked.toLowerCase())
  if (known !== undefined) return { code: known, name: englishNameOf(known)! }
  const near = likelyWord(asked.toLowerCase(), [...names.keys()])
  const guess = near === null ? '' : ` Did you mean '${englishNameOf(names.get(near)!)}' (${names.get(near)})?`
  throw new Misuse(
    `Unknown language '${text.slice(0, 64)}'.${guess} Write a code such as es, or an English name. ${COMMAND} dub --languages lists them.`,
  )
}

/** Every language with a code of two letters, by name. Languages with three letters have codes only. */
export const knownLanguages = (): NamedLanguage[] =>
  [...byName().values()].map((code) => ({ code, name: englishNameOf(code)! })).toSorted((left, right) => (left.name < right.name ? -1 : 1))

/** The English name of a code; the code itself where there is none. */
export const nameOfLanguage = (code: string): string => englishNameOf(code) ?? code
