// Processing of reference recordings and of generated speech: level, silences, edges. Pure.

import { loudnessLimit, loudnessOf, silences } from '#shared/audio/pauses.ts'
import { concat } from '#shared/audio/stage.ts'

const SILENCE_DB = -50
const EDGE_STEP_MS = 10

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

export type Shortening = { readonly midMs: number; readonly leadMs: number; readonly trailMs: number }

/**
 * Cuts out the middle of every silence that is longer than twice `midMs`: `midMs` remain on each side of it. Then the silence at the start is
 * shortened to `leadMs` and the one at the end to `trailMs`. A silent input gives no samples.
 */
export function shortenSilences(samples: Float32Array, rate: number, { midMs, leadMs, trailMs }: Shortening): Float32Array {
  const keep = Math.round((midMs * rate) / 1000)
  const kept: Float32Array[] = []
  let at = 0
  for (const { from, to } of silences(samples, rate, SILENCE_DB, midMs)) {
    const isFirst = from === 0
    const isLast = to === samples.length
    if (isFirst && isLast) return samples.subarray(0, 0)
    const cut = { from: isFirst ? 0 : from + keep, to: isLast ? samples.length : to - keep }
    if (cut.to <= cut.from) continue
    kept.push(samples.subarray(at, cut.from))
    at = cut.to
  }
  return trimEdges(kept.length === 0 ? samples : concat([...kept, samples.subarray(at)]), rate, leadMs, trailMs)
}

function trimEdges(samples: Float32Array, rate: number, leadMs: number, trailMs: number): Float32Array {
  const toSamples = (ms: number) => Math.round((ms * rate) / 1000)
  const step = toSamples(EDGE_STEP_MS)
  const level = loudnessOf(samples)
  const isSilent = (from: number, to: number) => level(from, to) < loudnessLimit(SILENCE_DB)
  let start = 0
  while (start < samples.length && isSilent(start, Math.min(start + step, samples.length))) start += step
  if (start >= samples.length) return samples.subarray(0, 0)
  let end = samples.length
  while (end > 0 && isSilent(Math.max(0, end - step), end)) end -= step
  return samples.subarray(Math.max(0, start - toSamples(leadMs)), Math.min(samples.length, end + toSamples(trailMs)))
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
