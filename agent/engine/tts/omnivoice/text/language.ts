// Converts a language tag or an English language name to the code for the model, such as `en`. Pure.

import { englishNameOf } from '#shared/text/languages/language-names.ts'
import { composed } from '#shared/text/unicode/compose.ts'
import { OMNIVOICE_LANGUAGES } from './languages.ts'

const CODES_BY_NAME: ReadonlyMap<string, string> = new Map([...OMNIVOICE_LANGUAGES].map(([code, name]) => [name.toLowerCase(), code]))
const MAX_SUGGESTIONS = 3

/**
 * `code` null: the model speaks without a language. `notice` reports a language that the model was not trained with, because a code outside
 * its table would be read as arbitrary text.
 */
export function languageCode(language: string | null): { code: string | null; notice: string | null } {
  const requested = composed((language ?? '').trim()).toLowerCase()
  if (requested === '' || requested === 'auto' || requested === 'none') return { code: null, notice: null }
  const [primary = ''] = requested.split(/[-_]/)
  // The whole word first: `lao` is the name of a language whose code is `lo`.
  const code = [requested, CODES_BY_NAME.get(requested), primary].find((each) => each !== undefined && OMNIVOICE_LANGUAGES.has(each))
  if (code !== undefined) return { code, notice: null }
  const near = suggestionsFor(primary)
  const hint =
    near.length > 0 ? `Use ${near.map((each) => `${each} (${OMNIVOICE_LANGUAGES.get(each)})`).join(' or ')}` : 'Use a code such as "en"'
  return { code: null, notice: `This engine has no language "${requested.slice(0, 32)}", so it speaks without one. ${hint}.` }
}

/** Suggestions for an ISO code outside the table: languages whose name contains its English name, the standard and short ones first. */
function suggestionsFor(code: string): string[] {
  const name = /^[a-z]{2,3}$/.test(code) ? englishNameOf(code) : null
  if (!name) return []
  return [...OMNIVOICE_LANGUAGES]
    .filter(([, each]) => each.includes(name))
    .sort(
      ([, left], [, right]) => Number(right.startsWith('Standard ')) - Number(left.startsWith('Standard ')) || left.length - right.length,
    )
    .slice(0, MAX_SUGGESTIONS)
    .map(([each]) => each)
}
