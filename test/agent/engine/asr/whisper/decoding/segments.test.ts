import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { divideTokens, type Rest } from '#agent/engine/asr/whisper/decoding/segments.ts'

const BEGIN = 8
const at = (seconds: number) => BEGIN + Math.round(seconds * 50)
const [A, B] = [0, 1]
/** Rest of the last window of a recording, without a voice. */
const LAST: Rest = { isLast: true, voiceAfter: () => 0 }
const divided = (tokens: readonly number[], seconds: number, rest = LAST) => {
  const { segments, next } = divideTokens(tokens, seconds, { endOfText: 3, timestampBegin: BEGIN }, rest)
  return { times: segments.map(({ start, end }) => [Math.round(start * 100) / 100, Math.round(end * 100) / 100]), next }
}

test('a pair of timestamps without text after it gives one sentence, and decoding goes on from its end', () => {
  assert.deepEqual(divided([at(0), A, at(1), at(1.02)], 4), { times: [[0, 1]], next: 1 })
})

test('an open sentence after a closed one is left to the next window while more than one second is left', () => {
  const tokens = [at(0), A, at(12), at(12), B]
  assert.deepEqual(divided(tokens, 30), { times: [[0, 12]], next: 12 })
  const short = { times: [[0, 12], [12, 12.9]], next: 12.9 } // biome-ignore format: one line
  assert.deepEqual(divided(tokens, 12.9), short)
})

test('what follows the last time of a window is decoded with the next one', () => {
  const open = [at(0), A, at(29), at(29)]
  assert.equal(divided(open, 30).next, 30)
  assert.equal(divided(open, 30, { ...LAST, isLast: false }).next, 29)
  const voiceUntil = (end: number, isLast: boolean): Rest => ({ isLast, voiceAfter: (seconds) => Math.max(0, end - seconds) })
  const closed = [at(0), A, at(2)]
  // A network may end before the speech does.
  assert.equal(divided(closed, 20, voiceUntil(19, true)).next, 2)
  assert.equal(divided(closed, 20, voiceUntil(2.4, true)).next, 20)
  // The end of a full window may be the start of a word.
  assert.equal(divided([at(0), A, at(29.6)], 30, voiceUntil(30, false)).next, 29.6)
  assert.equal(divided([at(0), A, at(0.4)], 20, voiceUntil(19, true)).next, 20, 'windows advance')
})

test('a closed last sentence ends the window', () => {
  const tokens = [at(0), A, at(8), at(8), B, at(11)]
  assert.deepEqual(divided(tokens, 11), { times: [[0, 8], [8, 11]], next: 11 }) // biome-ignore format: one line
  assert.deepEqual(divided([at(0.4), A, at(2)], 30), { times: [[0.4, 2]], next: 30 })
})

test('sentences that start after the end of the sound are dropped, and none is empty', () => {
  const invented = [at(0), A, at(2), at(2), B, at(5), at(5), A, at(7), at(9), B, at(12)]
  assert.deepEqual(divided(invented, 4), { times: [[0, 2], [2, 4]], next: 4 }) // biome-ignore format: one line
  assert.deepEqual(divided([at(0), A, at(4), at(4), B, at(4.5)], 4), { times: [[0, 4]], next: 4 })
  assert.deepEqual(divided([at(0)], 4), { times: [], next: 4 })
  assert.deepEqual(divided([], 4), { times: [], next: 4 })
})

test('text without timestamps has the times of the window', () => {
  assert.deepEqual(divided([A, B], 3), { times: [[0, 3]], next: 3 })
  assert.deepEqual(divided([at(0.5), A, B], 3), { times: [[0.5, 3]], next: 3 })
})

test('for any output, windows advance and sentences are within the sound', () => {
  const token = fc.oneof(fc.nat(1), fc.integer({ min: BEGIN, max: BEGIN + 1500 }))
  fc.assert(
    fc.property(
      fc.array(token, { maxLength: 30 }),
      fc.double({ min: 0.1, max: 30, noNaN: true }),
      fc.boolean(),
      (tokens, seconds, isLast) => {
        const rest = { isLast, voiceAfter: (from: number) => seconds - from }
        const { segments, next } = divideTokens(tokens, seconds, { endOfText: 3, timestampBegin: BEGIN }, rest)
        assert.ok(next <= seconds && (next === seconds || next >= 0.5))
        for (const { start, end } of segments) assert.ok(start >= 0 && start < end && end <= seconds)
      },
    ),
  )
})
