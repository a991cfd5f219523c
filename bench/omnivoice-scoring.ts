// The time of one OmniVoice step outside its graph, at 15 seconds of speech: our fused score compared with the published formula.

import { seededRandom } from '#agent/engine/seam/random.ts'
import { bestCells } from '#agent/engine/tts/omnivoice/loop/choice.ts'
import {
  CLASSES,
  CODEBOOKS,
  createScores,
  type LogitRow,
  type Scoring,
  scoreFused,
  scoreLiteral,
} from '#agent/engine/tts/omnivoice/loop/scoring.ts'
import { interleave, ratio, row, title } from './support/rounds.ts'

const FRAMES = 375

export async function run(): Promise<void> {
  const next = seededRandom(1).unit
  // Distributed like trained logits: a few high classes, most far below.
  const logits = (): LogitRow => ({
    values: Float32Array.from({ length: CODEBOOKS * FRAMES * CLASSES }, () => 12 * next() ** 3 - 6),
    start: 0,
    stride: FRAMES * CLASSES,
  })
  const filled = new Uint8Array(CODEBOOKS * FRAMES)
  const scoring: Scoring = { conditional: logits(), unconditional: logits(), guidance: 2, frames: FRAMES, filled, choose: null }
  const scores = createScores(FRAMES)
  const timed = (work: () => unknown) => async () => {
    const from = performance.now()
    work()
    return performance.now() - from
  }
  const rounds = await interleave(7, {
    fused: timed(() => scoreFused(scoring, scores)),
    literal: timed(() => scoreLiteral(scoring, scores)),
    choice: timed(() => bestCells(scores, { count: 300, filled, layerPenalty: 5, temperature: 5, next })),
  })
  title(`One step of OmniVoice outside the graph, ${FRAMES} frames, two rows of logits`)
  row('score of every cell', rounds.fused, rounds.literal, 'ms', 'at most 0.5 of the literal formula')
  row('choice of 300 cells', rounds.choice, null, 'ms', '')
  const { median } = ratio(rounds.fused, rounds.literal)
  if (median > 0.5) throw new Error(`the fused score takes ${median.toFixed(2)} of the literal one's time; at most 0.5`)
}
