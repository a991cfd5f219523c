// Numbers as lists print them. Pure.

const ROMAN: readonly (readonly [number, string])[] = [
  ...([
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
  ] as const),
  ...([
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const),
]
const MOST_ROMAN = 3999
const LETTERS = 26

/** `format`: a name of Word or a letter of OpenDocument; any other is decimal. */
export function numeralOf(value: number, format: string): string {
  switch (format) {
    case 'upperRoman':
    case 'I':
      return romanOf(value).toUpperCase()
    case 'lowerRoman':
    case 'i':
      return romanOf(value)
    case 'upperLetter':
    case 'A':
      return letterOf(value).toUpperCase()
    case 'lowerLetter':
    case 'a':
      return letterOf(value)
  }
  return String(value)
}

function romanOf(value: number): string {
  if (value < 1 || value > MOST_ROMAN) return String(value)
  let [left, text] = [value, '']
  for (const [size, letter] of ROMAN)
    while (left >= size) {
      text += letter
      left -= size
    }
  return text
}

/** After z come aa, bb. */
const letterOf = (value: number): string =>
  value < 1 || value > LETTERS * 5 ? String(value) : String.fromCharCode(0x61 + ((value - 1) % LETTERS)).repeat(Math.ceil(value / LETTERS))
