// Measurements of audio.
import assert from 'node:assert/strict'
import { createFft } from '#shared/audio/fft/fft.ts'

/** s16le as samples from -1 to 1. */
export const fromPcm = (bytes: Buffer): Float32Array =>
  Float32Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readInt16LE(2 * i) / 2 ** 15)

const peak = (samples: Float32Array): number => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
export const peakDb = (samples: Float32Array): number => 20 * Math.log10(peak(samples))
export const levelDb = (samples: Float32Array): number =>
  10 * Math.log10(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length)

/** The share of the energy between two frequencies. */
export function bandShare(samples: Float32Array, sampleRate: number, fromHz: number, toHz: number): number {
  const size = 2048
  const fft = createFft(size)
  let [inside, all] = [0, 0]
  for (let at = 0; at + size <= samples.length; at += size / 2) {
    const real = Float64Array.from(samples.subarray(at, at + size), (sample, i) => sample * Math.sin((Math.PI * (i + 0.5)) / size))
    const imaginary = new Float64Array(size)
    fft.forward(real, imaginary)
    for (let bin = 0; bin <= size / 2; bin++) {
      const energy = real[bin]! ** 2 + imaginary[bin]! ** 2
      const hz = (bin * sampleRate) / size
      all += energy
      if (hz >= fromHz && hz <= toHz) inside += energy
    }
  }
  return inside / all
}
/** The longest time in seconds in which no sample exceeds -60 dBFS. */
export function longestSilence(samples: Float32Array, sampleRate: number): number {
  let [longest, run] = [0, 0]
  for (const sample of samples) {
    run = Math.abs(sample) < 1e-3 ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest / sampleRate
}

/** Names the first sample that differs. `deepEqual` takes minutes to describe how long arrays differ. */
export function assertSameSamples(found: ArrayLike<number>, wanted: ArrayLike<number>): void {
  assert.equal(found.length, wanted.length, 'the number of samples')
  for (let at = 0; at < wanted.length; at++)
    if (!Object.is(found[at], wanted[at])) assert.fail(`sample ${at} is ${found[at]} instead of ${wanted[at]}`)
}
