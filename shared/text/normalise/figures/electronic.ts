// E-mail addresses, web addresses, names behind @ and words behind #, as people read them aloud. Pure.
import { sayDigits } from '../amounts.ts'
import type { Language } from '../language.ts'
import { matchAt, type Replacement } from '../match.ts'

const EMAIL = /[\p{L}\d][\p{L}\d._%+&-]{0,63}@[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,4}/uy
const WITH_SCHEME = /(?:https?|ftp|file):\/\/[^\s<>"'()[\]{}|]{1,400}/iy
/** An address without a scheme: known by "www." or by the end of its name. */
const WITHOUT_SCHEME =
  /(?:www\.[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63}){1,4}|[\p{L}\d][\p{L}\d-]{0,62}(?:\.[\p{L}\d-]{1,63}){0,3}\.(?:com|org|net|edu|gov|info|dev|app|io|ai|tv|co\.uk|uk|de|fr|es|it|pt|br|nl|pl|ru|ch|at|eu|jp|cn|ca|au))(?:\/[^\s<>"'()[\]{}|]{0,300})?(?![\p{L}\p{M}\d])/iuy
const HANDLE = /@[\p{L}\d_]{1,40}(?:\.[\p{L}\d_]{1,40})?/uy
const HASHTAG = /#(?=[\p{L}\d_]{0,39}\p{L})[\p{L}\d_]{1,40}/uy
/** Marks that end the sentence around an address. */
const TRAILING = '.,;:!?…'
const TOKEN = /\p{L}+|\d+|[^\p{L}\d]/gu
const VOWEL = /[aeiouyäöüáéíóúàèìòùâêîôûãõåæøœ]/i
/** A name with plus signs behind it, or a letter with a sharp: C++, Disney+, C#. */
const SIGNED = /\p{L}[\p{L}\p{M}]{0,20}(?:\+\+(?![\p{L}\p{M}+#])|\+(?![\p{L}\p{M}\p{N}+#]))|[A-Ga-gJj]#(?![\p{L}\p{M}\p{N}+#])/uy
/** Words of capitals within a name: "OpenSourceDay". */
const HUMPS = /\p{Lu}?\p{Ll}{1,40}|\p{Lu}{1,40}(?!\p{Ll})|\d{1,40}/gu

function withoutTrailing(text: string): string {
  let end = text.length
  while (end > 0 && TRAILING.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** A run of letters as a word, or letter by letter if it has no vowel or is the short end of a name. */
function sayLetters(letters: string, isEnd: boolean): string {
  const isWord = letters.length > 2 && VOWEL.test(letters)
  return isWord && !(isEnd && letters.length < 3) ? letters : Array.from(letters.toUpperCase()).join('-')
}

function sayTokens(text: string, language: Language): string {
  const tokens = text.match(TOKEN) ?? []
  const words = tokens.map((token, index) => {
    if (/\d/.test(token)) return sayDigits(token, language)
    if (/\p{L}/u.test(token)) return token === 'com' ? 'com' : sayLetters(token, tokens[index - 1] === '.')
    return Object.hasOwn(language.marks, token) ? language.marks[token]! : ''
  })
  return words.filter((word) => word !== '').join(' ')
}

/** An address, a name or a hashtag at `at`, where a word starts or a sign stands; null if there is none. */
export function sayElectronic(text: string, at: number, language: Language): Replacement | null {
  const char = text[at]!
  if (char === '@' || char === '#') return saySign(text, at, language)
  const found = matchAt(EMAIL, text, at) ?? matchAt(WITH_SCHEME, text, at) ?? matchAt(WITHOUT_SCHEME, text, at)
  if (!found) return null
  const address = withoutTrailing(found[0])
  return { words: sayTokens(address, language), end: at + address.length }
}

/** Signs that belong to the name before them; null without any. */
export function saySigned(text: string, at: number, { marks }: Language): Replacement | null {
  const found = matchAt(SIGNED, text, at)?.[0]
  if (found === undefined || marks['+'] === undefined) return null
  const name = found.replace(/[+#]{1,2}$/, '')
  const signs = Array.from(found.slice(name.length), (sign) => (sign === '#' ? 'sharp' : marks['+']))
  return { words: [name, ...signs].join(' '), end: at + found.length }
}

function saySign(text: string, at: number, language: Language): Replacement | null {
  if (/[\p{L}\p{M}\d]$/u.test(text.slice(Math.max(0, at - 2), at))) return null
  const found = matchAt(text[at] === '@' ? HANDLE : HASHTAG, text, at)
  if (!found) return null
  const name = withoutTrailing(found[0].slice(1))
  const words = (name.match(HUMPS) ?? []).map((part) => (/\d/.test(part) ? sayDigits(part, language) : part))
  return { words: `${language.marks[text[at]!]} ${words.join(' ')}`, end: at + 1 + name.length }
}
