import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measuredQuality } from '#control-plane/features/voices/profiles/files/measure.ts'
import { openMeter } from '#control-plane/features/voices/profiles/files/quality.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { spokenSamples } from '#test/support/audio/spoken.ts'

const RATE = 24_000
const qualityOf = (samples: Float32Array, rate: number) => {
  const meter = openMeter(rate)
  meter.push(samples)
  return meter.read()
}
const warningsOf = (samples: Float32Array) => qualityOf(samples, RATE).warnings.join(' ')

test('a clean recording of speech has no warnings', () => {
  const { seconds, speech_share, level_db, noise_db, warnings } = qualityOf(spokenSamples({ seconds: 6 }), RATE)
  assert.deepEqual([seconds, warnings], [6, []])
  assert.ok(speech_share > 0.5 && speech_share < 0.8, String(speech_share))
  assert.ok(level_db > -15 && level_db < -10 && noise_db < -60, `${level_db} and ${noise_db} dBFS`)
})

test('each defect of a recording has its warning', () => {
  const loud = spokenSamples({ seconds: 6, peak: 3 }).map((sample) => Math.min(1, Math.max(-1, sample)))
  const noisy = spokenSamples({ seconds: 6, peak: 0.1 }).map((sample, at) => sample + 0.05 * Math.sin(at * at))
  for (const [samples, expected] of [
    [spokenSamples({ seconds: 2 }), /has 2.0 seconds/],
    [spokenSamples({ seconds: 30 }), /has 30 seconds/],
    [loud, /overdriven/],
    [spokenSamples({ seconds: 6, peak: 0.005 }), /very quiet/],
    [noisy, /background noise/],
    [spokenSamples({ seconds: 6, edgeSeconds: 0 }), /starts inside a word/],
    [spokenSamples({ seconds: 6, edgeSeconds: 2.5 }), /Most of the recording is silence/],
    [new Float32Array(6 * RATE), /is silent/],
    [new Float32Array(0), /is silent/],
  ] as const)
    assert.match(warningsOf(samples), expected)
})

test('a recording has the same quality in parts as in one piece', async () => {
  for (const seconds of [0, 0.03, 0.1, 5, 12.34, 20.01]) {
    const pcm = toS16(spokenSamples({ seconds }))
    const wav = Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: pcm.length / 2 }), pcm])
    assert.deepEqual(await measuredQuality(wav), qualityOf(fromS16(pcm), RATE), String(seconds))
  }
})
