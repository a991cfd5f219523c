// The cut of a voice recording that comes without its transcript.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutReference } from '#control-plane/features/speech/speech/voice/reference.rules.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { concat } from '#shared/audio/stage.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'

const RATE = 24_000
const tone = (seconds: number) => Float32Array.from({ length: seconds * RATE }, (_, at) => 0.3 * Math.sin(at / 19))
const silent = (seconds: number) => new Float32Array(seconds * RATE)
const wavOf = (...pieces: Float32Array[]) => {
  const samples = concat(pieces)
  return Buffer.concat([wavHeader({ sampleRate: RATE, channels: 1, samples: samples.length }), toS16(samples)])
}

test('a long recording is cut at a pause, and the sentence names the length', () => {
  const long = wavOf(tone(6), silent(0.5), tone(20))
  const { wav, remark } = cutReference(long)
  const { samples, sampleRate } = parseWav(wav)
  assert.equal(sampleRate, RATE)
  assert.ok(Math.abs(samples.length / RATE - 6.2) < 0.02, String(samples.length / RATE))
  assert.deepEqual(wav.subarray(44), long.subarray(44, wav.length))
  assert.match(remark!, /first 6\.2 seconds.*ref_text/)
})

test('a recording of up to eight seconds stays whole, silence at its start not counted', () => {
  for (const short of [wavOf(tone(1)), wavOf(tone(8)), wavOf(silent(20), tone(7))]) {
    assert.deepEqual(cutReference(short), { wav: short, remark: null })
  }
  const late = cutReference(wavOf(silent(20), tone(4), silent(0.5), tone(20)))
  assert.match(late.remark!, /first 24\.2 seconds/)
})
