// Language tags of requests as the codes of translation models. Pure.

function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag.trim().replaceAll('_', '-'))
  } catch {
    return null
  }
}

/** The current ISO 639 code without region and script: `iw` is `he`, `eng` is `en`, `tl` is `fil`. An invalid tag keeps its first part. */
export const languageOf = (tag: string): string => localeOf(tag)?.language ?? tag.trim().toLowerCase().split(/[-_]/)[0]!

/** True if a Chinese tag means traditional characters, such as `zh-Hant` or `zh-TW`. */
export const isTraditional = (tag: string): boolean => localeOf(tag)?.maximize().script === 'Hant'
