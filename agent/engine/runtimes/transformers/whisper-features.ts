// The log-mel spectrogram of Whisper, as WhisperFeatureExtractor computes it, for the frames that have sound only. Pure.
import { createFft } from '#shared/audio/fft/fft.ts'

const SIZE = 400
const HOP = 160
const BINS = SIZE / 2 + 1
const FLOOR = 1e-10
/** The logarithm of the power is at most this far below the loudest one. */
const RANGE = 8

/** `filters`: of each mel band, the weights of the bins of the spectrum. Returns [bands, frames] in a row. */
export function createLogMel(filters: readonly ArrayLike<number>[], frames: number): (samples: Float32Array) => Float32Array {
  const bands = filters.map((weights) => {
    const used = Array.from({ length: BINS }, (_, bin) => bin).filter((bin) => weights[bin]! !== 0)
    const first = used[0] ?? 0
    return {
      first,
      weights: Float64Array.from({ length: used.length === 0 ? 0 : used.at(-1)! + 1 - first }, (_, at) => weights[first + at]!),
    }
  })
  const fft = createFft(SIZE)
  const hann = Float64Array.from({ length: SIZE }, (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / SIZE))
  const [real, imaginary] = [new Float64Array(SIZE), new Float64Array(SIZE)]
  const power = new Float64Array(BINS)

  return (samples) => {
    // Mirrored at both ends of the window.
    const last = frames * HOP - 1
    const sampleAt = (at: number) => samples[at > last ? 2 * last - at : Math.abs(at)] ?? 0
    const read = (frame: number, to: Float64Array) => {
      const from = frame * HOP - SIZE / 2
      for (let at = 0; at < SIZE; at++) to[at] = sampleAt(from + at) * hann[at]!
    }
    const mel = new Float32Array(bands.length * frames).fill(Math.log10(FLOOR))
    const sounding = Math.min(frames, Math.ceil((samples.length + SIZE / 2) / HOP) + 1)
    const write = (frame: number) => {
      for (const [band, { first, weights }] of bands.entries()) {
        let sum = 0
        for (let at = 0; at < weights.length; at++) sum += weights[at]! * power[first + at]!
        mel[band * frames + frame] = Math.log10(Math.max(FLOOR, sum))
      }
    }
    // Two frames share one transform: the second one is its imaginary part.
    for (let frame = 0; frame < sounding; frame += 2) {
      read(frame, real)
      read(frame + 1, imaginary)
      fft.forward(real, imaginary)
      for (const isSecond of [false, true]) {
        if (isSecond && frame + 1 >= sounding) break
        const sign = isSecond ? -1 : 1
        for (let bin = 0; bin < BINS; bin++) {
          const mirror = (SIZE - bin) % SIZE
          const even = real[bin]! + sign * real[mirror]!
          const odd = imaginary[bin]! - sign * imaginary[mirror]!
          power[bin] = (even * even + odd * odd) / 4
        }
        write(isSecond ? frame + 1 : frame)
      }
    }
    const least = mel.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY) - RANGE
    return mel.map((value) => (Math.max(least, value) + 4) / 4)
  }
}
