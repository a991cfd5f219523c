// Language tags of requests as the codes of Whisper, and back. Pure.
import { languageOf } from '#agent/engine/translate/languages.ts'

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

/** A window is in another language than the one before if the network is this sure. */
const SURE = 0.9

/**
 * The code of a window. A detection in little sound is often wrong, so the language before stays unless the network is sure. `before`: null in the
 * first window. `language`: null for a model of English only.
 */
export const languageAfter = (
  before: string | null,
  { language, confidence }: { readonly language: string | null; readonly confidence: number },
): string => (before !== null && confidence < SURE ? before : (language ?? before ?? 'en'))
