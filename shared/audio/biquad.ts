// Second-order filters from the Audio EQ Cookbook: high-pass, shelves and peaks.
import { NO_SAMPLES, type Stage } from './stage.ts'

/** `q` is the width of a high-pass or a peak (higher is narrower); shelves have a fixed slope without overshoot. */
export type Filter =
  | { readonly kind: 'high-pass'; readonly hz: number; readonly q?: number }
  | { readonly kind: 'low-shelf' | 'high-shelf'; readonly hz: number; readonly db: number }
  | { readonly kind: 'peak'; readonly hz: number; readonly db: number; readonly q: number }

/** The transfer function of a filter; `a[0]` scales all others. */
export type Weights = { readonly b: readonly [number, number, number]; readonly a: readonly [number, number, number] }

/** One filter without delay. A corner frequency above the range of the sample rate leaves the audio unchanged. */
export function createBiquad(filter: Filter, sampleRate: number): Stage {
  if (filter.hz >= 0.45 * sampleRate) return { push: (samples) => samples, flush: () => NO_SAMPLES }
  return createSection(weights(filter, (2 * Math.PI * filter.hz) / sampleRate))
}

/** One second-order section without delay. */
export function createSection({ b, a }: Weights): Stage {
  const [b0, b1, b2] = b.map((value) => value / a[0]) as [number, number, number]
  const [a1, a2] = [a[1] / a[0], a[2] / a[0]]
  let first = 0
  let second = 0
  return {
    push(samples) {
      const out = new Float32Array(samples.length)
      // Plain local variables: outer ones that change with each sample made it four times slower.
      let s1 = first
      let s2 = second
      for (let i = 0; i < out.length; i++) {
        const x = samples[i]!
        const y = b0 * x + s1
        s1 = b1 * x - a1 * y + s2
        s2 = b2 * x - a2 * y
        out[i] = y
      }
      first = s1
      second = s2
      return out
    },
    flush: () => NO_SAMPLES,
  }
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
