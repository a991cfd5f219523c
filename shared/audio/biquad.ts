// Second-order filters from the Audio EQ Cookbook: high-pass, shelves and peaks.
import { chain, NO_SAMPLES, type Stage } from './stage.ts'

/** `q` is the width of a high-pass or a peak (higher is narrower); shelves have a fixed slope without overshoot. */
export type Filter =
  | { readonly kind: 'high-pass'; readonly hz: number; readonly q?: number }
  | { readonly kind: 'low-shelf' | 'high-shelf'; readonly hz: number; readonly db: number }
  | { readonly kind: 'peak'; readonly hz: number; readonly db: number; readonly q: number }

/** The transfer function of a filter; `a[0]` scales all others. */
export type Weights = { readonly b: readonly [number, number, number]; readonly a: readonly [number, number, number] }

/** One filter without delay. A corner frequency above the range of the sample rate leaves the audio unchanged. */
export function createBiquad(filter: Filter, sampleRate: number): Stage {
  if (isAboveRange(filter, sampleRate)) return { push: (samples) => samples, flush: () => NO_SAMPLES }
  return createSection(weights(filter, (2 * Math.PI * filter.hz) / sampleRate))
}

/** The samples of `createBiquad` with one filter and then the other, in half the time. */
export function createTwoBiquads(one: Filter, other: Filter, sampleRate: number): Stage {
  const filters = [one, other]
  if (filters.some((filter) => isAboveRange(filter, sampleRate))) return chain(filters.map((filter) => createBiquad(filter, sampleRate)))
  const [first, second] = filters.map((filter) => weights(filter, (2 * Math.PI * filter.hz) / sampleRate))
  return createSections(first!, second!)
}

const isAboveRange = (filter: Filter, sampleRate: number): boolean => filter.hz >= 0.45 * sampleRate

/** One second-order section without delay. */
export const createSection = (weights: Weights): Stage => createSections(weights, null)

/**
 * One or two second-order sections without delay. Two in one loop take half the time of two stages, because a section waits for its last result: the
 * processor does the other one meanwhile. The samples are the same.
 */
export function createSections(one: Weights, other: Weights | null): Stage {
  const first = createState(one)
  const second = other && createState(other)
  return {
    push: (samples) => (second ? throughTwo(first, second, samples) : throughOne(first, samples)),
    flush: () => NO_SAMPLES,
  }
}

type Section = {
  readonly b0: number
  readonly b1: number
  readonly b2: number
  readonly a1: number
  readonly a2: number
  s1: number
  s2: number
}
const createState = ({ b, a }: Weights): Section => ({
  ...{ b0: b[0] / a[0], b1: b[1] / a[0], b2: b[2] / a[0], a1: a[1] / a[0], a2: a[2] / a[0] },
  ...{ s1: 0, s2: 0 },
})

// Plain local variables: fields that change with each sample made it four times slower.
function throughOne(section: Section, samples: Float32Array): Float32Array {
  const out = new Float32Array(samples.length)
  const { b0, b1, b2, a1, a2 } = section
  let { s1, s2 } = section
  for (let i = 0; i < out.length; i++) {
    const x = samples[i]!
    const y = b0 * x + s1
    s1 = b1 * x - a1 * y + s2
    s2 = b2 * x - a2 * y
    out[i] = y
  }
  section.s1 = s1
  section.s2 = s2
  return out
}
function throughTwo(first: Section, second: Section, samples: Float32Array): Float32Array {
  const out = new Float32Array(samples.length)
  const { b0, b1, b2, a1, a2 } = first
  const { b0: c0, b1: c1, b2: c2, a1: d1, a2: d2 } = second
  let { s1, s2 } = first
  let { s1: t1, s2: t2 } = second
  for (let i = 0; i < out.length; i++) {
    const x = samples[i]!
    const y = b0 * x + s1
    s1 = b1 * x - a1 * y + s2
    s2 = b2 * x - a2 * y
    // As it is between two stages.
    const z = Math.fround(y)
    const w = c0 * z + t1
    t1 = c1 * z - d1 * w + t2
    t2 = c2 * z - d2 * w
    out[i] = w
  }
  first.s1 = s1
  first.s2 = s2
  second.s1 = t1
  second.s2 = t2
  return out
}

function weights(filter: Filter, w: number): Weights {
  const [cos, sin] = [Math.cos(w), Math.sin(w)]
  if (filter.kind === 'high-pass') {
    const alpha = sin / (2 * (filter.q ?? Math.SQRT1_2))
    return { b: [(1 + cos) / 2, -1 - cos, (1 + cos) / 2], a: [1 + alpha, -2 * cos, 1 - alpha] }
  }
  const g = 10 ** (filter.db / 40)
  if (filter.kind === 'peak') {
    const alpha = sin / (2 * filter.q)
    return { b: [1 + alpha * g, -2 * cos, 1 - alpha * g], a: [1 + alpha / g, -2 * cos, 1 - alpha / g] }
  }
  // The shelves mirror each other: changing the sign of the cosine swaps low and high.
  const side = filter.kind === 'low-shelf' ? 1 : -1
  const c = side * cos
  const root = Math.sqrt(2 * g) * sin
  return {
    b: [g * (g + 1 - (g - 1) * c + root), side * 2 * g * (g - 1 - (g + 1) * c), g * (g + 1 - (g - 1) * c - root)],
    a: [g + 1 + (g - 1) * c + root, side * -2 * (g - 1 + (g + 1) * c), g + 1 + (g - 1) * c - root],
  }
}
