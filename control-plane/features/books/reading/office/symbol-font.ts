// Characters of the font Symbol, whose letters are Greek. Pure.

const CAPITALS = 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'
const SMALL = 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'
const [PRIVATE_USE, LETTER_A, LETTER_Z] = [0xf000, 0x41, 0x7a]

/** The Greek letter of a code of the font; empty for its ornaments. `code`: 0x20 to 0xff, also in the private use area. */
export function symbolOf(code: number): string {
  const byte = code >= PRIVATE_USE ? code - PRIVATE_USE : code
  if (byte >= 0x20 && byte < LETTER_A) return String.fromCharCode(byte)
  if (byte > LETTER_Z) return ''
  return CAPITALS[byte - LETTER_A] ?? SMALL[byte - 0x61] ?? ''
}
