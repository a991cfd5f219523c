import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concat } from '#shared/audio/stage.ts'
import { changeTempo, fitLength } from '#shared/audio/stretch/tempo.ts'
import { stretchSound } from '#shared/audio/stretch/wsola.ts'
import { speech, tone } from '../signal.ts'

const RATE = 16_000
const crossings = (samples: Float32Array) =>
  samples.reduce((sum, sample, i) => sum + (i > 0 && sample >= 0 !== samples[i - 1]! >= 0 ? 1 : 0), 0) / samples.length

test('tempo changes the length and keeps the pitch', async () => {
  const note = tone(4, RATE, 200, 0.5)
  for (const tempo of [0.8, 1.2, 1.5]) {
    const changed = await changeTempo(note, RATE, tempo)
    assert.ok(Math.abs(changed.length / RATE - 4 / tempo) < 0.02, `${tempo}`)
    assert.ok(Math.abs(crossings(changed) / crossings(note) - 1) < 0.02, `${tempo}`)
  }
  assert.equal(await changeTempo(note, RATE, 1), note)
  await assert.rejects(changeTempo(note, RATE, 4), RangeError)
  await assert.rejects(changeTempo(note, RATE, Number.NaN), RangeError)
})

test('speech is padded with silence, or cut with a fade, in a pause when one is near', () => {
  const note = tone(1, RATE, 200, 0.5)
  const padded = fitLength(note, 20_000, RATE)
  assert.deepEqual([padded.samples.length, padded.cut], [20_000, 0])
  assert.deepEqual(padded.samples.subarray(0, 16_000), note)
  const cut = fitLength(note, 8000, RATE)
  assert.deepEqual([cut.samples.length, cut.cut], [8000, 8000])
  assert.ok(Math.abs(cut.samples[7998]!) < 0.002)
  const paused = note.map((sample, i) => (i > 6500 && i < 7300 ? 0 : sample))
  assert.ok(
    fitLength(paused, 8000, RATE)
      .samples.subarray(7400)
      .every((sample) => sample === 0),
  )
})

async function stretched(source: Float32Array, from: number, to: number, length: number) {
  const read = async (at: number, count: number) => [Float32Array.from({ length: count }, (_, i) => source[at + i] ?? 0)]
  const out: Float32Array[] = []
  for await (const [piece] of stretchSound({ read, alike: 1, from, to, length, sampleRate: RATE })) out.push(piece!)
  return concat(out)
}

test('stretched sound has the exact length and continues the sound at both ends', async () => {
  const source = speech(4, RATE, 5)
  for (const length of [1, 7, 100, 16_000, 16_001, 20_000, 48_000]) {
    const out = await stretched(source, 16_000, 32_000, length)
    assert.equal(out.length, length)
    if (length > 1000) assert.ok(Math.abs(out[0]! - source[16_000]!) < 1e-6, `${length}`)
    assert.equal(out.at(-1), source[31_999])
  }
  assert.deepEqual(await stretched(source, 8000, 24_000, 16_000), source.slice(8000, 24_000), 'unchanged at its own length')
})

test('a stretched note keeps pitch and level', async () => {
  const note = tone(3, RATE, 237, 0.5)
  const out = await stretched(note, 8000, 24_000, 30_000)
  assert.ok(Math.abs(crossings(out) / crossings(note) - 1) < 0.02)
  for (let at = 0; at + 400 < out.length; at += 400) {
    const most = Math.max(...out.subarray(at, at + 400).map(Math.abs))
    assert.ok(most > 0.42 && most < 0.52, `${most} at ${at}`)
  }
})
