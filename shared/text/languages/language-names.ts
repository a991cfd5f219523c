// The English names of languages.
import { TWO_LETTER_LANGUAGES } from './two-letter-languages.ts'

/** Made at its first use: that takes longer than loading twenty modules. */
let names: Intl.DisplayNames | null = null

/** Names that were asked for: a choice among the offers of all machines asks for each of their languages. */
const found = new Map<string, string | null>()
const MAX_FOUND = 2_000

/** Such as `Spanish` for `es` and `Brazilian Portuguese` for `pt-BR`; null for a tag that is invalid or unknown, which a machine may send. */
export function englishNameOf(tag: string): string | null {
  const known = TWO_LETTER_LANGUAGES.get(tag) ?? found.get(tag)
  if (known !== undefined) return known
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  let name: string | null = null
  try {
    name = names.of(tag) ?? null
  } catch {
    // The tag is invalid.
  }
  if (found.size < MAX_FOUND) found.set(tag, name)
  return name
}
