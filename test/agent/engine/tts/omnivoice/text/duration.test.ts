import assert from 'node:assert/strict'
import { test } from 'node:test'
import { estimateFrames, wholeFrames } from '#agent/engine/tts/omnivoice/text/duration.ts'
import { weightOfText } from '#shared/text/weight.ts'

const close = (got: number, wanted: number) => assert.ok(Math.abs(got - wanted) < 1e-9, `${got}, not ${wanted}`)

test('every script has the weight of the table', () => {
  const rows: readonly (readonly [number, string])[] = [
    [1, 'aZéßяΩԱა'],
    [3, '你豈ㄅ𠀁𰀀'],
    [2.5, '한ᄀㄱ'],
    [2.2, 'あカ'],
    [3, 'ሀꀀ'],
    [1.8, 'कবਕકକதతಕമසཀꦏᬓ'],
    [1.5, 'กລ'],
    [1.8, 'កက'],
    [1.5, 'عܐ'],
    [1.5, 'א'],
    [0.5, '.,;:!?$+…。—'],
    [0.2, ' \u00a0\u3000'],
    [3.5, '7٣½Ⅷ'],
    [0, '\u0301\u0951ـ'],
    [1, '\u{10380}'],
  ]
  for (const [weight, letters] of rows) for (const letter of letters) close(weightOfText(letter), weight)
})

test('a text weighs the sum of its characters', () => {
  close(weightOfText('Nice to meet you.'), 13 + 3 * 0.2 + 0.5)
  close(weightOfText('你好, world 42'), 3 + 3 + 0.5 + 0.2 + 5 + 0.2 + 7)
  close(weightOfText(''), 0)
})

test('without a reference the default pace is used', () => {
  // 25 frames of weight 14.1; short texts are slowed by the cube root.
  close(estimateFrames('Nice to meet you.', null), 50 * (25 / 50) ** (1 / 3))
  const long = 'The quick brown fox jumps over the lazy dog near the bank.'
  close(estimateFrames(long, null), (weightOfText(long) * 25) / 14.1)
  assert.equal(wholeFrames(estimateFrames(long, null), 1), 86)
  assert.equal(wholeFrames(estimateFrames(long, null), 2), 43)
})

test('the frames that the reference implementation computes', () => {
  const vectors: readonly (readonly [string, number, number])[] = [
    ['hello world', 1, 35],
    ['hello world', 1.5, 23],
    ['你好，世界！这是一个测试。', 1, 55],
    ['This is a slightly longer sentence to estimate duration for.', 1, 92],
  ]
  for (const [text, speed, frames] of vectors) assert.equal(wholeFrames(estimateFrames(text, null), speed), frames, text)
})

test('a reference sets the pace, and one without letters does not', () => {
  const text = 'a'.repeat(100)
  close(estimateFrames(text, { text: 'aaaaaaaaaa', frames: 30 }), 300)
  close(estimateFrames(text, { text: '', frames: 30 }), estimateFrames(text, null))
  close(estimateFrames(text, { text: 'abc', frames: 0 }), estimateFrames(text, null))
})

test('at least one frame comes out', () => {
  assert.equal(wholeFrames(estimateFrames('', null), 1), 1)
  assert.equal(wholeFrames(0.2, 4), 1)
})
