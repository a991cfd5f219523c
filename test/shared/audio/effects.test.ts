import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBiquad, createTwoBiquads, type Filter } from '#shared/audio/biquad.ts'
import { createCompressor } from '#shared/audio/compressor.ts'
import { createEffects, EFFECT_PRESETS } from '#shared/audio/effects.ts'
import { chain } from '#shared/audio/stage.ts'
import { atOnce, inPieces, peakOf, powerOf, speech, tone } from './signal.ts'

const RATE = 24000
const changeDb = (filter: Filter, hz: number) => {
  const sound = tone(0.5, RATE, hz, 0.1)
  return 10 * Math.log10(powerOf(atOnce(createBiquad(filter, RATE), sound).subarray(2000)) / powerOf(sound.subarray(2000)))
}
const near = (actual: number, expected: number, what: string) =>
  assert.ok(Math.abs(actual - expected) < 0.3, `${what}: ${actual.toFixed(2)} dB`)

test('filters have the specified gain at each frequency', () => {
  const low = { kind: 'low-shelf', hz: 300, db: 6 } as const
  const high = { kind: 'high-shelf', hz: 3000, db: -6 } as const
  const peak = { kind: 'peak', hz: 1000, db: 4, q: 1 } as const
  near(changeDb(low, 30), 6, 'under a low shelf')
  near(changeDb(low, 300), 3, 'at its corner')
  near(changeDb(low, 5000), 0, 'far above it')
  near(changeDb(high, 11000), -6, 'above a high shelf')
  near(changeDb(high, 200), 0, 'far below it')
  near(changeDb(peak, 1000), 4, 'on a peak')
  near(changeDb(peak, 60), 0, 'beside it')
  near(changeDb({ kind: 'high-pass', hz: 100 }, 100), -3, 'at the corner of a high-pass')
  assert.ok(changeDb({ kind: 'high-pass', hz: 100 }, 25) < -20)
  near(changeDb({ kind: 'high-shelf', hz: 20000, db: 6 }, 5000), 0, 'a corner above what the sample rate carries')
})

test('two filters in one loop give the samples of one after the other', () => {
  const [shelf, highPass] = [{ kind: 'high-shelf', hz: 1682, db: 4 } as const, { kind: 'high-pass', hz: 38 } as const]
  // At 3 kHz the shelf is above the range.
  for (const rate of [3000, 8000, 24000]) {
    const sound = speech(0.6, rate, 4)
    const expected = atOnce(chain([createBiquad(shelf, rate), createBiquad(highPass, rate)]), sound)
    assert.deepEqual(atOnce(createTwoBiquads(shelf, highPass, rate), sound), expected)
  }
})

test('a compressor reduces loud audio and leaves quiet audio unchanged', () => {
  const settings = { thresholdDb: -20, ratio: 4, attackMs: 1, releaseMs: 50, makeupDb: 0 }
  const after = (peak: number) => peakOf(atOnce(createCompressor(settings, RATE), tone(0.5, RATE, 400, peak)).subarray(6000))
  assert.ok(Math.abs(after(0.01) - 0.01) < 0.0002)
  const loud = 20 * Math.log10(after(1))
  assert.ok(loud < -10 && loud > -16, `a full scale tone comes out at ${loud.toFixed(1)} dB`)
})

test('there are six presets in a fixed order', () => {
  assert.deepEqual(
    EFFECT_PRESETS.map(({ id, icon, label }) => `${id} ${icon} ${label}`),
    ['broadcast 📻 Broadcast', 'cinematic 🎬 Cinematic', 'podcast 🎙️ Podcast', 'raw 🔇 Raw', 'warm ☀️ Warm', 'bright ✨ Bright'],
  )
  assert.ok(EFFECT_PRESETS.every(({ description }) => description.length > 0))
})

test('raw and unknown presets change nothing, others do, and none depends on the chunk sizes', () => {
  for (const rate of [8000, 16000, 48000]) {
    const sound = speech(0.6, rate, 9)
    for (const id of [...EFFECT_PRESETS.map((preset) => preset.id), 'no such preset']) {
      const whole = atOnce(createEffects(id, rate), sound)
      assert.equal(whole.length, sound.length)
      assert.ok(whole.every(Number.isFinite))
      assert.deepEqual(inPieces(createEffects(id, rate), sound, 5), whole)
      const changed = whole.some((sample, i) => sample !== sound[i])
      assert.equal(changed, id !== 'raw' && id !== 'no such preset', `${id} at ${rate} Hz`)
    }
  }
})
