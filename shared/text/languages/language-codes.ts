// Codes of languages in files of sound and video.
import { iso6393To1 } from 'iso-639-3/iso6393-to-1.js'
import { iso6393To2B } from 'iso-639-3/iso6393-to-2b.js'

const FROM_TWO = new Map(Object.entries(iso6393To1).map(([three, two]) => [two, three]))
const FROM_LIBRARY = new Map(Object.entries(iso6393To2B).map(([three, library]) => [library, three]))

/** The ISO 639-3 code of a BCP 47 tag or a code of two or three letters: `spa` for `es-MX`. Null for anything else, and for an unknown language. */
export function threeLetterCode(tag: string): string | null {
  const language = /^[a-z]{2,3}(?=$|[-_])/i.exec(tag)?.[0].toLowerCase()
  if (language === undefined || language === 'und') return null
  return language.length === 2 ? (FROM_TWO.get(language) ?? null) : (FROM_LIBRARY.get(language) ?? language)
}
