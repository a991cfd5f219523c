import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { createMark, markStep } from '#shared/audio/mark/mark.ts'
import { detectMark } from '#shared/audio/mark/mark-detect.ts'
import { fromS16, toS16 } from '#shared/audio/pcm.ts'
import { concat } from '#shared/audio/stage.ts'
import { assertSameSamples } from '#test/support/audio/sound.ts'
import { atOnce, inPieces, peakOf, resample, seeded, snrOf, speech } from '../signal.ts'
import { findsNothing } from './searches.ts'

const key = (name: string) => new TextEncoder().encode(name)
const KEY = key('the installation')
const PAYLOAD = 0xcafe1234
const mark = (sound: Float32Array, sampleRate: number, payload = PAYLOAD) => atOnce(createMark({ key: KEY, payload, sampleRate }), sound)
const hasFfmpeg = (() => {
  try {
    execFileSync('ffmpeg', ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const SOUND = speech(12, 24000, 21)
const MARKED = mark(SOUND, 24000)
const found = (samples: Float32Array, sampleRate = 24000, keys = [KEY]) => {
  const { level, payload, keyIndex } = detectMark(samples, sampleRate, keys)
  return { level, payload, keyIndex }
}
const DECODED = { level: 'decoded', payload: PAYLOAD, keyIndex: 0 }

test('a mark is read back, and is at least 23 dB below the speech', () => {
  assert.deepEqual(found(MARKED), DECODED)
  const snr = snrOf(SOUND, MARKED)
  assert.ok(snr >= 23 && snr < 40, `the mark is ${snr.toFixed(1)} dB below`)
  assert.ok(detectMark(MARKED, 24000, [KEY]).confidence > 0.99)
})

test('the mark is at least 23 dB below noise and clicks as well', () => {
  const random = seeded(9)
  for (const sampleRate of [8000, 16000, 24000, 44100]) {
    const noise = Float32Array.from({ length: 3 * sampleRate }, () => 0.4 * (random() - 0.5))
    const clicks = noise.map((_, i) => (i % 1000 === 0 ? 0.8 : 0))
    for (const sound of [noise, clicks]) {
      const snr = snrOf(sound, mark(sound, sampleRate))
      assert.ok(snr >= 23, `${snr.toFixed(1)} dB at ${sampleRate} Hz`)
    }
  }
})

test('a mark survives common processing', () => {
  const random = seeded(5)
  const loudest = peakOf(SOUND)
  for (const [name, samples, sampleRate] of [
    ['rounding to 16 bits', fromS16(toS16(MARKED)), 24000],
    ['resampling to 16 kHz', resample(MARKED, 24000, 16000), 16000],
    ['half the volume', MARKED.map((sample) => sample * 0.5), 24000],
    ['a lost beginning', MARKED.subarray(31_337), 24000],
    ['a little noise', MARKED.map((sample) => sample + 0.005 * loudest * (random() - 0.5)), 24000],
  ] as const) {
    assert.deepEqual(found(samples, sampleRate), DECODED, name)
  }
})

for (const [name, encoder, kbps, container] of [
  ['Opus', 'libopus', 24, 'ogg'],
  ['AAC', 'aac', 32, 'adts'],
  ['MP3', 'libmp3lame', 32, 'mp3'],
] as const) {
  test(`eight seconds survive ${name} at ${kbps} kbit/s`, { skip: hasFfmpeg ? false : 'ffmpeg is not on PATH' }, () => {
    const raw = ['-f', 's16le', '-ar', '24000', '-ac', '1']
    const piece = toS16(MARKED.subarray(50_000, 50_000 + 8 * 24_000))
    const args = ['-v', 'error', ...raw, '-i', '-', '-c:a', encoder, '-b:a', `${kbps}k`, '-f', container, '-']
    const encoded = execFileSync('ffmpeg', args, { input: piece })
    const decoded = execFileSync('ffmpeg', ['-v', 'error', '-i', '-', ...raw, '-'], { input: encoded })
    assert.deepEqual(found(fromS16(decoded)), DECODED)
  })
}

test('a mark works at every sample rate from 8 to 48 kHz', () => {
  for (const sampleRate of [8000, 11025, 16000, 22050, 48000]) {
    assert.deepEqual(found(mark(speech(12, sampleRate, 8), sampleRate), sampleRate), DECODED, `${sampleRate} Hz`)
  }
})

test('the right key of several is named, and a wrong key finds nothing', () => {
  assert.deepEqual(found(MARKED, 24000, [key('another'), KEY, key('a third')]), { ...DECODED, keyIndex: 1 })
  assert.deepEqual(found(MARKED, 24000, [key('another')]), { level: 'none', payload: null, keyIndex: null })
})

// Two thousand: test/long/units/properties.test.ts.
test('sixty searches of unmarked audio find nothing', () => findsNothing(3))

test('a payload is reported only for a match that no unmarked recording reaches', () => {
  const pieces = [0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5].map((seconds) => detectMark(MARKED.subarray(0, seconds * 24_000), 24_000, [KEY]))
  for (const { z, payload } of pieces) assert.equal(payload, z >= 9.5 ? PAYLOAD : null)
})

test('the output has the length of the input and does not depend on the chunk sizes', () => {
  for (const [seconds, sampleRate] of [
    [0, 16000],
    [0.01, 16000],
    [0.5, 8000],
    [3, 22050],
  ] as const) {
    const sound = speech(seconds, sampleRate, 2)
    const whole = mark(sound, sampleRate)
    assert.equal(whole.length, sound.length)
    for (const seed of [1, 2, 3]) assertSameSamples(inPieces(createMark({ key: KEY, payload: PAYLOAD, sampleRate }), sound, seed), whole)
  }
})

test('pauses stay unchanged, and too little audio yields no result', () => {
  const pause = concat([speech(1, 16000, 3), new Float32Array(16000), Float32Array.from({ length: 16000 }, (_, i) => 1e-6 * Math.sin(i))])
  const marked = mark(pause, 16000)
  assert.ok(peakOf(marked.map((sample, i) => sample - pause[i]!).subarray(17_000)) < 1e-9)
  for (const samples of [new Float32Array(0), new Float32Array(100), new Float32Array(80_000)])
    assert.equal(detectMark(samples, 16000, [KEY]).level, 'none')
  assert.equal(detectMark(MARKED, 24000, []).level, 'none')
})

test('parts that are marked at their own positions have one pattern', () => {
  const step = markStep(24000)
  const [first, second] = [Math.floor(31_000 / step) * step, Math.floor(170_000 / step) * step]
  const part = (from: number, to: number) =>
    atOnce(createMark({ key: KEY, payload: PAYLOAD, sampleRate: 24000, position: from }), SOUND.slice(from, to))
  const parts = concat([SOUND.slice(0, first), part(first, 150_000), SOUND.slice(150_000, second), part(second, SOUND.length)])
  assert.equal(parts.length, SOUND.length)
  assert.deepEqual(found(parts), DECODED)
  assert.throws(() => createMark({ key: KEY, payload: PAYLOAD, sampleRate: 24000, position: 1 }), RangeError)
})
