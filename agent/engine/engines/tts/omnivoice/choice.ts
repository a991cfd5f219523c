// Where chance enters: the noise on a cell's score, and the draw of a class. Pure but for the stream of numbers it is given.

import { CODEBOOKS, MASK, type Scores } from './scoring.ts'

const TINY = 1e-10
/** The share of all classes, the empty one included, that a draw may choose from. */
const KEPT = Math.ceil(0.1 * (MASK + 1))

/** Added to a score, it turns "the highest" into a draw by weight. */
export const gumbel = (unit: number): number => -Math.log(-Math.log(unit + TINY) + TINY)

/** A draw among the most likely tenth of the classes. */
export function classDraw(temperature: number, next: () => number): (values: Float64Array) => number {
  const order = new Float64Array(MASK)
  return (values) => {
    order.set(values.subarray(0, MASK))
    const floor = order.sort()[MASK - KEPT]!
    let best = Number.NEGATIVE_INFINITY
    let chosen = 0
    for (let id = 0; id < MASK; id++) {
      if (values[id]! < floor) continue
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
  /** Taken from a score for each codebook above the first: the coarse ones are to be filled before the fine. */
  readonly layerPenalty: number
  /** 0 is no chance at all; larger is more. */
  readonly temperature: number
  readonly next: () => number
}

/** The cells to fill now: the `count` best of those that are empty; of equals the one that comes first. */
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
