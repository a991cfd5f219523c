import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { bestCells, classDraw, gumbel } from '#agent/engine/tts/omnivoice/loop/choice.ts'
import {
  CLASSES,
  CODEBOOKS,
  createScores,
  type LogitRow,
  MASK,
  type Scoring,
  scoreFused,
  scoreLiteral,
} from '#agent/engine/tts/omnivoice/loop/scoring.ts'

/** Logits of a row of `columns` columns whose last `frames` are the target, as a backbone returns them. */
function randomRow(next: () => number, columns: number, frames: number, spread: number): LogitRow {
  const values = Float32Array.from({ length: CODEBOOKS * columns * CLASSES }, () => (next() - 0.5) * spread)
  return { values, start: (columns - frames) * CLASSES, stride: columns * CLASSES }
}

test('the fused score is the literal one: same tokens, confidence within a millionth', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2 ** 32 - 1 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom(0, 0.5, 2, 7),
      fc.constantFrom(0.01, 4, 60),
      (seed, frames, guidance, spread) => {
        const next = seededRandom(seed).unit
        const filled = Uint8Array.from({ length: CODEBOOKS * frames }, () => (next() < 0.3 ? 1 : 0))
        const scoring: Scoring = {
          conditional: randomRow(next, frames + 3, frames, spread),
          unconditional: guidance === 0 ? null : randomRow(next, frames, frames, spread),
          guidance,
          frames,
          filled,
          choose: null,
        }
        const [fused, literal] = [createScores(frames), createScores(frames)]
        scoreFused(scoring, fused)
        scoreLiteral(scoring, literal)
        assert.deepEqual(fused.tokens, literal.tokens)
        for (const [cell, confidence] of fused.confidences.entries()) {
          assert.ok(Math.abs(confidence - literal.confidences[cell]!) < 1e-6)
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('the mask class is never chosen', () => {
  const values = new Float32Array(CODEBOOKS * CLASSES)
  for (let codebook = 0; codebook < CODEBOOKS; codebook++) {
    values[codebook * CLASSES + MASK] = 50
    values[codebook * CLASSES + 3] = 1
  }
  const scores = createScores(1)
  const conditional = { values, start: 0, stride: CLASSES }
  scoreFused({ conditional, unconditional: null, guidance: 2, frames: 1, filled: new Uint8Array(CODEBOOKS), choose: null }, scores)
  assert.deepEqual([...scores.tokens], Array(CODEBOOKS).fill(3))
  assert.ok(scores.confidences.every((confidence) => Math.abs(confidence + 49) < 1e-6))
})

test('NaN stays visible', () => {
  const values = new Float32Array(CODEBOOKS * CLASSES)
  values[7] = Number.NaN
  const scores = createScores(1)
  const conditional = { values, start: 0, stride: CLASSES }
  scoreFused({ conditional, unconditional: null, guidance: 0, frames: 1, filled: new Uint8Array(CODEBOOKS), choose: null }, scores)
  assert.ok(Number.isNaN(scores.confidences[0]))
  assert.ok(Number.isFinite(scores.confidences[1]))
})

test('cells of the first codebook are preferred by the layer penalty', () => {
  const frames = 3
  const confidences = new Float64Array(CODEBOOKS * frames).fill(-1)
  confidences[frames + 2] = 4.5 // codebook 1, behind by 5
  const pick = (count: number, layerPenalty: number, filled = new Uint8Array(CODEBOOKS * frames)) =>
    bestCells({ confidences }, { count, filled, layerPenalty, temperature: 0, next: () => 0 })
  assert.deepEqual(pick(4, 5), [frames + 2, 0, 1, 2])
  assert.deepEqual(pick(1, 0), [frames + 2])
  assert.deepEqual(pick(3, 6), [0, 1, 2], 'of equals the first come first')
  const filled = new Uint8Array(CODEBOOKS * frames)
  filled.set([1, 1], 0)
  assert.deepEqual(pick(2, 100, filled), [2, frames + 2], 'what is filled is never chosen')
})

test('temperature adds seeded noise', () => {
  const confidences = new Float64Array(CODEBOOKS * 20)
  const pick = (seed: number) =>
    bestCells(
      { confidences },
      { count: 5, filled: new Uint8Array(CODEBOOKS * 20), layerPenalty: 5, temperature: 5, next: seededRandom(seed).unit },
    )
  assert.deepEqual(pick(1), pick(1))
  assert.notDeepEqual(pick(1), pick(2))
  assert.ok(Number.isFinite(gumbel(0)) && Number.isFinite(gumbel(1 - 2 ** -32)))
})

test('a class is drawn from the best tenth, by weight', () => {
  const values = new Float64Array(CLASSES)
  for (let id = 0; id < CLASSES; id++) values[id] = id < 103 ? 0 : -1 // the empty class among the losers
  values[MASK] = 99
  const draw = classDraw(1, seededRandom(5).unit)
  const drawn = Array.from({ length: 2_000 }, () => draw(values))
  assert.ok(drawn.every((id) => id < 103))
  assert.ok(new Set(drawn).size > 95)
  values[7] = 50
  assert.ok(Array.from({ length: 50 }, () => draw(values)).every((id) => id === 7))
})
