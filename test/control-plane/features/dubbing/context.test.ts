import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { figuresOf, lookOf, meanLook, sampleTimes } from '#control-plane/features/dubbing/film/context/context.rules.ts'
import { createVideoContext } from '#control-plane/features/dubbing/film/context/context.service.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { FRAME_HEIGHT, FRAME_WIDTH } from '#control-plane/media/film/picture/frames.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { corpus, film, make, never, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const line = (id: number, startUs: number, endUs: number) => dubLine({ id: String(id), startUs, endUs })
const BYTES = FRAME_WIDTH * FRAME_HEIGHT * 3
const filled = (...colour: number[]) => Uint8Array.from({ length: BYTES }, (_, at) => colour[at % 3]!)

test('pictures are told apart by light, colour, detail and movement', () => {
  const black = filled(0, 0, 0)
  const stripes = Uint8Array.from({ length: BYTES }, (_, at) => (Math.floor(at / 3) % 2 === 0 ? 90 : 160))
  assert.deepEqual(lookOf(figuresOf({ first: black, second: black })), { brightness: 'dark', mood: 'calm', complexity: 'simple' })
  assert.deepEqual(lookOf(figuresOf({ first: filled(255, 250, 250), second: null })), {
    brightness: 'bright',
    mood: 'calm',
    complexity: 'simple',
  })
  assert.equal(lookOf(figuresOf({ first: filled(230, 20, 20), second: null })).mood, 'vivid')
  assert.equal(lookOf(figuresOf({ first: stripes, second: stripes })).complexity, 'detailed')
  assert.equal(lookOf(figuresOf({ first: black, second: filled(120, 120, 120) })).complexity, 'action')
  assert.deepEqual(meanLook([]), { brightness: 'unknown', mood: 'unknown', complexity: 'unknown' })
})

test('at most the allowed number of lines is sampled, evenly', () => {
  const lines = Array.from({ length: 100 }, (_, id) => line(id, id * 1000, id * 1000 + 500))
  const times = sampleTimes(lines, 30)
  assert.equal(times.length, 30)
  assert.equal(new Set(times.map(({ index }) => index)).size, 30)
  assert.deepEqual(
    [times[0], times[29]],
    [
      { index: 0, timeUs: 250 },
      { index: 96, timeUs: 96_250 },
    ],
  )
  assert.equal(sampleTimes(lines.slice(0, 2), 30).length, 2)
})

test('a dub with a dark and a moving half, one without a picture, and an unknown one', withPrograms, async (t) => {
  const folder = temporaryFolder(t)
  const path = join(folder, 'film.mp4')
  await make([
    ...['-f', 'lavfi', '-i', 'color=black:size=160x90:rate=25:duration=2', '-f', 'lavfi', '-i', 'testsrc2=size=160x90:rate=25:duration=2'],
    ...['-filter_complex', '[0][1]concat=n=2:v=1:a=0', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', path],
  ])
  const db = openTestDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const store = createDubStore({ db })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows: createFileRows({ db }), clock: systemClock })
  const add = async (id: string, source: string, letter: string) => {
    const sourceDigest = letter.repeat(64)
    const probe = await film.probe(source, never)
    const own = join(files.scratch, id)
    copyFileSync(source, own)
    store.dubs.create({ id, filename: 'film', inputType: probe.video ? 'video' : 'audio', sourceDigest, createdAt: 1 })
    store.dubs.change(id, { probe })
    await files.keep(sourceDigest, own, { kind: 'source', maker: 'test' }, id)
  }
  await add('film', path, 'a')
  await add('sound', await corpus('sound.mp3'), 'b')
  store.segments.replace('film', [line(1, 0, 1_800_000), line(2, 2_200_000, 3_800_000), line(3, 9_000_000, 9_500_000)])
  const context = createVideoContext({
    store,
    files,
    film,
    dub(id) {
      const dub = store.dubs.find(id)
      if (!dub) throw new Failure('NOT_FOUND', 'unknown')
      return dub
    },
  })

  const found = await context('film', never)
  assert.ok('frame_count' in found)
  assert.equal(found.frame_count, 2)
  assert.deepEqual(found.segments['0'], { brightness: 'dark', mood: 'calm', complexity: 'simple', frame_count: 1 })
  assert.equal(found.segments['1']?.mood, 'vivid')
  assert.equal(found.segments['1']?.complexity, 'detailed')
  assert.deepEqual(found.segments['2'], { brightness: 'unknown', mood: 'unknown', complexity: 'unknown', frame_count: 0 }, 'after the end')
  assert.deepEqual(await context('sound', never), { error: 'This dub has no picture.', segments: {} })
  await assert.rejects(context('missing', never), { code: 'NOT_FOUND' })
})
