// Processing of reference recordings and of generated speech: level, silences, edges. Pure.

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

/** Runs of at least `atLeastMs` in which no window of 10 ms is louder than `thresholdDb` dBFS. Positions in samples. */
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

/**
 * Shortens silences below -50 dBFS to `midMs` between sounds, `leadMs` at the start and `trailMs` at the end. A silent input gives no
 * samples.
 */
export function shortenSilences(samples: Float32Array, rate: number, { midMs, leadMs, trailMs }: Shortening): Float32Array {
  const toSamples = (ms: number) => Math.round((ms * rate) / 1000)
  const kept: Float32Array[] = []
  let at = 0
  for (const { from, to } of silences(samples, rate, -50, 10)) {
    const isFirst = from === 0
    const isLast = to === samples.length
    if (isFirst && isLast) return samples.subarray(0, 0)
    const [before, after] = isFirst
      ? [0, toSamples(leadMs)]
      : isLast
        ? [toSamples(trailMs), 0]
        : [toSamples(midMs / 2), toSamples(midMs / 2)]
    if (to - from <= before + after) continue
    kept.push(samples.subarray(at, from + before))
    at = to - after
  }
  return kept.length === 0 ? samples : concat([...kept, samples.subarray(at)])
}

/** Applies linear ramps at both ends, in place. Short inputs get shorter ramps. */
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
/** Louder output would be clipped. */
const MAX_PEAK = 0.99

/** The gain of a chunk: restores the level of a quiet reference; without a reference the peak of the first chunk sets the gain of all. */
export function outputGain(referenceRms: number | null, firstPeak: number, peak: number): number {
  const gain = referenceRms === null ? (firstPeak > 1e-6 ? OUTPUT_PEAK / firstPeak : 1) : referenceGain(referenceRms) ** -1
  return peak * gain > MAX_PEAK ? MAX_PEAK / peak : gain
}

/** The gain of a reference before it is encoded: raises quiet ones to the level of the training data. */
export const referenceGain = (rms: number): number => (rms > 0 && rms < QUIET_RMS ? QUIET_RMS / rms : 1)
