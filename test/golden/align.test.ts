// The alignment of tokens against `forced_align` of torchaudio 2.11.1, on random emissions. The values of whisperX 3.8.6 in the same file differ:
// its beam misses the best path, and its words end where the next token begins.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alignTokens } from '#agent/engine/asr/align/trellis.ts'
import { golden } from './golden.ts'

type AlignCase = {
  readonly frames: number
  readonly vocabulary: number
  readonly tokens: readonly number[]
  readonly emission: readonly number[]
  readonly torchaudio: readonly (readonly [start: number, end: number, score: number])[]
}

test('each token has the span and the score of the reference', () => {
  const cases = golden<readonly AlignCase[]>('align.json')
  assert.equal(cases.flatMap(({ tokens }) => tokens).length, 166)
  for (const { frames, vocabulary, tokens, emission, torchaudio } of cases) {
    const spans = alignTokens({ logProbabilities: Float32Array.from(emission), frames, vocabulary, blank: 0 }, tokens)!
    assert.deepEqual(
      spans.map(({ start, end }) => [start, end]),
      torchaudio.map(([start, end]) => [start, end]),
    )
    for (const [at, { score }] of spans.entries()) assert.ok(Math.abs(score - torchaudio[at]![2]) < 1e-4, `${score}`)
  }
})
