import assert from 'node:assert/strict'
import { test } from 'node:test'
import { piecesOf, tokenStarts, wordsAt } from '#agent/engine/asr/whisper/decoding/word-times.ts'

const FRAMES = 100
/** One layer with one head: each token attends to its span of frames. */
const attention = (spans: readonly (readonly [number, number])[]) => {
  const values = spans.flatMap(([from, to]) => Array.from({ length: FRAMES }, (_, at) => (at >= from && at < to ? 1 : 0.01)))
  return [{ values, dims: [1, 1, spans.length, FRAMES] }]
}

test('a token starts where the network begins to attend to it', () => {
  const layers = attention([[0, 0], [0, 20], [20, 50], [50, 80], [0, 0]]) // biome-ignore format: one line
  const starts = [...tokenStarts(layers, [[0, 0]], 1, FRAMES)]
  assert.equal(starts.length, 3)
  for (const [at, seconds] of [0, 0.4, 1].entries()) assert.ok(Math.abs(starts[at]! - seconds) <= 0.04, `${starts}`)
})

test('a single frame of attention is noise, and times ascend', () => {
  const layers = attention([[0, 0], [10, 30], [40, 60], [60, 90], [0, 0]]) // biome-ignore format: one line
  layers[0]!.values[2 * FRAMES + 5] = 1
  const starts = [...tokenStarts(layers, [[0, 0]], 1, 95)]
  assert.ok(starts.every((start, at) => at === 0 || start >= starts[at - 1]!))
  assert.ok(Math.abs(starts[1]! - 0.7) < 0.15, `${starts}`)
})

const wordsOf = (texts: readonly string[], language = 'en') => {
  const pieces = texts.map((text) => ({ text, count: 1 }))
  const starts = Float64Array.from({ length: texts.length + 1 }, (_, at) => at)
  return wordsAt(pieces, starts, 0, language).map(({ word, start, end }) => [word, start, end])
}

test('tokens are joined to words, and marks belong to their word without their time', () => {
  assert.deepEqual(wordsOf([' Hel', 'lo', ',', ' world', '.']), [['Hello,', 0, 2], ['world.', 3, 4]]) // biome-ignore format: one line
  assert.deepEqual(wordsOf([' "', 'Yes', '"', ' -', ' no']), [['"Yes"', 1, 2], ['-no', 4, 5]]) // biome-ignore format: one line
  assert.deepEqual(wordsOf([' ¿', 'Qué', ' tal', '?']), [['¿Qué', 1, 2], ['tal?', 2, 3]]) // biome-ignore format: one line
  assert.deepEqual(wordsOf([]), [])
})

test('languages without blanks have a time for each character', () => {
  assert.deepEqual(wordsOf(['你', '好', '。'], 'zh'), [['你', 0, 1], ['好。', 1, 2]]) // biome-ignore format: one line
})

test('a character of several tokens is one piece', () => {
  const texts: Record<string, string> = { '1': '\uFFFD', '1,2': '\uFFFD', '1,2,3': '你', '4': ' a' }
  assert.deepEqual(
    piecesOf([1, 2, 3, 4], (tokens) => texts[tokens.join()]!),
    [
      { text: '你', count: 3 },
      { text: ' a', count: 1 },
    ],
  )
})
