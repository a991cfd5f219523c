// @ts-check
// Languages by their English names. Pure.

/** What most films are dubbed into, by code. The studio says which of them it cannot translate. */
const CODES =
  'af ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko lt lv mk ml mn mr ms mt my nb ne nl nn pa pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh zu'
const NAMES = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' })

/** The English name of a language; the code itself where there is none. @param {string} code */
export function languageName(code) {
  try {
    return NAMES.of(code.replaceAll('_', '-')) ?? code
  } catch {
    return code
  }
}

/** All of them by name. @type {readonly { code: string, name: string }[]} */
export const LANGUAGES = CODES.split(' ')
  .map((code) => ({ code, name: languageName(code) }))
  .sort((one, other) => one.name.localeCompare(other.name, 'en'))

/** Whether two tags name one language, regions aside. @param {string} one @param {string} other */
export const isSameLanguage = (one, other) => one.split(/[-_]/)[0]?.toLowerCase() === other.split(/[-_]/)[0]?.toLowerCase()
