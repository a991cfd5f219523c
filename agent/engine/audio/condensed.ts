// Removes the pauses between stretches of speech, and converts times in the shorter sound to times in the recording and back. Pure.

export type Stretch = { readonly start: number; readonly end: number }
export type Condensed = {
  readonly samples: Float32Array
  /** Places of removed pauses, in seconds of the shorter sound, ascending. */
  readonly borders: readonly number[]
  /** Seconds in the recording. At a border between two stretches, a start belongs to the later one and an end to the earlier one. */
  readonly originalTime: (seconds: number, edge: 'start' | 'end') => number
  /** Seconds in the shorter sound. A time in a removed pause is at its border. */
  readonly condensedTime: (seconds: number) => number
}

/** `stretches`: seconds in the recording, in order, without overlap. */
export function condense(samples: Float32Array, rate: number, stretches: readonly Stretch[]): Condensed {
  const spans = stretches.map(({ start, end }) => ({
    from: Math.round(start * rate),
    to: Math.min(samples.length, Math.round(end * rate)),
  }))
  const kept = new Float32Array(spans.reduce((sum, { from, to }) => sum + to - from, 0))
  const starts: number[] = []
  let length = 0
  for (const { from, to } of spans) {
    starts.push(length)
    kept.set(samples.subarray(from, to), length)
    length += to - from
  }
  return {
    samples: kept,
    borders: starts.slice(1).map((start) => start / rate),
    originalTime(seconds, edge) {
      // Half a sample, so that a time that was computed from a border is on it.
      const at = seconds * rate + (edge === 'start' ? 0.5 : -0.5)
      const index = Math.max(
        0,
        starts.findLastIndex((start) => start <= at),
      )
      const span = spans[index]
      return span ? Math.min(span.to, span.from + seconds * rate - starts[index]!) / rate : seconds
    },
    condensedTime(seconds) {
      const at = seconds * rate
      const index = spans.findLastIndex(({ from }) => from <= at)
      const span = spans[index]
      return span ? (starts[index]! + Math.min(at, span.to) - span.from) / rate : 0
    },
  }
}
