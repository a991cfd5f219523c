// Language tags of requests as the codes of Whisper, and back. Pure.
import { languageOf } from '../../translate/languages.ts'

/** Whisper has one code for Norwegian Bokmål and Norwegian. */
const BOKMAL = 'nb'
const NORWEGIAN = 'no'

/** The code among `codes` for the language of `tag`, such as `jw` for `jv-ID` and `tl` for `fil`; null if there is none. */
export function whisperCode(tag: string, codes: readonly string[]): string | null {
  const language = languageOf(tag)
  const named = language === BOKMAL ? NORWEGIAN : language
  return codes.find((code) => code === named || languageOf(code) === named) ?? null
}

/** The ISO 639 code for a code of Whisper, which has its own for Javanese. */
export const isoLanguage = (code: string): string => (code === 'jw' ? 'jv' : code)
