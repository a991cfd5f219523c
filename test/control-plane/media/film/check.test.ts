// Measures of a voice track: loudness, clipped samples, and the original voice in the mix.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { clippedSamples, type MeasuredPart } from '#control-plane/media/film/mix/check.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { film, never } from './corpus.ts'
import { monoTrack, newPath, RATE, stereo, tone } from './sound.ts'

const SECONDS = 4
const spanOf = (from: number, to: number) => ({ from: from * RATE, to: to * RATE })
const glide = (pitch: number) => (time: number) =>
  [1, 2, 3, 4, 5].reduce((sum, n) => sum + (0.12 / n) * Math.sin(n * (2 * Math.PI * pitch * time + 3 * Math.sin(2 * time))), 0)

test('each line has its loudness, the clipped samples of its take, and what is left of the original', async () => {
  const [original, voice] = [tone(SECONDS, glide(130)), tone(SECONDS, glide(205))]
  const quiet = (time: number) => (time < 2 ? 1 : 0.1)
  const track = voice.map((sample, at) => sample * quiet(at / RATE))
  // In the second half, a third of the original is left.
  const mix = track.map((sample, at) => sample + (at < 2 * RATE ? 0 : original[at]! / 3))
  const path = newPath('take')
  const take = tone(1, (time) => Math.max(-1, Math.min(1, 2 * Math.sin(2 * Math.PI * 200 * time))))
  writeFileSync(path, toS16(take))
  const lines: MeasuredPart[] = [
    { placed: spanOf(0, 2), take: { path, sampleRate: RATE, offsetBytes: 0, samples: RATE }, replaced: spanOf(0, 2) },
    { placed: spanOf(2, 4), take: null, replaced: spanOf(2, 4) },
    { placed: spanOf(2, 4), take: null, replaced: null },
  ]
  const leak = { vocals: await stereo(original), mix: await stereo(mix) }
  const sound = await monoTrack(track)
  const [loud, soft, last] = await film.check({ voice: sound, leak, lines }, never)
  assert.ok(Math.abs(loud!.loudness! - soft!.loudness! - 20) < 0.2, `${loud!.loudness} and ${soft!.loudness} LUFS`)
  assert.ok(loud!.clipped! > 0.6 * RATE && loud!.clipped! < 0.7 * RATE, `${loud!.clipped} of ${RATE} samples of a sine at twice full scale`)
  assert.equal(loud!.leakDb, null)
  assert.ok(Math.abs(soft!.leakDb! + 9.5) < 2, `${soft!.leakDb} dB`)
  assert.deepEqual([soft!.clipped, last!.leakDb], [null, null])

  const [plain] = await film.check({ voice: sound, leak: null, lines }, never)
  assert.equal(plain!.leakDb, null)
  await assert.rejects(film.check({ voice: newPath('gone'), leak: null, lines }, never), { code: 'INPUT_UNAVAILABLE' })
  const aborted = AbortSignal.abort(new Failure('CANCELLED', 'left'))
  await assert.rejects(film.check({ voice: sound, leak: null, lines }, aborted), { code: 'CANCELLED' })
})

test('samples at full scale are clipped where three follow each other with one sign', () => {
  const clipped = (...samples: number[]) => clippedSamples(Float32Array.from(samples))
  assert.deepEqual([clipped(), clipped(1, 1), clipped(1, 1, 1), clipped(0, -1, -1, -1, -1, 0)], [0, 0, 3, 4])
  assert.deepEqual([clipped(1, 1, -1, -1, 1, 1), clipped(1, 1, 0.9, 1, 1)], [0, 0])
  const runs = fc.array(fc.tuple(fc.constantFrom(-1, -0.5, 0, 0.5, 1), fc.integer({ min: 1, max: 6 })))
  fc.assert(
    fc.property(runs, (all) => {
      const samples = all.flatMap(([value, length], at) => [...Array<number>(length).fill(value), at % 2 ? 0.1 : -0.1])
      const expected = all.reduce((sum, [value, length]) => sum + (Math.abs(value) === 1 && length >= 3 ? length : 0), 0)
      assert.equal(clipped(...samples), expected)
    }),
  )
})
