// The language as the model reads it: a code such as `en`. People also write names. Pure.

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

let byName: ReadonlyMap<string, string> | null = null
function names(): ReadonlyMap<string, string> {
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

/** Null: the model is to hear it from the text. `notice` says what could not be used. */
export function languageCode(language: string | null): { code: string | null; notice: string | null } {
  const asked = (language ?? '').trim().toLowerCase()
  if (asked === '' || asked === 'auto' || asked === 'none') return { code: null, notice: null }
  const tag = /^([a-z]{2,3})(?:[-_][a-z0-9]+)*$/.exec(asked)
  if (tag) return { code: tag[1]!, notice: null }
  const code = names().get(asked) ?? null
  return { code, notice: code ? null : `The language "${asked.slice(0, 32)}" is not known by that name; a code such as "en" would be.` }
}
