import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { PlacedTake } from '#control-plane/media/film/mix/plan.ts'
import { openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { film, never } from './corpus.ts'
import { channelOf, clicksIn, newPath, RATE } from './sound.ts'

const TAKE_RATE = 24_000
/** A take whose first sample of sound is its first sample: a burst of 20 ms, then a quiet tone. */
function take(seconds: number): PlacedTake {
  const samples = Float32Array.from(
    { length: seconds * TAKE_RATE },
    (_, i) => (i < 480 ? 0.5 : 0.02) * Math.cos((2 * Math.PI * 600 * i) / TAKE_RATE),
  )
  const path = `${newPath('take')}.wav`
  writeFileSync(path, Buffer.concat([wavHeader({ sampleRate: TAKE_RATE, channels: 1, samples: samples.length }), toS16(samples)]))
  return {
    take: { path, sampleRate: TAKE_RATE, offsetBytes: 44, samples: samples.length },
    part: null,
    startUs: 0,
    tempo: 1,
    lengthUs: seconds * 1e6,
    gainDb: 0,
  }
}

test('takes are where the plan puts them, also after an hour', async () => {
  const starts = [0, 1_234_567, 61_000_000, 3_600_123_457]
  const line = take(1)
  const to = newPath('voice')
  const { sound, placed } = await film.assemble(
    { takes: starts.map((startUs) => ({ ...line, startUs })).reverse(), durationUs: 3_610_000_000, to },
    never,
  )
  assert.equal(sound.samples, 3610 * RATE)
  assert.deepEqual(
    placed.map((each) => each.from).reverse(),
    starts.map((us) => Math.round((us * RATE) / 1e6)),
  )
  const track = await openBlocks(to)
  for (const { from } of placed) {
    const bytes = await track.read(from - 4, 8)
    const near = Array.from({ length: 8 }, (_, i) => Math.abs(bytes.readFloatLE(4 * i)))
    assert.ok(Math.max(...near.slice(4)) > 0.4 && Math.max(...near.slice(0, 3)) < 0.2, `${from}: ${near}`)
  }
})

test('lines have exactly the planned length: padded, faster or cut', async () => {
  const line = take(2)
  const to = newPath('voice')
  const { placed } = await film.assemble(
    {
      takes: [
        { ...line, startUs: 0, lengthUs: 2_500_000 },
        { ...line, startUs: 3e6, tempo: 1.25, lengthUs: 1_600_000 },
        { ...line, startUs: 6e6, lengthUs: 1_000_000, gainDb: 6 },
        { ...line, startUs: 8e6, part: { from: 0, to: TAKE_RATE }, lengthUs: 1e6 },
        { ...line, startUs: 11.5e6 },
        { ...line, startUs: 13e6 },
      ],
      durationUs: 12e6,
      to,
    },
    never,
  )
  assert.deepEqual(
    placed.map((each) => each.to - each.from),
    [2.5, 1.6, 1, 1, 0.5, 0].map((seconds) => seconds * RATE),
  )
  assert.deepEqual(
    placed.map(({ cutUs }) => cutUs > 900_000),
    [false, false, true, false, true, false],
  )
  assert.ok(placed[1]!.cutUs < 30_000)
  const track = await channelOf(to)
  assert.deepEqual(
    clicksIn(track).map((at) => Math.round(at * 1000)),
    [0, 3000, 6000, 8000, 11500],
  )
  // The cut fades out, and the louder line is twice as loud.
  assert.ok(Math.abs(track[7 * RATE - 2]!) < 0.001)
  const level = (at: number) => Math.max(...track.slice(at * RATE, at * RATE + 4800).map(Math.abs))
  assert.ok(Math.abs(level(6.5) / level(0.5) - 2) < 0.05)
})

test('lines that overlap add up, and a take without its file is a failure', async () => {
  const line = take(1)
  const to = newPath('voice')
  await film.assemble(
    {
      takes: [
        { ...line, startUs: 1e6 },
        { ...line, startUs: 1e6 },
      ],
      durationUs: 3e6,
      to,
    },
    never,
  )
  const loudest = (await channelOf(to)).subarray(1.2 * RATE, 1.8 * RATE).reduce((most, sample) => Math.max(most, sample), 0)
  assert.ok(Math.abs(loudest - 0.04) < 0.002)
  rmSync(line.take.path)
  await assert.rejects(film.assemble({ takes: [line], durationUs: 3e6, to: newPath('voice') }, never), { code: 'INPUT_UNAVAILABLE' })
})
