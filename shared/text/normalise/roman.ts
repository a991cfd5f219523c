// Roman numerals. Pure.

const VALUES: Readonly<Record<string, number>> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 }
const WELL_FORMED = /^M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})$/

/** Value from 1 to 3999; null for text that is not a well-formed numeral. */
export function romanValue(text: string): number | null {
  if (text === '' || !WELL_FORMED.test(text)) return null
  let value = 0
  for (let at = 0; at < text.length; at++) {
    const one = VALUES[text[at]!]!
    value += one < (VALUES[text[at + 1] ?? ''] ?? 0) ? -one : one
  }
  return value
}
