// Chance that can be repeated: xoshiro128**, 32 bits at a time, from one number. For sampling, never for secrets.

/** Numbers in [0, 1), the same for the same seed on every machine. */
export function createXoshiro(seed: number): () => number {
  // Neighbouring seeds must not give neighbouring streams, so each word of the state is a mixed one.
  let mix = seed >>> 0
  const word = () => {
    mix = (mix + 0x9e3779b9) >>> 0
    let z = mix
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
    return (z ^ (z >>> 16)) >>> 0
  }
  let [a, b, c, d] = [word(), word(), word(), word()]
  return () => {
    const scrambled = Math.imul(b, 5)
    const drawn = Math.imul((scrambled << 7) | (scrambled >>> 25), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return drawn / 0x1_0000_0000
  }
}
