// The times of words from the cross attentions of a window, as find_alignment of openai/whisper (timing.py): normalised over the tokens, a median
// over time, the mean of the alignment heads, and the best monotonous path. Pure.

import type { Attention } from '#agent/engine/runtimes/transformers/whisper-decoder.ts'

export type TokenPiece = { readonly text: string /** Tokens. */; readonly count: number }
export type TimedWord = { readonly start: number; readonly end: number; readonly word: string }

const MEDIAN_WIDTH = 7
const HALF = MEDIAN_WIDTH >> 1
export const SECONDS_PER_FRAME = 0.02

/**
 * When each token begins, in seconds of the window. `skipped`: tokens before the first one that counts. The last token, the end, gets no time of its
 * own. `frames`: those with sound.
 */
export function tokenStarts(
  layers: readonly Attention[],
  heads: readonly (readonly [number, number])[],
  skipped: number,
  frames: number,
): Float64Array {
  const [, , tokens, all] = layers[0]!.dims as [number, number, number, number]
  const rows = tokens - skipped - 1
  const matrix = new Float64Array(rows * frames)
  const normal = new Float64Array(tokens * frames)
  for (const [layer, head] of heads) {
    normalise(layers[layer]!.values, head * tokens * all, all, { tokens, frames, normal })
    for (let row = 0; row < rows; row++) addMedians(matrix, row * frames, normal, (row + skipped) * frames, frames)
  }
  return pathStarts(matrix, rows, frames)
}

type Normalised = { readonly tokens: number; readonly frames: number; readonly normal: Float64Array }
/** Each frame gets mean 0 and variance 1 over the tokens. */
function normalise(values: ArrayLike<number>, from: number, all: number, { tokens, frames, normal }: Normalised): void {
  for (let frame = 0; frame < frames; frame++) {
    let sum = 0
    let squares = 0
    for (let token = 0; token < tokens; token++) {
      const value = values[from + token * all + frame]!
      sum += value
      squares += value * value
    }
    const mean = sum / tokens
    const deviation = Math.sqrt(Math.max(1e-20, squares / tokens - mean * mean))
    for (let token = 0; token < tokens; token++) normal[token * frames + frame] = (values[from + token * all + frame]! - mean) / deviation
  }
}

/** Adds the median of the frames around each one, which are mirrored at the ends. */
function addMedians(sums: Float64Array, to: number, values: Float64Array, from: number, frames: number): void {
  const around = new Float64Array(MEDIAN_WIDTH)
  for (let frame = 0; frame < frames; frame++) {
    for (let offset = -HALF; offset <= HALF; offset++) {
      const at = Math.abs(frame + offset)
      const mirrored = at < frames ? at : 2 * (frames - 1) - at
      around[offset + HALF] = values[from + Math.max(0, mirrored)]!
    }
    // Insertion sort: seven values.
    for (let next = 1; next < MEDIAN_WIDTH; next++) {
      const value = around[next]!
      let at = next
      for (; at > 0 && around[at - 1]! > value; at--) around[at] = around[at - 1]!
      around[at] = value
    }
    sums[to + frame]! += around[HALF]!
  }
}

const BOTH = 0
const ROW = 1
const FRAME = 2
/** Dynamic time warping: the path with the largest sum. Returns when it enters each row, in seconds. */
function pathStarts(matrix: Float64Array, rows: number, frames: number): Float64Array {
  const width = frames + 1
  const cost = new Float64Array((rows + 1) * width).fill(Number.POSITIVE_INFINITY)
  const came = new Uint8Array((rows + 1) * width)
  cost[0] = 0
  for (let frame = 1; frame <= frames; frame++) {
    for (let row = 1; row <= rows; row++) {
      const at = row * width + frame
      const [both, above, before] = [cost[at - width - 1]!, cost[at - width]!, cost[at - 1]!]
      came[at] = both < above && both < before ? BOTH : above < both && above < before ? ROW : FRAME
      cost[at] = (came[at] === BOTH ? both : came[at] === ROW ? above : before) - matrix[(row - 1) * frames + frame - 1]!
    }
  }
  const starts = new Float64Array(rows)
  let [row, frame] = [rows, frames]
  while (row > 0 && frame > 0) {
    starts[row - 1] = (frame - 1) * SECONDS_PER_FRAME
    const way = came[row * width + frame]!
    if (way !== FRAME) row--
    if (way !== ROW) frame--
  }
  return starts
}

/** Written without blanks between words: each character has a time. */
const WITHOUT_BLANKS = new Set(['zh', 'ja', 'th', 'lo', 'my', 'yue'])
const OPENING = /^["'“¿([{-]+$/u
const CLOSING = /^["'.。,，!！?？:：”)\]}、]+$/u

/** Tokens as pieces of text. A character may have several tokens. */
export function piecesOf(tokens: readonly number[], textOf: (tokens: readonly number[]) => string): TokenPiece[] {
  const pieces: TokenPiece[] = []
  let from = 0
  for (let to = 1; to <= tokens.length; to++) {
    const text = textOf(tokens.slice(from, to))
    if (text.includes('\uFFFD') && to < tokens.length) continue
    pieces.push({ text, count: to - from })
    from = to
  }
  return pieces
}

/**
 * `starts`: of each token of the pieces from `first` on, and of the one after them. Closing marks belong to the word before them, opening ones to the
 * word after them, without their time.
 */
export function wordsAt(pieces: readonly TokenPiece[], starts: Float64Array, first: number, language: string): TimedWord[] {
  const words: { start: number; end: number; word: string }[] = []
  let at = first
  let opening = ''
  for (const { text, count } of pieces) {
    const [start, end] = [starts[at]!, starts[at + count]!]
    at += count
    const plain = text.trim()
    const last = words.at(-1)
    const isJoined = last !== undefined && opening === '' && !text.startsWith(' ')
    if (plain === '') continue
    if (CLOSING.test(plain) && last && opening === '' && !(text.startsWith(' ') && OPENING.test(plain))) last.word += plain
    else if (OPENING.test(plain) && !isJoined) opening += plain
    else if (isJoined && !WITHOUT_BLANKS.has(language)) {
      last.word += plain
      last.end = end
    } else {
      words.push({ start, end, word: opening + plain })
      opening = ''
    }
  }
  return words
}
