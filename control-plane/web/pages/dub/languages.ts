// Languages by their names. Pure.
import { strings } from '#messages/create/languages.ts'
import { lang } from '#messages/language.ts'

/** Languages that most films are dubbed into, by code. The studio says which of them it cannot translate. */
const NAMES: ReadonlyMap<string, string> = new Map(Object.entries(strings))

/** The name of a language; the code itself where there is none. */
export function languageName(code: string) {
  const name = NAMES.get(code)
  if (name !== undefined) return name
  try {
    return new Intl.DisplayNames([lang], { type: 'language', fallback: 'none' }).of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}

/** All of them by name. */
export const LANGUAGES = [...NAMES].map(([code, name]) => ({ code, name }))

/** True if two tags name one language, regions aside. */
export const isSameLanguage = (one: string, other: string) => one.split(/[-_]/)[0]?.toLowerCase() === other.split(/[-_]/)[0]?.toLowerCase()
