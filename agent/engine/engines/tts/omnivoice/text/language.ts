// Converts a language tag or an English language name to the code for the model, such as `en`. Pure.

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

let byName: ReadonlyMap<string, string> | null = null
function codesByName(): ReadonlyMap<string, string> {
  if (byName) return byName
  const english = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })
  const codes = [...LETTERS].flatMap((first) => [...LETTERS].map((second) => first + second))
  byName = new Map(
    codes.flatMap((code) => {
      const name = english.of(code)
      return name && new Intl.Locale(code).language === code ? [[name.toLowerCase(), code] as const] : []
    }),
  )
  return byName
}

/** `code` null: the model detects the language from the text. `notice` reports an unknown language. */
export function languageCode(language: string | null): { code: string | null; notice: string | null } {
  const requested = (language ?? '').trim().toLowerCase()
  if (requested === '' || requested === 'auto' || requested === 'none') return { code: null, notice: null }
  const tag = /^([a-z]{2,3})(?:[-_][a-z0-9]+)*$/.exec(requested)
  if (tag) return { code: tag[1]!, notice: null }
  const code = codesByName().get(requested) ?? null
  return { code, notice: code ? null : `The language "${requested.slice(0, 32)}" is unknown. Use a code such as "en".` }
}
