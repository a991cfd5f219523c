// The Stockham FFT for sizes with the factors 2, 3 and 5: each stage removes one factor and writes its ordered output into the other of two
// pairs of arrays. It uses plain variables throughout: destructured pairs made it six times slower.

export type Fft = {
  readonly forward: (real: Float64Array, imaginary: Float64Array) => void
  /** Divided by the size, so that it is the inverse of `forward`. */
  readonly inverse: (real: Float64Array, imaginary: Float64Array) => void
}
/** Real and imaginary parts, from one pair to the other; `length` is the remaining size, `stride` the product of the removed factors. */
type Stage = (r: Float64Array, m: Float64Array, toR: Float64Array, toM: Float64Array, length: number, stride: number) => void

/** `size` is at least 2 with the factors 2, 3 and 5 only; throws a RangeError for any other. */
export function createFft(size: number): Fft {
  const factors = factorsOf(size)
  const cosine = Float64Array.from({ length: size }, (_, i) => Math.cos((2 * Math.PI * i) / size))
  const sine = Float64Array.from({ length: size }, (_, i) => -Math.sin((2 * Math.PI * i) / size))
  const share = 1 / size
  const otherR = new Float64Array(size)
  const otherM = new Float64Array(size)

  const two: Stage = (r, m, toR, toM, length, stride) => {
    const part = (length / 2) * stride
    for (let j = 0, at = 0, to = 0; at < part; j += stride, to += stride) {
      const c = cosine[j]!
      const s = sine[j]!
      for (let q = 0; q < stride; q++, at++, to++) {
        const ar = r[at]!
        const am = m[at]!
        const br = r[at + part]!
        const bm = m[at + part]!
        toR[to] = ar + br
        toM[to] = am + bm
        const dr = ar - br
        const dm = am - bm
        toR[to + stride] = dr * c - dm * s
        toM[to + stride] = dr * s + dm * c
      }
    }
  }

  const four: Stage = (r, m, toR, toM, length, stride) => {
    const part = (length / 4) * stride
    const [second, third] = [2 * stride, 3 * stride]
    for (let j = 0, at = 0, to = 0; at < part; j += stride, to += third) {
      const c1 = cosine[j]!
      const s1 = sine[j]!
      const c2 = cosine[2 * j]!
      const s2 = sine[2 * j]!
      const c3 = cosine[3 * j]!
      const s3 = sine[3 * j]!
      for (let q = 0; q < stride; q++, at++, to++) {
        const ar = r[at]! + r[at + 2 * part]!
        const am = m[at]! + m[at + 2 * part]!
        const br = r[at]! - r[at + 2 * part]!
        const bm = m[at]! - m[at + 2 * part]!
        const cr = r[at + part]! + r[at + 3 * part]!
        const cm = m[at + part]! + m[at + 3 * part]!
        // Rotated by 90 degrees.
        const dr = m[at + part]! - m[at + 3 * part]!
        const dm = r[at + 3 * part]! - r[at + part]!
        toR[to] = ar + cr
        toM[to] = am + cm
        toR[to + stride] = (br + dr) * c1 - (bm + dm) * s1
        toM[to + stride] = (br + dr) * s1 + (bm + dm) * c1
        toR[to + second] = (ar - cr) * c2 - (am - cm) * s2
        toM[to + second] = (ar - cr) * s2 + (am - cm) * c2
        toR[to + third] = (br - dr) * c3 - (bm - dm) * s3
        toM[to + third] = (br - dr) * s3 + (bm - dm) * c3
      }
    }
  }

  const half = Math.sqrt(3) / 2
  const three: Stage = (r, m, toR, toM, length, stride) => {
    const part = (length / 3) * stride
    for (let j = 0, at = 0, to = 0; at < part; j += stride, to += 2 * stride) {
      const c1 = cosine[j]!
      const s1 = sine[j]!
      const c2 = cosine[2 * j]!
      const s2 = sine[2 * j]!
      for (let q = 0; q < stride; q++, at++, to++) {
        const sumR = r[at + part]! + r[at + 2 * part]!
        const sumM = m[at + part]! + m[at + 2 * part]!
        const lessR = half * (m[at + part]! - m[at + 2 * part]!)
        const lessM = half * (r[at + 2 * part]! - r[at + part]!)
        const restR = r[at]! - sumR / 2
        const restM = m[at]! - sumM / 2
        toR[to] = r[at]! + sumR
        toM[to] = m[at]! + sumM
        toR[to + stride] = (restR + lessR) * c1 - (restM + lessM) * s1
        toM[to + stride] = (restR + lessR) * s1 + (restM + lessM) * c1
        toR[to + 2 * stride] = (restR - lessR) * c2 - (restM - lessM) * s2
        toM[to + 2 * stride] = (restR - lessR) * s2 + (restM - lessM) * c2
      }
    }
  }

  const [near, far] = [Math.cos((2 * Math.PI) / 5), Math.cos((4 * Math.PI) / 5)]
  const [up, down] = [Math.sin((2 * Math.PI) / 5), Math.sin((4 * Math.PI) / 5)]
  const five: Stage = (r, m, toR, toM, length, stride) => {
    const part = (length / 5) * stride
    for (let j = 0, at = 0, to = 0; at < part; j += stride, to += 4 * stride) {
      for (let q = 0; q < stride; q++, at++, to++) {
        const [first, second, third, fourth] = [at + part, at + 2 * part, at + 3 * part, at + 4 * part]
        const ar = r[first]! + r[fourth]!
        const am = m[first]! + m[fourth]!
        const br = m[first]! - m[fourth]!
        const bm = r[fourth]! - r[first]!
        const cr = r[second]! + r[third]!
        const cm = m[second]! + m[third]!
        const dr = m[second]! - m[third]!
        const dm = r[third]! - r[second]!
        toR[to] = r[at]! + ar + cr
        toM[to] = m[at]! + am + cm
        const eR = r[at]! + near * ar + far * cr
        const eM = m[at]! + near * am + far * cm
        const fR = up * br + down * dr
        const fM = up * bm + down * dm
        const gR = r[at]! + far * ar + near * cr
        const gM = m[at]! + far * am + near * cm
        const hR = down * br - up * dr
        const hM = down * bm - up * dm
        const put = (k: number, x: number, y: number) => {
          toR[to + k * stride] = x * cosine[k * j]! - y * sine[k * j]!
          toM[to + k * stride] = x * sine[k * j]! + y * cosine[k * j]!
        }
        put(1, eR + fR, eM + fM)
        put(2, gR + hR, gM + hM)
        put(3, gR - hR, gM - hM)
        put(4, eR - fR, eM - fM)
      }
    }
  }
  const stages: Readonly<Record<number, Stage>> = { 2: two, 3: three, 4: four, 5: five }

  const forward = (real: Float64Array, imaginary: Float64Array): void => {
    let length = size
    for (const [at, factor] of factors.entries()) {
      if (at % 2 === 0) stages[factor]!(real, imaginary, otherR, otherM, length, size / length)
      else stages[factor]!(otherR, otherM, real, imaginary, length, size / length)
      length /= factor
    }
    if (factors.length % 2 === 0) return
    real.set(otherR)
    imaginary.set(otherM)
  }
  const inverse = (real: Float64Array, imaginary: Float64Array): void => {
    forward(imaginary, real) // swapping the parts reverses the direction
    for (let i = 0; i < size; i++) {
      real[i]! *= share
      imaginary[i]! *= share
    }
  }
  return { forward, inverse }
}

function factorsOf(size: number): number[] {
  const factors: number[] = []
  let left = size
  for (const factor of [4, 2, 3, 5]) for (; left % factor === 0 && left >= factor; left /= factor) factors.push(factor)
  if (left !== 1 || size < 2) throw new RangeError(`an FFT of ${size} points is not possible: it has factors other than 2, 3 and 5`)
  return factors
}
