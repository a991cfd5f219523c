// Forced alignment: assigns a known token sequence to the frames of a CTC network along the most likely path. Pure.

/** Frames `start` to `end`, exclusive. `score`: mean probability of the token, from 0 to 1. */
export type AlignedSpan = { readonly start: number; readonly end: number; readonly score: number }
export type Emissions = {
  /** Natural logarithms, frame by frame. */
  readonly logProbabilities: Float32Array
  readonly frames: number
  readonly vocabulary: number
  readonly blank: number
}

/** Memory limit of the trellis, one byte per cell. */
export const MAX_CELLS = 128 * 1024 * 1024
/** Minimum number of frames for the tokens: equal neighbours need a blank between them. */
export const minFrames = (tokens: ArrayLike<number>): number =>
  tokens.length + Array.from(tokens).filter((token, at) => at > 0 && token === tokens[at - 1]).length
export const cellCount = (frames: number, tokens: number): number => frames * (2 * tokens + 1)

/** One span per token, in order, without overlap; null when there are too few frames. */
export function alignTokens({ logProbabilities, frames, vocabulary, blank }: Emissions, tokens: ArrayLike<number>): AlignedSpan[] | null {
  if (tokens.length === 0) return []
  if (frames < minFrames(tokens)) return null
  // State 2k is a blank, state 2k+1 the token k.
  const states = 2 * tokens.length + 1
  const symbol = (state: number): number => (state % 2 === 0 ? blank : tokens[state >> 1]!)
  const maySkip = (state: number): boolean => state % 2 === 1 && state > 1 && symbol(state) !== symbol(state - 2)
  const from = new Uint8Array(cellCount(frames, tokens.length))
  let scores = new Float64Array(states).fill(Number.NEGATIVE_INFINITY)
  let next = new Float64Array(states)
  scores[0] = logProbabilities[blank]!
  scores[1] = logProbabilities[symbol(1)]!
  for (let frame = 1; frame < frames; frame++) {
    const row = frame * vocabulary
    for (let state = 0; state < states; state++) {
      let best = scores[state]!
      let step = 0
      if (state > 0 && scores[state - 1]! > best) {
        best = scores[state - 1]!
        step = 1
      }
      if (maySkip(state) && scores[state - 2]! > best) {
        best = scores[state - 2]!
        step = 2
      }
      next[state] = best + logProbabilities[row + symbol(state)]!
      from[frame * states + state] = step
    }
    ;[scores, next] = [next, scores]
  }
  let state = scores[states - 1]! >= scores[states - 2]! ? states - 1 : states - 2
  const spans = Array.from(tokens, () => ({ start: -1, end: -1, sum: 0 }))
  for (let frame = frames - 1; frame >= 0; frame--) {
    if (state % 2 === 1) {
      const span = spans[state >> 1]!
      if (span.end < 0) span.end = frame + 1
      span.start = frame
      span.sum += Math.exp(logProbabilities[frame * vocabulary + symbol(state)]!)
    }
    state -= from[frame * states + state]!
  }
  // Frames with only minus infinity leave no valid path.
  if (spans.some(({ start }) => start < 0)) return null
  return spans.map(({ start, end, sum }) => ({ start, end, score: sum / (end - start) }))
}

/** Converts logits to log-probabilities, in place. */
export function logSoftmax(logits: Float32Array, width: number): Float32Array {
  for (let row = 0; row < logits.length; row += width) {
    let most = Number.NEGATIVE_INFINITY
    for (let at = row; at < row + width; at++) most = Math.max(most, logits[at]!)
    let sum = 0
    for (let at = row; at < row + width; at++) sum += Math.exp(logits[at]! - most)
    const shift = most + Math.log(sum)
    for (let at = row; at < row + width; at++) logits[at] = logits[at]! - shift
  }
  return logits
}
