// What is done to samples before a voice is learnt from them and after speech was made: level, silences, edges. Pure.

import { concat } from '#shared/audio/stage.ts'

const WINDOW_SECONDS = 0.01

export function rmsOf(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  return samples.length === 0 ? 0 : Math.sqrt(sum / samples.length)
}

export function peakOf(samples: Float32Array): number {
  let peak = 0
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample))
  return peak
}

export const scaled = (samples: Float32Array, gain: number): Float32Array => (gain === 1 ? samples : samples.map((sample) => sample * gain))

export type Silence = { readonly from: number; readonly to: number }

/** Runs of at least `atLeastMs` in which no window of 10 ms is louder than `thresholdDb` of full scale; in samples. */
export function silences(samples: Float32Array, rate: number, thresholdDb: number, atLeastMs: number): Silence[] {
  const window = Math.max(1, Math.round(rate * WINDOW_SECONDS))
  const limit = 10 ** (thresholdDb / 20)
  const found: Silence[] = []
  let from = -1
  for (let at = 0; at < samples.length; at += window) {
    const end = Math.min(at + window, samples.length)
    const isSilent = rmsOf(samples.subarray(at, end)) <= limit
    if (isSilent && from < 0) from = at
    const stop = isSilent ? end : at
    if (from >= 0 && (!isSilent || end === samples.length)) {
      if ((stop - from) * 1000 >= atLeastMs * rate) found.push({ from, to: stop })
      from = -1
    }
  }
  return found
}

export type Shortening = { readonly midMs: number; readonly leadMs: number; readonly trailMs: number }

/** Silences below -50 dB: those inside keep `midMs`, half on each side, those at the edges what is said. All silence becomes nothing. */
export function shortenSilences(samples: Float32Array, rate: number, { midMs, leadMs, trailMs }: Shortening): Float32Array {
  const of = (ms: number) => Math.round((ms * rate) / 1000)
  const kept: Float32Array[] = []
  let at = 0
  for (const { from, to } of silences(samples, rate, -50, 10)) {
    const isFirst = from === 0
    const isLast = to === samples.length
    if (isFirst && isLast) return samples.subarray(0, 0)
    const [before, after] = isFirst ? [0, of(leadMs)] : isLast ? [of(trailMs), 0] : [of(midMs / 2), of(midMs / 2)]
    if (to - from <= before + after) continue
    kept.push(samples.subarray(at, from + before))
    at = to - after
  }
  return kept.length === 0 ? samples : concat([...kept, samples.subarray(at)])
}

/** Linear ramps at both ends; in place. A sound shorter than both ramps together gets shorter ones. */
export function fadeEdges(samples: Float32Array, rate: number, seconds: number): Float32Array {
  const ramp = Math.min(Math.round(rate * seconds), Math.floor(samples.length / 2))
  for (let at = 0; at < ramp; at++) {
    const gain = at / ramp
    samples[at]! *= gain
    samples[samples.length - 1 - at]! *= gain
  }
  return samples
}

const QUIET_RMS = 0.1
const OUTPUT_PEAK = 0.5
/** Above it a sound would be clipped on its way out. */
const HIGHEST_PEAK = 0.99

/** What a chunk is multiplied with: a quiet reference is matched, without one the first chunk's peak decides for all. */
export function outputGain(referenceRms: number | null, firstPeak: number, peak: number): number {
  const wanted = referenceRms === null ? (firstPeak > 1e-6 ? OUTPUT_PEAK / firstPeak : 1) : referenceGain(referenceRms) ** -1
  return peak * wanted > HIGHEST_PEAK ? HIGHEST_PEAK / peak : wanted
}

/** What a reference is multiplied with before it is encoded: quiet ones are brought to the level the model was trained on. */
export const referenceGain = (rms: number): number => (rms > 0 && rms < QUIET_RMS ? QUIET_RMS / rms : 1)
