// The short-time Fourier transform for MDX networks, as PyTorch computes it: periodic Hann window, centred frames, mirrored edges. A
// complex transform handles two real signals at once: both channels, or two frames of one channel.

import type { Stereo } from '#agent/engine/separate/network/windows.ts'
import { createFft } from '#shared/audio/fft/fft.ts'

export type Geometry = {
  readonly fftSize: number
  readonly hop: number
  /** Number of the lowest bins, of fftSize / 2 + 1, that the network uses; the other bins of its output are silent. */
  readonly bins: number
  readonly frames: number
}
export type Spectrum = {
  /** Samples per channel for exactly `frames` frames. */
  readonly length: number
  /** [4, bins, frames]: real and imaginary part of the left channel, then of the right. */
  readonly analyse: (sound: Stereo) => Float32Array
  /** The mono mix of both channels. */
  readonly synthesise: (values: Float32Array) => Float32Array
}

export function createSpectrum({ fftSize, hop, bins, frames }: Geometry): Spectrum {
  const { forward, inverse } = createFft(fftSize)
  const half = fftSize / 2
  const length = hop * (frames - 1)
  const plane = bins * frames
  const window = Float64Array.from({ length: fftSize }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / fftSize))
  // One extra frame at the end for the silent partner of an odd last frame.
  const weight = new Float64Array(length + hop + fftSize)
  for (let frame = 0; frame < frames; frame++) for (let i = 0; i < fftSize; i++) weight[frame * hop + i]! += window[i]! ** 2
  const real = new Float64Array(fftSize)
  const imaginary = new Float64Array(fftSize)
  /** Adds half a frame on both sides by reflection. */
  function withEdges(channel: Float32Array): Float32Array {
    const extended = new Float32Array(length + fftSize)
    extended.set(channel, half)
    for (let i = 1; i <= half; i++) {
      extended[half - i] = channel[i]!
      extended[half + length - 1 + i] = channel[length - 1 - i]!
    }
    return extended
  }
  function loadFrame(edged: Float32Array, frame: number, into: Float64Array): void {
    for (let i = 0, from = frame * hop; i < fftSize; i++, from++) into[i] = edged[from]! * window[i]!
  }
  /** Splits two signals that were transformed together. `first`, `second`: their offsets of plane and frame in bin 0. */
  function storePair(values: Float32Array, first: number, second: number): void {
    for (let bin = 0, at = 0; bin < bins; bin++, at += frames) {
      const other = bin === 0 ? 0 : fftSize - bin
      const r = real[bin]!
      const m = imaginary[bin]!
      const otherR = real[other]!
      const otherM = imaginary[other]!
      values[first + at] = (r + otherR) / 2
      values[first + plane + at] = (m - otherM) / 2
      values[second + at] = (m + otherM) / 2
      values[second + plane + at] = (otherR - r) / 2
    }
  }

  function analyse([left, right]: Stereo): Float32Array {
    const values = new Float32Array(4 * plane)
    const isMono = areEqual(left, right)
    const one = withEdges(left)
    const other = isMono ? one : withEdges(right)
    for (let frame = 0; frame < frames; frame += isMono ? 2 : 1) {
      // An odd last frame is its own partner.
      const partner = isMono ? Math.min(frame + 1, frames - 1) : frame
      loadFrame(one, frame, real)
      loadFrame(other, partner, imaginary)
      forward(real, imaginary)
      storePair(values, frame, isMono ? partner : 2 * plane + frame)
    }
    if (isMono) values.copyWithin(2 * plane, 0, 2 * plane)
    return values
  }

  function synthesise(values: Float32Array): Float32Array {
    const sum = new Float64Array(length + hop + fftSize)
    const above = Math.min(bins, half)
    for (let frame = 0; frame < frames; frame += 2) {
      const hasNext = frame + 1 < frames ? 1 : 0
      real.fill(0, above, fftSize - above + 1)
      imaginary.fill(0, above, fftSize - above + 1)
      // The first and the middle bin of a real signal are real.
      for (let bin = 0; bin < bins; bin += half) {
        const at = bin * frames + frame
        real[bin] = (values[at]! + values[2 * plane + at]!) / 2
        imaginary[bin] = (hasNext * (values[at + hasNext]! + values[2 * plane + at + hasNext]!)) / 2
      }
      for (let bin = 1, at = frames + frame; bin < above; bin++, at += frames) {
        const next = at + hasNext
        const r = (values[at]! + values[2 * plane + at]!) / 2
        const m = (values[plane + at]! + values[3 * plane + at]!) / 2
        const nextR = (hasNext * (values[next]! + values[2 * plane + next]!)) / 2
        const nextM = (hasNext * (values[plane + next]! + values[3 * plane + next]!)) / 2
        real[bin] = r - nextM
        imaginary[bin] = m + nextR
        real[fftSize - bin] = r + nextM
        imaginary[fftSize - bin] = nextR - m
      }
      inverse(real, imaginary)
      for (let i = 0, at = frame * hop; i < fftSize; i++, at++) {
        const gain = window[i]!
        sum[at]! += real[i]! * gain
        sum[at + hop]! += imaginary[i]! * gain
      }
    }
    const sound = new Float32Array(length)
    for (let i = 0; i < length; i++) sound[i] = sum[i + half]! / weight[i + half]!
    return sound
  }
  return { length, analyse, synthesise }
}

function areEqual(one: Float32Array, other: Float32Array): boolean {
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false
  return true
}
