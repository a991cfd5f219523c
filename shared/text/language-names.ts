// The English names of languages.

/** Made at its first use: that takes longer than loading twenty modules. */
let names: Intl.DisplayNames | null = null

/** Such as `Spanish` for `es` and `Brazilian Portuguese` for `pt-BR`; null for a tag that is invalid or unknown, which a machine may send. */
export function englishNameOf(tag: string): string | null {
  names ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  try {
    return names.of(tag) ?? null
  } catch {
    return null
  }
}
