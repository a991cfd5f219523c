// Judges the plausibility of rendered segments, and joins segments to a chapter. Pure.
import { createTruePeakLimiter } from '#shared/audio/master/true-peak-limiter.ts'
import { fromS16 } from '#shared/audio/pcm.ts'
import { concat, multiplied } from '#shared/audio/stage.ts'

/** Share of full scale below which sound counts as silence: -50 dBFS. */
const SILENCE = 10 ** (-50 / 20)
/** Kept around the audible part of a segment. */
const MARGIN_MS = 60
const SHORTEST_SHARE = 0.3
const LONGEST_SHARE = 2.5
/** Short texts vary more. */
const SLACK_SECONDS = 2
const MAX_OFFSET = 0.1

/** Distance of a segment from a plausible one: 0 is plausible, and larger is worse. `seconds`: as predicted from its text. */
export function doubtOf(samples: Float32Array, sampleRate: number, seconds: number): number {
  let peak = 0
  let sum = 0
  for (const sample of samples) {
    peak = Math.max(peak, Math.abs(sample))
    sum += sample
  }
  if (samples.length === 0 || peak < SILENCE) return 1_000
  if (Math.abs(sum / samples.length) > MAX_OFFSET) return 100
  const length = samples.length / sampleRate
  if (length > LONGEST_SHARE * seconds + SLACK_SECONDS) return length / seconds
  const shortest = SHORTEST_SHARE * seconds - SLACK_SECONDS / 4
  return length < shortest ? seconds / length : 0
}

/** The audible part of s16le mono with a margin; empty for silence. */
export function trimmed(pcm: Uint8Array, sampleRate: number): Float32Array {
  const samples = fromS16(pcm)
  let start = 0
  while (start < samples.length && Math.abs(samples[start]!) < SILENCE) start++
  let end = samples.length
  while (end > start && Math.abs(samples[end - 1]!) < SILENCE) end--
  if (end === start) return new Float32Array(0)
  const margin = Math.round((MARGIN_MS * sampleRate) / 1000)
  return samples.subarray(Math.max(0, start - margin), Math.min(samples.length, end + margin))
}

/** Share of full scale that a gain may lift peaks to: -1 dBTP. */
const CEILING = 10 ** (-1 / 20)

/** The samples with a gain in decibels. Peaks that it would lift beyond full scale are limited. */
export function amplified(samples: Float32Array, gainDb: number, sampleRate: number): Float32Array {
  if (gainDb === 0) return samples
  const gain = 10 ** (gainDb / 20)
  const louder = multiplied(samples, gain)
  if (gain < 1 || louder.every((sample) => Math.abs(sample) <= CEILING)) return louder
  const limiter = createTruePeakLimiter(CEILING, sampleRate)
  return concat([limiter.push(louder), limiter.flush()])
}
