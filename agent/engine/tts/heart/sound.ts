// Turns the output of the network into samples, as dsp.py of hibari 0.2.1: a train of pulses at the pitch is filtered by the harmonic part
// of the spectrum, noise is shaped by a second part, a third part has phases of its own, and the inverse STFT adds them. Pure.

import { createFft } from '#shared/audio/fft/fft.ts'
import { cosine, exponential, sine, tangent } from './waves.ts'

export const HEART_SAMPLE_RATE = 24_000
/** Samples of a frame of the network. */
export const HOP = 300
const SIZE = 1_200
export const BINS = SIZE / 2 + 1

/** Hz: lower pitches are unvoiced, and harmonics end at the limit. */
const LOWEST_PITCH = 40
const HIGHEST_HARMONIC = 11_000
/** Above it the exponents would overflow. */
const LOUDEST = 7
/** Divisors up to this size are almost zero: the sum of cosines has its limit there. */
const NEAR_PULSE = 2e-3
const MIN_WEIGHT = 1e-11

/** `bins`: rows of BINS × frames. Log amplitudes of harmonics, noise and the free part; phases of the first and the last. */
export type HeartFrames = {
  readonly frames: number
  /** Hz for each frame, 0 if it is unvoiced. */
  readonly pitch: Float32Array
  readonly harmonics: Float32Array
  /** Half turns before a hyperbolic tangent. */
  readonly turns: Float32Array
  readonly noise: Float32Array
  readonly free: Float32Array
  readonly phases: Float32Array
}

/** Sum of four squared windows that overlap by three quarters. */
const STEADY_WEIGHT = 1.5
const TURN = 2 * Math.PI

/** A periodic Hann window. */
const WINDOW = Float64Array.from({ length: SIZE }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / SIZE))
let fft: ReturnType<typeof createFft> | null = null

/** `frames` × HOP samples. `noise`: standard normal values. */
export function toSound(network: HeartFrames, noise: () => number): Float32Array {
  const { frames } = network
  fft ??= createFft(SIZE)
  const { forward, inverse } = fft
  const pulses = pulsesOf(network.pitch)
  const sums = new Float64Array((frames + SIZE / HOP - 1) * HOP)
  const real = new Float64Array(SIZE)
  const imaginary = new Float64Array(SIZE)
  const first = { real: new Float64Array(BINS), imaginary: new Float64Array(BINS) }
  const second = { real: new Float64Array(BINS), imaginary: new Float64Array(BINS) }
  // Two frames at once: the first is the real part of the transform and the second its imaginary part.
  for (let frame = 0; frame < frames; frame += 2) {
    const isPair = frame + 1 < frames
    let isVoiced = readWindow(pulses, frame, real)
    if (isPair) isVoiced = readWindow(pulses, frame + 1, imaginary) || isVoiced
    else imaginary.fill(0)
    if (isVoiced) forward(real, imaginary)
    for (let bin = 0; bin < BINS; bin++) {
      const mirror = bin === 0 ? 0 : SIZE - bin
      first.real[bin] = (real[bin]! + real[mirror]!) / 2
      first.imaginary[bin] = (imaginary[bin]! - imaginary[mirror]!) / 2
      second.real[bin] = (imaginary[bin]! + imaginary[mirror]!) / 2
      second.imaginary[bin] = (real[mirror]! - real[bin]!) / 2
    }
    shape(network, frame, first, isVoiced, noise)
    if (isPair) shape(network, frame + 1, second, isVoiced, noise)
    else for (const part of [second.real, second.imaginary]) part.fill(0)
    for (let bin = 0; bin < BINS; bin++) {
      const mirror = bin === 0 ? 0 : SIZE - bin
      // The sound is real, so both ends of the spectrum are.
      const isEnd = bin === 0 || bin === BINS - 1
      const own = isEnd ? 0 : first.imaginary[bin]!
      const other = isEnd ? 0 : second.imaginary[bin]!
      real[bin] = first.real[bin]! - other
      imaginary[bin] = own + second.real[bin]!
      real[mirror] = first.real[bin]! + other
      imaginary[mirror] = second.real[bin]! - own
    }
    inverse(real, imaginary)
    addWindow(real, frame, sums)
    if (isPair) addWindow(imaginary, frame + 1, sums)
  }
  return normalised(sums, frames)
}

/** Turns the spectrum of the pulses of a frame into that of its sound. */
function shape(
  { frames, harmonics, turns, noise: hiss, free, phases }: HeartFrames,
  frame: number,
  { real, imaginary }: { readonly real: Float64Array; readonly imaginary: Float64Array },
  isVoiced: boolean,
  noise: () => number,
): void {
  for (let bin = 0, at = frame; bin < BINS; bin++, at += frames) {
    const hissing = exponential(Math.min(hiss[at]!, LOUDEST))
    const rest = exponential(Math.min(free[at]!, LOUDEST))
    const phase = phases[at]! / TURN
    let r = hissing * noise() + rest * cosine(phase)
    let m = hissing * noise() + rest * sine(phase)
    if (isVoiced) {
      const gain = exponential(Math.min(harmonics[at]!, LOUDEST))
      const turn = tangent(turns[at]!) / 2
      const c = gain * cosine(turn)
      const s = gain * sine(turn)
      r += real[bin]! * c - imaginary[bin]! * s
      m += real[bin]! * s + imaginary[bin]! * c
    }
    real[bin] = r
    imaginary[bin] = m
  }
}

/** A sum of cosines at all multiples of the pitch, which is interpolated between the centres of frames. */
function pulsesOf(pitch: Float32Array): Float32Array {
  const samples = new Float32Array(pitch.length * HOP)
  let phase = 0
  for (let at = 0; at < samples.length; at++) {
    const place = (at + 0.5) / HOP - 0.5
    const before = Math.floor(place)
    const share = place - before
    const hertz = pitch[Math.max(0, before)]! * (1 - share) + pitch[Math.min(pitch.length - 1, before + 1)]! * share
    const voiced = Math.max(hertz, LOWEST_PITCH)
    phase += voiced / HEART_SAMPLE_RATE
    phase -= Math.floor(phase)
    if (hertz <= LOWEST_PITCH) continue
    const order = Math.floor(HIGHEST_HARMONIC / voiced) + 0.5
    const divisor = 2 * sine(phase / 2)
    samples[at] = (Math.abs(divisor) <= NEAR_PULSE ? order : sine(order * phase) / divisor) - 0.5
  }
  return samples
}

/** Reads the window around the start of a frame, and returns whether it has a pulse. The sound is reflected at its ends. */
function readWindow(samples: Float32Array, frame: number, into: Float64Array): boolean {
  const from = frame * HOP - SIZE / 2
  const last = samples.length - 1
  let isVoiced = false
  for (let i = 0; i < SIZE; i++) {
    const at = Math.abs(from + i)
    const sample = samples[at > last ? 2 * last - at : at] ?? 0
    into[i] = (sample * WINDOW[i]!) / (SIZE / 4)
    if (sample !== 0) isVoiced = true
  }
  return isVoiced
}

function addWindow(samples: Float64Array, frame: number, sums: Float64Array): void {
  const from = frame * HOP
  for (let i = 0; i < SIZE; i++) sums[from + i]! += samples[i]! * WINDOW[i]!
}

/** Divided by the sum of the squared windows at each sample, without the half window before the first frame. */
function normalised(sums: Float64Array, frames: number): Float32Array {
  const samples = new Float32Array(frames * HOP)
  for (let at = 0; at < samples.length; at++) {
    const place = at + SIZE / 2
    const last = Math.min(frames - 1, Math.floor(place / HOP))
    const first = Math.max(0, Math.floor((place - SIZE) / HOP) + 1)
    let weight = STEADY_WEIGHT
    if (last - first + 1 < SIZE / HOP) {
      weight = 0
      for (let frame = first; frame <= last; frame++) weight += WINDOW[place - frame * HOP]! ** 2
    }
    samples[at] = sums[place]! / Math.max(weight, MIN_WEIGHT)
  }
  return samples
}
