// Conversion between single precision and the 16-bit half precision of graphs. Not every supported Node version has Float16Array.

const INFINITE = 0x7c00
let widened: Float32Array | null = null

function widen(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const [exponent, fraction] = [(bits >> 10) & 31, bits & 1023]
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
}

/** Exact. */
export function fromHalf(bits: Uint16Array): Float32Array {
  widened ??= Float32Array.from({ length: 0x10000 }, (_, each) => widen(each))
  const table = widened
  const values = new Float32Array(bits.length)
  for (let at = 0; at < bits.length; at++) values[at] = table[bits[at]!]!
  return values
}

/** Rounds to nearest, ties to even, as IEEE 754. Values that are too large become infinite. */
export function toHalf(values: Float32Array): Uint16Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, values.length)
  const one = new Float32Array(1)
  const oneWord = new Uint32Array(one.buffer)
  const bits = new Uint16Array(values.length)
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const size = word & 0x7fff_ffff
    let half: number
    if (size > 0x7f80_0000) half = INFINITE | 0x200
    else if (size >= 0x477f_f000) half = INFINITE
    else if (size < 0x3880_0000) {
      // Subnormal: near 0.5 a float has steps of exactly this size, so the addition rounds.
      one[0] = Math.abs(values[at]!) + 0.5
      half = oneWord[0]! - 0x3f00_0000
    } else half = (size - 0x3800_0000 + 0xfff + ((size >>> 13) & 1)) >>> 13
    bits[at] = ((word >>> 16) & 0x8000) | half
  }
  return bits
}
