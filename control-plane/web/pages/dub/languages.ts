// Languages by their English names. Pure.

/** What most films are dubbed into, by code. The studio says which of them it cannot translate. Written down: the first name from Intl takes 10 ms. */
const NAMES = new Map(
  (
    'af Afrikaans, sq Albanian, ar Arabic, hy Armenian, az Azerbaijani, bn Bangla, eu Basque, be Belarusian, bs Bosnian, bg Bulgarian, my Burmese, ' +
    'ca Catalan, zh Chinese, hr Croatian, cs Czech, da Danish, nl Dutch, en English, et Estonian, tl Filipino, fi Finnish, fr French, gl Galician, ' +
    'ka Georgian, de German, el Greek, gu Gujarati, he Hebrew, hi Hindi, hu Hungarian, is Icelandic, id Indonesian, ga Irish, it Italian, ja Japanese, ' +
    'kn Kannada, kk Kazakh, km Khmer, ko Korean, lv Latvian, lt Lithuanian, mk Macedonian, ms Malay, ml Malayalam, mt Maltese, mr Marathi, ' +
    'mn Mongolian, ne Nepali, nb Norwegian Bokmål, nn Norwegian Nynorsk, fa Persian, pl Polish, pt Portuguese, pa Punjabi, ro Romanian, ru Russian, ' +
    'sr Serbian, sk Slovak, sl Slovenian, es Spanish, sw Swahili, sv Swedish, ta Tamil, te Telugu, th Thai, tr Turkish, uk Ukrainian, ur Urdu, ' +
    'uz Uzbek, vi Vietnamese, cy Welsh, zu Zulu'
  )
    .split(', ')
    .map((one) => [one.slice(0, 2), one.slice(3)] as const),
)

/** The English name of a language; the code itself where there is none. */
export function languageName(code: string) {
  const name = NAMES.get(code)
  if (name !== undefined) return name
  try {
    return new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' }).of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}

/** All of them by name. */
export const LANGUAGES = [...NAMES].map(([code, name]) => ({ code, name }))

/** Whether two tags name one language, regions aside. */
export const isSameLanguage = (one: string, other: string) => one.split(/[-_]/)[0]?.toLowerCase() === other.split(/[-_]/)[0]?.toLowerCase()
