// The random parts of the loop: noise on the score of a cell, and the draw of a class. Pure apart from the random numbers it receives.

import { CODEBOOKS, MASK, type Scores } from './scoring.ts'

const TINY = 1e-10
/** Number of the most likely classes, the mask included, from which a class is drawn. */
const KEPT_CLASSES = Math.ceil(0.1 * (MASK + 1))

/** Gumbel noise: added to scores, it turns the maximum into a weighted draw. `unit` in [0, 1). */
export const gumbel = (unit: number): number => -Math.log(-Math.log(unit + TINY) + TINY)

/** Draws from the most likely tenth of the classes. */
export function classDraw(temperature: number, next: () => number): (values: Float64Array) => number {
  const order = new Float64Array(MASK)
  return (values) => {
    order.set(values.subarray(0, MASK))
    const threshold = order.sort()[MASK - KEPT_CLASSES]!
    let best = Number.NEGATIVE_INFINITY
    let chosen = 0
    for (let id = 0; id < MASK; id++) {
      if (values[id]! < threshold) continue
      const score = values[id]! / temperature + gumbel(next())
      if (score > best) {
        best = score
        chosen = id
      }
    }
    return chosen
  }
}

export type Ranking = {
  readonly count: number
  readonly filled: Uint8Array
  /** Subtracted from a score per codebook above the first, so that coarse codebooks are filled before fine ones. */
  readonly layerPenalty: number
  /** 0 is deterministic; larger is more random. */
  readonly temperature: number
  readonly next: () => number
}

/** The cells to fill in this step: the `count` best empty ones, the first of equal ones. */
export function bestCells(
  { confidences }: Pick<Scores, 'confidences'>,
  { count, filled, layerPenalty, temperature, next }: Ranking,
): number[] {
  const frames = filled.length / CODEBOOKS
  const scores = new Float64Array(filled.length)
  const empty: number[] = []
  for (let cell = 0; cell < filled.length; cell++) {
    if (filled[cell] === 1) continue
    const score = confidences[cell]! - layerPenalty * Math.floor(cell / frames)
    scores[cell] = temperature > 0 ? score / temperature + gumbel(next()) : score
    empty.push(cell)
  }
  return empty.sort((left, right) => scores[right]! - scores[left]! || left - right).slice(0, count)
}
