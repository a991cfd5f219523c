// The discrete Fourier transform of 2^n points, in place: radix 2, tables made once per size.

export type Fft = {
  readonly forward: (real: Float64Array, imaginary: Float64Array) => void
  /** Divided by the size, so that it undoes `forward`. */
  readonly inverse: (real: Float64Array, imaginary: Float64Array) => void
}

/** `size` is a power of two, at least 2; any other throws a RangeError. */
export function createFft(size: number): Fft {
  if (!(size >= 2) || (size & (size - 1)) !== 0) throw new RangeError(`an FFT of ${size} points is not possible: not a power of two`)
  const cosine = Float64Array.from({ length: size / 2 }, (_, i) => Math.cos((2 * Math.PI * i) / size))
  const sine = Float64Array.from({ length: size / 2 }, (_, i) => Math.sin((2 * Math.PI * i) / size))
  const mirrored = new Uint32Array(size) // the index with its bits in the opposite order
  for (let i = 1; i < size; i++) mirrored[i] = (mirrored[i >> 1]! >> 1) | (i & 1 ? size >> 1 : 0)

  const forward = (real: Float64Array, imaginary: Float64Array): void => {
    for (let i = 0; i < size; i++) {
      const j = mirrored[i]!
      if (j <= i) continue
      const r = real[i]!
      const m = imaginary[i]!
      real[i] = real[j]!
      imaginary[i] = imaginary[j]!
      real[j] = r
      imaginary[j] = m
    }
    // The first stage turns nothing. Plain variables throughout: pairs taken apart cost this six times its time.
    for (let a = 0; a < size; a += 2) {
      const r = real[a + 1]!
      const m = imaginary[a + 1]!
      real[a + 1] = real[a]! - r
      imaginary[a + 1] = imaginary[a]! - m
      real[a]! += r
      imaginary[a]! += m
    }
    for (let half = 2; half < size; half *= 2) {
      const stride = size / (2 * half)
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0, a = start, b = start + half, at = 0; k < half; k++, a++, b++, at += stride) {
          const c = cosine[at]!
          const s = sine[at]!
          const br = real[b]!
          const bm = imaginary[b]!
          const r = br * c + bm * s
          const m = bm * c - br * s
          const ar = real[a]!
          const am = imaginary[a]!
          real[b] = ar - r
          imaginary[b] = am - m
          real[a] = ar + r
          imaginary[a] = am + m
        }
      }
    }
  }
  const inverse = (real: Float64Array, imaginary: Float64Array): void => {
    forward(imaginary, real) // swapping the two parts turns the direction
    for (let i = 0; i < size; i++) {
      real[i]! /= size
      imaginary[i]! /= size
    }
  }
  return { forward, inverse }
}
