// Voice tracks that take minutes over from an earlier track: the same sound as without it, and only what changed is made.
import assert from 'node:assert/strict'
import { rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { PlacedTake } from '#control-plane/media/film/mix/plan.ts'
import { blockName, openBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { toS16 } from '#shared/audio/pcm.ts'
import { seeded } from '#test/support/doubles/seeded.ts'
import { film, never } from './corpus.ts'
import { newPath, RATE } from './sound.ts'

const TAKE_RATE = 16_000
const MINUTES = 4
const DURATION_US = MINUTES * 60e6 - 7_000_000
const seed = seeded(11)

function takeOf(seconds: number, pitch: number): PlacedTake {
  const samples = Float32Array.from({ length: seconds * TAKE_RATE }, (_, i) => 0.3 * Math.sin((2 * Math.PI * pitch * i) / TAKE_RATE))
  const path = newPath('take')
  writeFileSync(path, toS16(samples))
  const take = { path, sampleRate: TAKE_RATE, offsetBytes: 0, samples: samples.length }
  return { take, part: null, startUs: 0, tempo: 1, lengthUs: seconds * 1e6, gainDb: 0 }
}
const TAKES = Array.from({ length: 12 }, (_, at) => takeOf(1 + (at % 4), 200 + 40 * at))
const randomLine = (): PlacedTake => ({
  ...seed.pick(TAKES),
  startUs: seed.below(DURATION_US),
  tempo: seed.pick([1, 1, 1.2]),
  lengthUs: seed.pick([700_000, 2_000_000, 4_500_000]),
  gainDb: seed.pick([0, -3]),
})
async function made(takes: readonly PlacedTake[], earlier: string | null, durationUs = DURATION_US) {
  const to = newPath('voice')
  const { sound, placed } = await film.assemble({ takes, durationUs, earlier, to }, never)
  const track = await openBlocks(to)
  const bytes = await track.read(0, track.samples)
  return { to, sound, placed, bytes }
}
const isLinked = (folder: string, minute: number): boolean =>
  (statSync(join(folder, blockName(minute)), { throwIfNoEntry: false })?.nlink ?? 0) > 1
/** One line in the middle of each minute. */
const oneAMinute = () => Array.from({ length: MINUTES }, (_, minute) => ({ ...TAKES[minute]!, startUs: minute * 60e6 + 20e6 }))

test('after any change of lines, a track is the same with an earlier one and without', async () => {
  let lines = Array.from({ length: 10 }, randomLine)
  const change = (next: (line: PlacedTake) => Partial<PlacedTake>) => () => {
    const at = seed.below(lines.length)
    lines = lines.with(at, { ...lines[at]!, ...next(lines[at]!) })
  }
  let durationUs = DURATION_US
  const changes: Record<string, () => void> = {
    nothing() {},
    take: change(() => ({ take: takeOf(2, 900).take })),
    part: change(({ take }) => ({ part: { from: 1_000, to: take.samples - 500 } })),
    start: change(({ startUs }) => ({ startUs: startUs - 1_000 })),
    border: change(() => ({ startUs: 120e6 - 300_000 })),
    tempo: change(({ tempo }) => ({ tempo: tempo + 0.1 })),
    length: change(({ lengthUs }) => ({ lengthUs: lengthUs - 100_000 })),
    gain: change(({ gainDb }) => ({ gainDb: gainDb - 6 })),
    more: () => (lines = [...lines, randomLine()]),
    fewer: () => (lines = lines.slice(1)),
    order: () => (lines = lines.toReversed()),
    shorter: () => (durationUs -= 61_000_000),
    silence: () => (lines = []),
    'less silence': () => (durationUs -= 1_000_000),
  }
  let { to: earlier } = await made(lines, null)
  let taken = 0
  for (const [name, apply] of Object.entries(changes)) {
    apply()
    const [plain, quick] = [await made(lines, null, durationUs), await made(lines, earlier, durationUs)]
    assert.deepEqual([quick.sound, quick.placed], [plain.sound, plain.placed], name)
    assert.ok(quick.bytes.equals(plain.bytes), name)
    taken += Array.from({ length: MINUTES }, (_, minute) => minute).filter((minute) => isLinked(quick.to, minute)).length
    earlier = quick.to
  }
  assert.ok(taken >= 20, `${taken} minutes were taken over`)
})

test('only the minutes of a changed line are made again, and the takes of others are not read', async () => {
  const gone = takeOf(2, 700)
  const lines = oneAMinute().with(0, { ...gone, startUs: 20e6 })
  const before = await made(lines, null)
  rmSync(gone.take.path)
  const after = await made(lines.with(2, { ...takeOf(2, 900), startUs: 140e6 }), before.to)
  assert.deepEqual(
    Array.from({ length: MINUTES }, (_, minute) => isLinked(after.to, minute)),
    [true, true, false, true],
  )
  const at = 140 * RATE * 4
  assert.ok(after.bytes.subarray(0, at).equals(before.bytes.subarray(0, at)))
  assert.ok(!after.bytes.equals(before.bytes))
  assert.deepEqual(after.placed.toSpliced(2, 1), before.placed.toSpliced(2, 1))
  // The earlier track may be removed.
  rmSync(before.to, { recursive: true })
  const track = await openBlocks(after.to)
  assert.ok((await track.read(0, track.samples)).equals(after.bytes))
})

test('what is missing or damaged in an earlier track is made again', async () => {
  const lines = oneAMinute().slice(1)
  const plain = await made(lines, null)
  const damages: ((folder: string) => void)[] = [
    (folder) => rmSync(join(folder, blockName(2))),
    (folder) => truncateSync(join(folder, blockName(2)), 100),
    (folder) => rmSync(join(folder, 'lines.json')),
    (folder) => writeFileSync(join(folder, 'lines.json'), '{"version":1,"minutes":['),
    (folder) => writeFileSync(join(folder, 'lines.json'), JSON.stringify({ version: 1, minutes: [{ key: '../x' }], cuts: [] })),
    (folder) => rmSync(folder, { recursive: true }),
  ]
  for (const [index, damage] of damages.entries()) {
    const { to } = await made(lines, null)
    damage(to)
    const again = await made(lines, to)
    assert.ok(again.bytes.equals(plain.bytes), `${index}`)
    assert.deepEqual([again.sound, again.placed], [plain.sound, plain.placed], `${index}`)
  }
})
