import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Clip } from '#agent/engine/verify/clips.ts'
import { makeClip } from '#agent/engine/verify/clips.ts'
import { judgeRun, levelDb } from '#agent/engine/verify/judge.ts'

const tone = (seconds: number, rate: number, level = 0.1) =>
  Float32Array.from({ length: Math.round(seconds * rate) }, (_, at) => level * Math.sin(at / 7))
const sound = (samples: Float32Array, rate = 24_000) => ({ result: { sample_rate: rate }, parts: [samples] })
const asr = (text: string, words?: { start: number; end: number; word: string }[]) => ({
  result: { text, language: 'en', segments: [{ start: 0, end: 3, text, ...(words && { words }) }], duration: 3, notices: [] },
  parts: [],
})
const clip: Clip = {
  wav: new Uint8Array(),
  samples: tone(4, 16_000),
  rate: 16_000,
  seconds: 4,
  sentences: [
    { start: 1, end: 2 },
    { start: 2.5, end: 3 },
  ],
}

test('speech has the expected rate and length, and can be heard', () => {
  const expect = { of: 'speech', seconds: [1, 3], rate: 24_000 } as const
  assert.equal(judgeRun(expect, sound(tone(2, 24_000)), null).passes, true)
  assert.match(judgeRun(expect, sound(tone(2, 24_000)), null).found, /^2\.00 s \(48000 samples\) at 24000 Hz, -\d+\.\d dB$/)
  for (const wrong of [
    sound(tone(0.5, 24_000)),
    sound(tone(4, 24_000)),
    sound(tone(2, 16_000), 16_000),
    sound(tone(2, 24_000, 1e-5)),
    sound(new Float32Array(48_000).fill(Number.NaN)),
    { result: { sample_rate: 24_000 }, parts: [] },
  ])
    assert.equal(judgeRun(expect, wrong, null).passes, false)
  assert.throws(() => judgeRun(expect, { result: {}, parts: [] }, null))
})

test('words are counted without case, punctuation and order, and may need times', () => {
  const expect = { of: 'words', words: 'The quick brown fox.', share: 0.75 } as const
  assert.equal(judgeRun(expect, asr('Quick, the FOX!'), clip).passes, true)
  assert.equal(judgeRun(expect, asr('the the the the'), clip).passes, false)
  assert.deepEqual(judgeRun(expect, asr(' '), clip), {
    passes: false,
    expected: 'at least 3 of these words: The quick brown fox.',
    found: 'no words',
  })
  const timed = { ...expect, timed: true }
  const word = (start: number, end: number) => ({ start, end, word: 'a' })
  assert.equal(judgeRun(timed, asr('the quick fox'), clip).passes, false)
  assert.equal(judgeRun(timed, asr('the quick fox', [word(0, 1), word(1, 2)]), clip).passes, true)
  assert.equal(judgeRun(timed, asr('the quick fox', [word(1, 2), word(0, 1)]), clip).passes, false)
  assert.equal(judgeRun(timed, asr('the quick fox', [word(1, 1)]), clip).passes, false)
  assert.equal(judgeRun(timed, asr('the quick fox', [word(3, 9)]), clip).passes, false)
  assert.equal(judgeRun(expect, { result: { texts: ['The quick fox.'] }, parts: [] }, null).passes, true)
})

test('segments are compared with the sentences of the clip', () => {
  const found = (...segments: object[]) =>
    judgeRun({ of: 'sentences', within: 0.2 }, { result: { segments, duration: 4 }, parts: [] }, clip)
  assert.equal(found({ start: 0.9, end: 2.1 }, { start: 2.5, end: 3.1 }).passes, true)
  assert.equal(found({ start: 0.7, end: 2.1 }, { start: 2.5, end: 3.1 }).passes, false)
  assert.equal(found({ start: 1, end: 3 }).passes, false)
  assert.match(found().found, /no time/)
})

test('noise, separation, speakers and language', async () => {
  const noisy = await makeClip('noise')
  const [speech] = noisy.sentences
  const quiet = noisy.samples.map((sample, at) => (at / noisy.rate < speech!.start - 0.1 ? sample * 0.05 : sample))
  const less = { of: 'less noise', noiseDb: 10, speechDb: 3 } as const
  assert.equal(judgeRun(less, sound(quiet, noisy.rate), noisy).passes, true)
  assert.equal(judgeRun(less, sound(noisy.samples, noisy.rate), noisy).passes, false)
  assert.equal(judgeRun(less, sound(new Float32Array(noisy.samples.length), noisy.rate), noisy).passes, false, 'silence is no cleaning')
  assert.equal(judgeRun(less, sound(quiet.subarray(0, -8_000), noisy.rate), noisy).passes, false)

  const apart = { of: 'separation', voiceDb: 6 } as const
  const rest = noisy.samples.map((sample) => sample * 0.1)
  const parts = (...each: Float32Array[]) => ({ result: { sample_rate: noisy.rate }, parts: each })
  assert.equal(judgeRun(apart, parts(noisy.samples, rest), noisy).passes, true)
  assert.equal(judgeRun(apart, parts(rest, noisy.samples), noisy).passes, false)
  assert.equal(judgeRun(apart, parts(noisy.samples), noisy).passes, false)

  const turns = { result: { segments: [0, 1, 0].map((speaker, at) => ({ start: at, end: at + 1, speaker })) }, parts: [] }
  assert.equal(judgeRun({ of: 'speakers', count: 2 }, turns, clip).passes, true)
  assert.equal(judgeRun({ of: 'speakers', count: 3 }, turns, clip).passes, false)
  assert.deepEqual(judgeRun({ of: 'language', code: 'en' }, { result: { language: '' }, parts: [] }, clip), {
    passes: false,
    expected: 'en',
    found: 'none',
  })
  assert.equal(levelDb(new Float32Array(0)), -120)
})

test('a clip is the same on every machine, and its sentences do not overlap', async () => {
  const [one, other] = [await makeClip('two speakers'), await makeClip('two speakers')]
  assert.deepEqual(one.wav, other.wav)
  assert.equal(one.sentences.length, 4)
  for (const [at, { start, end }] of one.sentences.entries())
    assert.ok(end - start > 0.5 && start > (one.sentences[at - 1]?.end ?? 0) && end <= one.seconds)
})
