// Between sound and what an MDX network reads: the short-time Fourier transform of two channels, as PyTorch computes it with a periodic Hann
// window, centred frames and mirrored edges. Both channels go through one transform, one as its real and one as its imaginary part.
import { createMixedFft } from '#shared/audio/mixed-fft.ts'
import type { Stereo } from '../separation/windows.ts'

export type Geometry = {
  readonly fftSize: number
  readonly hop: number
  /** The lowest of the fftSize / 2 + 1 bins, which are all that the network reads; the others are silent in what it gives. */
  readonly bins: number
  readonly frames: number
}
export type Spectrum = {
  /** Samples of a channel that make exactly `frames` frames. */
  readonly length: number
  /** [4, bins, frames]: real and imaginary of the left channel, then of the right. */
  readonly analyse: (sound: Stereo) => Float32Array
  readonly synthesise: (values: Float32Array) => Stereo
}

export function createSpectrum({ fftSize, hop, bins, frames }: Geometry): Spectrum {
  const { forward, inverse } = createMixedFft(fftSize)
  const half = fftSize / 2
  const length = hop * (frames - 1)
  const plane = bins * frames
  const window = Float64Array.from({ length: fftSize }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / fftSize))
  const weight = new Float64Array(length + fftSize)
  for (let frame = 0; frame < frames; frame++) for (let i = 0; i < fftSize; i++) weight[frame * hop + i]! += window[i]! ** 2
  const real = new Float64Array(fftSize)
  const imaginary = new Float64Array(fftSize)
  /** The sample at a place that may lie up to half a frame outside. */
  const mirrored = (at: number) => (at < 0 ? -at : at >= length ? 2 * (length - 1) - at : at)

  function analyse([left, right]: Stereo): Float32Array {
    const values = new Float32Array(4 * plane)
    for (let frame = 0; frame < frames; frame++) {
      for (let i = 0; i < fftSize; i++) {
        const at = mirrored(frame * hop + i - half)
        real[i] = left[at]! * window[i]!
        imaginary[i] = right[at]! * window[i]!
      }
      forward(real, imaginary)
      for (let bin = 0; bin < bins; bin++) {
        const other = bin === 0 ? 0 : fftSize - bin
        const at = bin * frames + frame
        values[at] = (real[bin]! + real[other]!) / 2
        values[plane + at] = (imaginary[bin]! - imaginary[other]!) / 2
        values[2 * plane + at] = (imaginary[bin]! + imaginary[other]!) / 2
        values[3 * plane + at] = (real[other]! - real[bin]!) / 2
      }
    }
    return values
  }

  function synthesise(values: Float32Array): Stereo {
    const sums = [new Float64Array(length + fftSize), new Float64Array(length + fftSize)] as const
    for (let frame = 0; frame < frames; frame++) {
      real.fill(0)
      imaginary.fill(0)
      for (let bin = 0; bin < bins; bin++) {
        const at = bin * frames + frame
        // The first and the middle bin of a real signal have no imaginary part.
        const isReal = bin === 0 || bin === half
        const [lr, li] = [values[at]!, isReal ? 0 : values[plane + at]!]
        const [rr, ri] = [values[2 * plane + at]!, isReal ? 0 : values[3 * plane + at]!]
        real[bin] = lr - ri
        imaginary[bin] = li + rr
        if (isReal) continue
        real[fftSize - bin] = lr + ri
        imaginary[fftSize - bin] = rr - li
      }
      inverse(real, imaginary)
      for (let i = 0, at = frame * hop; i < fftSize; i++, at++) {
        sums[0][at]! += real[i]! * window[i]!
        sums[1][at]! += imaginary[i]! * window[i]!
      }
    }
    const channel = (sum: Float64Array) => Float32Array.from({ length }, (_, i) => sum[i + half]! / weight[i + half]!)
    return [channel(sums[0]), channel(sums[1])]
  }
  return { length, analyse, synthesise }
}
