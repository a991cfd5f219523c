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
      const [r, m] = [real[i]!, imaginary[i]!]
      real[i] = real[j]!
      imaginary[i] = imaginary[j]!
      real[j] = r
      imaginary[j] = m
    }
    for (let half = 1; half < size; half *= 2) {
      const stride = size / (2 * half)
      for (let start = 0; start < size; start += 2 * half) {
        for (let k = 0; k < half; k++) {
          const [a, b] = [start + k, start + k + half]
          const [c, s] = [cosine[k * stride]!, sine[k * stride]!]
          const r = real[b]! * c + imaginary[b]! * s
          const m = imaginary[b]! * c - real[b]! * s
          real[b] = real[a]! - r
          imaginary[b] = imaginary[a]! - m
          real[a]! += r
          imaginary[a]! += m
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
