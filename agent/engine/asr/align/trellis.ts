// Forced alignment: assigns a known token sequence to the frames of a CTC network along the most likely path. Pure.

/** Frames `start` to `end`, exclusive. `score`: mean probability of the token, from 0 to 1. */
export type AlignedSpan = { readonly start: number; readonly end: number; readonly score: number }
export type Emissions = {
  /** Natural logarithms, frame by frame. */
  readonly logProbabilities: Float32Array
  readonly frames: number
  readonly vocabulary: number
  readonly blank: number
  /** Natural logarithm per frame of the token WILDCARD; absent where it does not occur. */
  readonly wildcard?: Float32Array
}

/** Stands for any letters, where the network has none for the characters of a word. */
export const WILDCARD = -1
/** The most likely symbol of each frame, `delimiter` excepted, which separates words. */
export function wildcardOf(logProbabilities: Float32Array, vocabulary: number, delimiter: number | null): Float32Array {
  const best = new Float32Array(logProbabilities.length / vocabulary).fill(Number.NEGATIVE_INFINITY)
  for (let frame = 0; frame < best.length; frame++)
    for (let symbol = 0; symbol < vocabulary; symbol++)
      if (symbol !== delimiter) best[frame] = Math.max(best[frame]!, logProbabilities[frame * vocabulary + symbol]!)
  return best
}

/** Memory limit of the trellis, one byte per cell. */
export const MAX_CELLS = 128 * 1024 * 1024
/** Equal neighbours need a blank between them; two wildcards are taken for different letters. */
const areEqual = (one: number, other: number): boolean => one === other && one !== WILDCARD
/** Minimum number of frames for the tokens. */
export const minFrames = (tokens: ArrayLike<number>): number =>
  tokens.length + Array.from(tokens).filter((token, at) => at > 0 && areEqual(token, tokens[at - 1]!)).length
export const cellCount = (frames: number, tokens: number): number => frames * (2 * tokens + 1)

/** One span per token, in order, without overlap; null when there are too few frames. */
export function alignTokens(emissions: Emissions, tokens: ArrayLike<number>): AlignedSpan[] | null {
  const { logProbabilities, frames, vocabulary, blank, wildcard } = emissions
  if (tokens.length === 0) return []
  if (frames < minFrames(tokens)) return null
  // State 2k is a blank, state 2k+1 the token k.
  const states = 2 * tokens.length + 1
  const symbol = (state: number): number => (state % 2 === 0 ? blank : tokens[state >> 1]!)
  const maySkip = (state: number): boolean => state % 2 === 1 && state > 1 && !areEqual(symbol(state), symbol(state - 2))
  const scoreOf = (frame: number, token: number): number =>
    token === WILDCARD ? wildcard![frame]! : logProbabilities[frame * vocabulary + token]!
  const from = new Uint8Array(cellCount(frames, tokens.length))
  let scores = new Float64Array(states).fill(Number.NEGATIVE_INFINITY)
  let next = new Float64Array(states)
  scores[0] = scoreOf(0, blank)
  scores[1] = scoreOf(0, symbol(1))
  for (let frame = 1; frame < frames; frame++) {
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
      next[state] = best + scoreOf(frame, symbol(state))
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
      span.sum += Math.exp(scoreOf(frame, symbol(state)))
    }
    state -= from[frame * states + state]!
  }
  // Frames with only minus infinity leave no valid path.
  if (spans.some(({ start }) => start < 0)) return null
  return spans.map(({ start, end, sum }, index) => {
    const score = sum / (end - start)
    return tokens[index] === WILDCARD ? { ...withoutQuietEnds(emissions, start, end), score } : { start, end, score }
  })
}

/** A wildcard costs nothing in the silence around it. Leaves the span as it is when the network found no letter in it. */
function withoutQuietEnds({ logProbabilities, vocabulary, blank, wildcard }: Emissions, start: number, end: number) {
  const isQuiet = (frame: number): boolean => logProbabilities[frame * vocabulary + blank]! >= wildcard![frame]!
  let [first, last] = [start, end]
  while (first < end && isQuiet(first)) first++
  while (last > first && isQuiet(last - 1)) last--
  return first < last ? { start: first, end: last } : { start, end }
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
