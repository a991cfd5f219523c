// Chooses the sound that is the reference of a speaker's voice. Pure.
import type { DubLine } from '#control-plane/features/dubbing/store/line.ts'

/** Microseconds. */
export type ReferenceSpan = { readonly startUs: number; readonly endUs: number }
export type ReferenceCandidate = ReferenceSpan & { readonly speakerId: string; readonly lines: readonly DubLine[] }

const SHORTEST_US = 3_000_000
const LONGEST_US = 15_000_000
const WANTED_US = 8_000_000
/** Lines that are not further apart are one stretch of speech. */
const JOINED_US = 500_000
/** Speech of another person that is nearer may be recognised in it. */
const CLEAR_US = 250_000
/** A first choice of this many is measured. */
const MAX_MEASURED = 6

/** Stretches of one speaker away from all other speech, by speaker. */
export function referenceCandidates(lines: readonly DubLine[]): Map<string, ReferenceCandidate[]> {
  const sorted = lines.toSorted((left, right) => left.startUs - right.startUs)
  const stretches: ReferenceCandidate[] = []
  for (const line of sorted) {
    stretches.push({ startUs: line.startUs, endUs: line.endUs, speakerId: line.speakerId, lines: [line] })
    const previous = stretches.at(-2)
    if (!previous || previous.speakerId !== line.speakerId || line.startUs - previous.endUs >= JOINED_US) continue
    if (line.endUs - previous.startUs > LONGEST_US) continue
    stretches.splice(-2, 2, { ...previous, endUs: Math.max(previous.endUs, line.endUs), lines: [...previous.lines, line] })
  }
  const candidates = new Map<string, ReferenceCandidate[]>()
  for (const stretch of stretches) {
    if (!isReferenceLength(stretch) || !isClear(stretch, sorted)) continue
    candidates.set(stretch.speakerId, [...(candidates.get(stretch.speakerId) ?? []), stretch])
  }
  for (const [speaker, found] of candidates)
    candidates.set(speaker, found.toSorted((left, right) => farFromWanted(left) - farFromWanted(right)).slice(0, MAX_MEASURED))
  return candidates
}

export const isReferenceLength = ({ startUs, endUs }: ReferenceSpan): boolean =>
  endUs - startUs >= SHORTEST_US && endUs - startUs <= LONGEST_US

/** True if no other speaker speaks in it or just beside it. `sorted`: by start. */
export const isClear = (span: ReferenceSpan & { readonly speakerId: string }, sorted: readonly DubLine[]): boolean =>
  !sorted.some((line) => line.speakerId !== span.speakerId && line.startUs < span.endUs + CLEAR_US && line.endUs > span.startUs - CLEAR_US)

const farFromWanted = ({ startUs, endUs }: ReferenceSpan): number => Math.abs(endUs - startUs - WANTED_US) / 1e6

export type ReferenceSound = {
  /** dB between the loud and the quiet tenths of it: speech over little noise has much. */
  readonly range: number
  /** Share of samples at full scale. */
  readonly clipped: number
}
const MAX_RANGE = 30
const CLIPPED_WEIGHT = 1_000

/** Higher is better. */
export const referenceScore = (span: ReferenceSpan, { range, clipped }: ReferenceSound): number =>
  Math.min(MAX_RANGE, range) - CLIPPED_WEIGHT * clipped - farFromWanted(span)

const WINDOW_SECONDS = 0.05
const FULL = 0.999

/** `levels`: dB of each twentieth of a second. */
export type ReferencePart = { readonly levels: readonly number[]; readonly clipped: number; readonly samples: number }

/** Measures mono sound, -1 to 1. Parts give the levels of the whole sound if each of them begins at a multiple of a tenth of a second. */
export function referencePart(samples: Float32Array, sampleRate: number): ReferencePart {
  const window = Math.round(WINDOW_SECONDS * sampleRate)
  const levels: number[] = []
  let clipped = 0
  for (let from = 0; from + window <= samples.length; from += window) {
    let sum = 0
    for (let at = from; at < from + window; at++) {
      const value = samples[at]!
      sum += value * value
      if (Math.abs(value) >= FULL) clipped++
    }
    levels.push(10 * Math.log10(sum / window + 1e-10))
  }
  return { levels, clipped, samples: samples.length }
}

/** Combines the measures of sound that was measured in parts. */
export function referenceSound(parts: readonly ReferencePart[]): ReferenceSound {
  const levels = parts.flatMap((part) => part.levels).sort((left, right) => left - right)
  if (levels.length === 0) return { range: 0, clipped: 0 }
  const at = (share: number) => levels[Math.floor(share * (levels.length - 1))]!
  const sum = (of: 'clipped' | 'samples') => parts.reduce((total, part) => total + part[of], 0)
  return { range: at(0.9) - at(0.1), clipped: sum('clipped') / sum('samples') }
}

const EDGE_WINDOW_SECONDS = 0.01
/** A cut is as quiet as this much sound around it. */
const EDGE_WINDOWS = 3
/** Farthest moves of a cut, in and out of the stretch: recognisers end words too early rather than too late. */
const MAX_WITHIN_SECONDS = 0.05
export const MAX_AROUND_SECONDS = 0.25

/**
 * Edges of a stretch of speech at which no word is cut, in samples. `samples`: mono, the stretch from `from` to `to` with up to a quarter
 * of a second around it.
 */
export function edgesInPauses(samples: Float32Array, sampleRate: number, from: number, to: number): { from: number; to: number } {
  const width = Math.max(1, Math.round(EDGE_WINDOW_SECONDS * sampleRate))
  const powers: number[] = []
  for (let at = 0; at + width <= samples.length; at += width) {
    let sum = 0
    for (let i = at; i < at + width; i++) sum += samples[i]! ** 2
    powers.push(sum / width)
  }
  const quietest = (near: number, least: number, most: number): number => {
    let [best, lowest] = [near, Number.POSITIVE_INFINITY]
    for (let window = Math.max(0, Math.ceil(least / width)); window + EDGE_WINDOWS <= Math.min(powers.length, most / width); window++) {
      const middle = (window + EDGE_WINDOWS / 2) * width
      let sum = 0
      for (let i = window; i < window + EDGE_WINDOWS; i++) sum += powers[i]!
      if (sum < lowest || (sum === lowest && Math.abs(middle - near) < Math.abs(best - near))) [best, lowest] = [Math.round(middle), sum]
    }
    return best
  }
  const [inside, outside] = [MAX_WITHIN_SECONDS * sampleRate, MAX_AROUND_SECONDS * sampleRate]
  return { from: quietest(from, from - outside, from + inside), to: quietest(to, to - inside, to + outside) }
}
