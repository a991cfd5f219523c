// The discrete Fourier transform of sizes such as 6144 and 7680, which separation networks were trained with: the odd factors are taken out one
// by one, and what is left is a power of two.
import { createFft, type Fft } from './fft.ts'

const ODD = [3, 5, 7]

/** `size` is 2 or more and made of the factors 2, 3, 5 and 7, with 2 at least once; any other throws a RangeError. */
export function createMixedFft(size: number): Fft {
  const factor = ODD.find((odd) => size % odd === 0)
  if (factor === undefined || !(size >= 2)) return createFft(size)
  const length = size / factor
  const inner = createMixedFft(length)
  const cosine = Float64Array.from({ length: size }, (_, i) => Math.cos((2 * Math.PI * i) / size))
  const sine = Float64Array.from({ length: size }, (_, i) => Math.sin((2 * Math.PI * i) / size))
  // The small transform of `factor` points: what stands as far from its beginning as from its end shares the same angles, so half is enough.
  const half = (factor - 1) / 2
  const angle = (i: number) => (2 * Math.PI * (Math.floor(i / half) + 1) * ((i % half) + 1)) / factor
  const rootCosine = Float64Array.from({ length: half * half }, (_, i) => Math.cos(angle(i)))
  const rootSine = Float64Array.from({ length: half * half }, (_, i) => Math.sin(angle(i)))
  const reals = Array.from({ length: factor }, () => new Float64Array(length))
  const imaginaries = Array.from({ length: factor }, () => new Float64Array(length))
  const r = new Float64Array(factor)
  const m = new Float64Array(factor)
  // Sums and differences of the two that share their angles.
  const [sumR, sumM] = [new Float64Array(half), new Float64Array(half)]
  const [lessR, lessM] = [new Float64Array(half), new Float64Array(half)]

  const forward = (real: Float64Array, imaginary: Float64Array): void => {
    for (let part = 0; part < factor; part++) {
      const [partReal, partImaginary] = [reals[part]!, imaginaries[part]!]
      for (let i = 0, at = part; i < length; i++, at += factor) {
        partReal[i] = real[at]!
        partImaginary[i] = imaginary[at]!
      }
      inner.forward(partReal, partImaginary)
    }
    const [firstReal, firstImaginary] = [reals[0]!, imaginaries[0]!]
    for (let k = 0; k < length; k++) {
      for (let part = 1; part < factor; part++) {
        const c = cosine[part * k]!
        const s = sine[part * k]!
        const a = reals[part]![k]!
        const b = imaginaries[part]![k]!
        r[part] = a * c + b * s
        m[part] = b * c - a * s
      }
      const baseR = firstReal[k]!
      const baseM = firstImaginary[k]!
      let allR = baseR
      let allM = baseM
      for (let one = 0; one < half; one++) {
        const other = factor - 1 - one
        sumR[one] = r[one + 1]! + r[other]!
        sumM[one] = m[one + 1]! + m[other]!
        lessR[one] = r[one + 1]! - r[other]!
        lessM[one] = m[one + 1]! - m[other]!
        allR += sumR[one]!
        allM += sumM[one]!
      }
      real[k] = allR
      imaginary[k] = allM
      for (let q = 0, root = 0; q < half; q++) {
        let evenR = baseR
        let evenM = baseM
        let oddR = 0
        let oddM = 0
        for (let one = 0; one < half; one++, root++) {
          const c = rootCosine[root]!
          const s = rootSine[root]!
          evenR += sumR[one]! * c
          evenM += sumM[one]! * c
          oddR += lessM[one]! * s
          oddM += lessR[one]! * s
        }
        const up = k + (q + 1) * length
        const down = k + (factor - 1 - q) * length
        real[up] = evenR + oddR
        imaginary[up] = evenM - oddM
        real[down] = evenR - oddR
        imaginary[down] = evenM + oddM
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
