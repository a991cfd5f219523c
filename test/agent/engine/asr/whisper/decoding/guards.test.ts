import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseToken, probabilityOf } from '#agent/engine/asr/whisper/decoding/choice.ts'
import { compressionRatio, type DecodingAttempt, isSettled, judge, temperaturesFrom } from '#agent/engine/asr/whisper/decoding/guards.ts'
import { createNotices } from '#agent/engine/asr/whisper/notices.ts'
import { Failure } from '#shared/protocol/failure.ts'

const REPEATED = ' Thank you.'.repeat(30)
const attempt = (averageLogProbability: number, text = ' And so it goes.', temperature = 0): DecodingAttempt => ({
  tokens: [],
  text,
  temperature,
  averageLogProbability,
})

test('the compression ratio is that of the reference', () => {
  // Figures of zlib in Python 3.11.
  assert.equal(compressionRatio(REPEATED).toFixed(4), '13.7083')
  assert.equal(compressionRatio(' And so my fellow Americans, ask not what your country can do for you.').toFixed(4), '0.9857')
  assert.equal(compressionRatio(''), 0)
})

test('temperatures rise by 0.2 to 1', () => {
  assert.deepEqual(temperaturesFrom(0), [0, 0.2, 0.4, 0.6, 0.8, 1])
  assert.deepEqual(temperaturesFrom(0.5), [0.5, 0.7, 0.9])
  assert.deepEqual(temperaturesFrom(1), [1])
  assert.deepEqual(temperaturesFrom(2), [2])
})

test('a credible or silent window is settled, a repeating or uncertain one is decoded again', () => {
  assert.equal(isSettled(attempt(-0.3), 0.9), true)
  assert.equal(isSettled(attempt(-1.2), 0.1), false)
  assert.equal(isSettled(attempt(-1.2), 0.7), true)
  assert.equal(isSettled(attempt(-0.1, REPEATED), 0.1), false)
  assert.equal(judge([attempt(-1.2)], 0.7).verdict, 'silent')
  assert.equal(judge([attempt(-1.2), attempt(-0.5)], 0.1).verdict, 'accepted')
})

test('after the last temperature the likeliest text that does not repeat itself is kept with a notice', () => {
  const tried = [attempt(-0.1, REPEATED), attempt(-1.8, ' one', 0.2), attempt(-1.1, ' two', 0.4), attempt(-1.5, ' three', 0.6)]
  const { attempt: best, verdict } = judge(tried, 0.1)
  assert.deepEqual([best.text, verdict], [' two', 'uncertain'])
  assert.equal(judge([attempt(-0.1, REPEATED), attempt(-0.2, REPEATED)], 0.1).verdict, 'repeats')
})

test('notices name the parts', () => {
  const notices = createNotices('faster-whisper', true)
  for (let part = 0; part < 7; part++) notices.add('repeats', { start: part * 30, end: part * 30 + 30 })
  notices.add('silent', { start: 61, end: 63.5 })
  notices.add('accepted', { start: 0, end: 1 })
  assert.deepEqual(notices.all(), [
    'faster-whisper left out text that repeats itself: 0:00 to 0:30, 0:30 to 1:00, 1:00 to 1:30, 1:30 to 2:00, 2:00 to 2:30 and 2 more.',
    'faster-whisper left out parts without clear speech: 1:01 to 1:03.',
  ])
  assert.deepEqual(createNotices('faster-whisper', false).all(), ['No speech was found in the recording.'])
})

test('a token is chosen by its probability', () => {
  const logits = Float32Array.from([0, Math.log(2), Math.log(5), Number.NEGATIVE_INFINITY])
  assert.equal(chooseToken(logits, 0, () => 0).token, 2)
  assert.ok(Math.abs(chooseToken(logits, 0, () => 0).logProbability - Math.log(5 / 8)) < 1e-6)
  for (const [unit, token] of [
    [0, 0],
    [0.13, 1],
    [0.37, 1],
    [0.38, 2],
    [0.999_999_999, 2],
  ] as const)
    assert.equal(chooseToken(logits, 1, () => unit).token, token)
  // Sampling at another temperature reports the probability at temperature 1.
  assert.ok(Math.abs(chooseToken(logits, 0.5, () => 0.1).logProbability - Math.log(2 / 8)) < 1e-6)
  assert.ok(Math.abs(probabilityOf(logits, 1) - 2 / 8) < 1e-6)
  assert.equal(probabilityOf(logits, 9), 0)
  for (const bad of [
    [Number.NaN, 0],
    [0, Number.NaN],
    [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ])
    assert.throws(
      () => chooseToken(Float32Array.from(bad), 0, () => 0),
      (error) => error instanceof Failure && error.code === 'NON_FINITE_OUTPUT',
    )
})
