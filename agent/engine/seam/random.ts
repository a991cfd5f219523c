// Seeded random numbers for engines: xoshiro128**. An engine uses no other source of randomness, so the same seed on the same device in the
// same precision gives the same bytes.

export type SeededRandom = {
  /** A number in [0, 1). */
  readonly unit: () => number
  /** Standard normal. */
  readonly gaussian: () => number
}

/** `stream` selects one of many independent sequences of a seed, such as one per piece of a text. */
export function seededRandom(seed: number, stream = 0): SeededRandom {
  // splitmix32 spreads the seed over the state, so that seeds that differ in one bit do not give similar sequences.
  let mix = (seed ^ Math.imul(stream + 1, 0x85eb_ca6b)) >>> 0
  const spread = () => {
    mix = (mix + 0x9e37_79b9) >>> 0
    let z = mix
    z = Math.imul(z ^ (z >>> 16), 0x21f0_aaad)
    z = Math.imul(z ^ (z >>> 15), 0x735a_2d97)
    return (z ^ (z >>> 15)) >>> 0
  }
  let a = spread()
  let b = spread()
  let c = spread()
  let d = spread() | 1 // the generator cannot leave the all-zero state
  const rotate = (x: number, by: number) => (x << by) | (x >>> (32 - by))
  const bits = (): number => {
    const out = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return out
  }
  const unit = () => bits() / 2 ** 32
  let spare: number | null = null
  return {
    unit,
    gaussian() {
      if (spare !== null) {
        const kept = spare
        spare = null
        return kept
      }
      const radius = Math.sqrt(-2 * Math.log(1 - unit()))
      const angle = 2 * Math.PI * unit()
      spare = radius * Math.sin(angle)
      return radius * Math.cos(angle)
    },
  }
}
