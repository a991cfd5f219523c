import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutAtChunks, joinRanges, lengthToPause } from '#control-plane/features/voices/profiles/sound/take-cut.ts'
import { spokenSamples } from '#test/support/audio/spoken.ts'

const RATE = 1_000
const list = (parts: readonly { text: string; samples: number; silent?: true }[], more = {}) =>
  JSON.stringify({ taskId: 'task', sampleRate: RATE, leadMs: 500, crossfade: 50, parts, ...more })

test('whole chunks of at most 15 s are taken, with exactly their words', () => {
  const cut = cutAtChunks(
    list([
      { text: 'One.', samples: 6_000 },
      { text: 'Silent.', samples: 500, silent: true },
      { text: 'Two.', samples: 7_000 },
      { text: 'Three.', samples: 4_000 },
    ]),
  )!
  assert.equal(cut.text, 'One. Two.')
  assert.deepEqual(cut.ofOutput, [
    { from: 0, to: 6_000 },
    { from: 6_500, to: 13_500 },
  ])
  // After the silence at the start; both overlaps of the file are left out.
  assert.deepEqual(cut.ofFile, { from: 500, to: 500 + 6_000 + 7_000 - 50 - 50 })
})

test('without a list of chunks, or with a first chunk that is too long, there is no exact text', () => {
  for (const json of ['', '{', '[]', list([]), list([{ text: 'Long.', samples: 16_000 }]), list([{ text: 'x', samples: 0 }])])
    assert.equal(cutAtChunks(json), null, json)
})

test('a long take is cut at its last pause before second 15, and ends without a click', () => {
  const rate = 8_000
  const long = spokenSamples({ seconds: 40, rate })
  const length = lengthToPause(long, rate)
  assert.ok(length > 13 * rate && length <= 15.2 * rate, `${length / rate} s`)
  assert.ok(Math.abs(long[length - 1]!) < 0.01, 'in a pause')
  const tone = Float32Array.from({ length: 40 * rate }, (_, at) => 0.5 * Math.sin(at))
  assert.equal(lengthToPause(tone, rate), 15 * rate, 'without a pause')
  assert.equal(lengthToPause(tone.subarray(0, 100), rate), 100)
  const joined = joinRanges(
    tone,
    [
      { from: 0, to: 100 },
      { from: 200, to: 400 },
    ],
    rate,
  )
  assert.deepEqual([joined.length, Math.abs(joined[joined.length - 1]!)], [300, 0])
  assert.equal(tone[399], Math.fround(0.5 * Math.sin(399)), 'the source is not changed')
})
