import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AlignedSpan, alignTokens, logSoftmax, minFrames, WILDCARD, wildcardOf } from '#agent/engine/asr/align/trellis.ts'

const BLANK = 0
/** Emissions in which the path is `symbols`, frame by frame, with that much more weight than anything else. */
function along(symbols: readonly number[], vocabulary: number, weight = 8) {
  const logits = new Float32Array(symbols.length * vocabulary)
  for (const [frame, symbol] of symbols.entries()) logits[frame * vocabulary + symbol] = weight
  return { logProbabilities: logSoftmax(logits, vocabulary), frames: symbols.length, vocabulary, blank: BLANK }
}
const borders = (spans: AlignedSpan[] | null) => spans?.map(({ start, end }) => [start, end])

test('finds the position of each token', () => {
  assert.deepEqual(borders(alignTokens(along([0, 1, 1, 0, 2, 3, 3, 0], 4), [1, 2, 3])), [
    [1, 3],
    [4, 5],
    [5, 7],
  ])
  assert.deepEqual(borders(alignTokens(along([1, 0, 1], 2), [1, 1])), [
    [0, 1],
    [2, 3],
  ])
  assert.deepEqual(alignTokens(along([0, 0], 2), []), [])
})

test('equal neighbours need a blank between them, so there can be too few frames', () => {
  assert.equal(minFrames([1, 1, 2, 2, 2]), 8)
  assert.equal(alignTokens(along([1, 1], 2), [1, 1]), null)
  assert.deepEqual(borders(alignTokens(along([1, 1, 1], 2), [1, 1])), [
    [0, 1],
    [2, 3],
  ])
  assert.equal(alignTokens(along([1, 2], 3), [1, 2, 1]), null)
})

const pathAndTokens = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 })), {
    minLength: 1,
    maxLength: 30,
  })
  .map((runs) => ({
    tokens: runs.map(([token]) => token),
    path: runs.flatMap(([token, length, blanks]) => [...Array<number>(length).fill(token), ...Array<number>(blanks).fill(BLANK)]),
  }))

test('a planted path is found exactly', () => {
  fc.assert(
    fc.property(pathAndTokens, ({ tokens, path }) => {
      const spans = alignTokens(along(path, 6), tokens)!
      const told = new Array<number>(path.length).fill(BLANK)
      for (const [index, { start, end, score }] of spans.entries()) {
        told.fill(tokens[index]!, start, end)
        assert.ok(score > 0.9)
      }
      assert.deepEqual(told, path)
    }),
  )
})

test('for any emissions the spans are ordered, disjoint and the path is the most likely', () => {
  const anything = fc.record({
    tokens: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 1, maxLength: 3 }),
    logits: fc.array(fc.float({ min: -5, max: 5, noNaN: true }), { minLength: 18, maxLength: 18 }),
  })
  fc.assert(
    fc.property(anything, ({ tokens, logits }) => {
      const frames = 6
      const emissions = { logProbabilities: logSoftmax(Float32Array.from(logits), 3), frames, vocabulary: 3, blank: BLANK }
      const spans = alignTokens(emissions, tokens)!
      let last = 0
      const path = new Array<number>(frames).fill(BLANK)
      for (const [index, { start, end, score }] of spans.entries()) {
        assert.ok(start >= last && end > start && end <= frames && score > 0 && score <= 1)
        path.fill(tokens[index]!, start, end)
        last = end
      }
      const scoreOf = (symbols: readonly number[]) =>
        symbols.reduce((sum, symbol, frame) => sum + emissions.logProbabilities[frame * 3 + symbol]!, 0)
      const collapsed = (symbols: readonly number[]) => symbols.filter((symbol, at) => symbol !== BLANK && symbol !== symbols[at - 1])
      assert.deepEqual(collapsed(path), tokens)
      for (let code = 0; code < 3 ** frames; code++) {
        const symbols = Array.from({ length: frames }, (_, at) => Math.floor(code / 3 ** at) % 3)
        if (collapsed(symbols).join() === tokens.join()) assert.ok(scoreOf(symbols) <= scoreOf(path) + 1e-4)
      }
    }),
    { numRuns: 60 },
  )
})

test('a wildcard takes the frames of any letters, without the silence around them', () => {
  const emissions = along([0, 1, 0, 0, 2, 0, 3, 0, 0, 1, 0], 4)
  const wildcard = wildcardOf(emissions.logProbabilities, 4, null)
  assert.deepEqual(borders(alignTokens({ ...emissions, wildcard }, [1, WILDCARD, 1])), [
    [1, 2],
    [4, 7],
    [9, 10],
  ])
  const silent = along([1, 0, 0, 0, 2], 3)
  const [, span] = alignTokens({ ...silent, wildcard: wildcardOf(silent.logProbabilities, 3, null) }, [1, WILDCARD, 2])!
  assert.ok(span!.start >= 1 && span!.end > span!.start && span!.end <= 4)
  assert.equal(minFrames([WILDCARD, WILDCARD, 1, 1]), 5)
})
