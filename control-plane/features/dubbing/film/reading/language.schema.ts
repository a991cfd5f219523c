// Language codes in requests.
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'

const LANGUAGE = /^[A-Za-z0-9_-]{1,32}$/
const MAX_CHARS = 1_000

/** Any text of a reasonable length: `requireLanguage` refuses a wrong code with 400. */
export const LanguageText = z.string().max(MAX_CHARS)

/** Throws BAD_REQUEST. */
export function requireLanguage(text: string): string {
  if (!LANGUAGE.test(text))
    throw new Failure('BAD_REQUEST', 'lang must be a language code of letters, digits, _ and -, such as es or pt-BR.')
  return text
}
