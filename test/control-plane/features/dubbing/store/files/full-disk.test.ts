// A disk that is full in each stage of a dub: an error that names the way out, nothing lost, nothing left behind.
import assert from 'node:assert/strict'
import { readdirSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows, type FileKind } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { createTakeFiles } from '#control-plane/features/dubbing/voice/speak/take-files.ts'
import { createFilmMedia } from '#control-plane/media/film/film.ts'
import { openBlocks, writeBlocks } from '#control-plane/media/film/sound/blocks.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { writeZip } from '#shared/archive/zip.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { corpus, ffmpeg, ffprobe, film, folder, never, withPrograms } from '#test/control-plane/media/film/corpus.ts'
import { mayMount, smallDisk } from '#test/support/chaos/small-disk.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const skip = withPrograms.skip || (mayMount ? false : 'mounting is not permitted here')
const DUB = 'film'
const SECONDS = 6
const TAKE_RATE = 24_000
const digest = (letter: string) => letter.repeat(64)
const [SOURCE, SOUND, SPEECH, VOICE, MIX] = ['a', 'b', 'c', 'd', 'e'].map(digest) as [string, string, string, string, string]

test('a disk that is full in any stage is an error, and the same stage succeeds when there is room', { skip }, async (t) => {
  const disk = smallDisk(t, 'size=16m')
  const db = openDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  const [store, rows] = [createDubStore({ db }), createFileRows({ db })]
  const files = createDubFiles({ folder: disk, rows, clock: systemClock })
  const takes = createTakeFiles({ core: { store, files }, clock: systemClock })
  // What the disk says before the work: without it, the work itself meets the end of the disk.
  const freeBytes = async () => 2 ** 34
  const media = createFilmMedia({
    ffmpegPath: () => ffmpeg,
    ffprobePath: () => ffprobe,
    clock: systemClock,
    freeBytes,
    scratch: files.scratch,
  })
  store.dubs.create({ id: DUB, filename: 'film.mp4', inputType: 'video', sourceDigest: SOURCE, createdAt: 0 })
  const source = await corpus('plain.mp4')
  const probed = await film.probe(source, never)
  const incoming = join(disk, 'incoming')
  const isWithdrawn = () => false
  const pcm = Buffer.alloc(2 * SECONDS * TAKE_RATE)
  for (let at = 0; at < pcm.length; at += 2) pcm.writeInt16LE(Math.round(9_000 * Math.sin(at / 40)), at)

  const obtain = (key: string, kind: FileKind, make: (to: string) => Promise<unknown>) =>
    files.obtain(key, { kind, maker: 'test' }, DUB, async (to) => make(to).then(() => '{}'), never)
  const placed = async () => {
    const [take] = await store.tracks.takes(DUB, 'es')
    const file = { path: files.pathOf(take!.digest), sampleRate: TAKE_RATE, offsetBytes: 44, samples: pcm.length / 2 }
    return [{ take: file, part: null, startUs: 0, tempo: 1, lengthUs: durationUs, gainDb: 0 }]
  }
  const mixed = { duckDb: 0, voiceGainDb: 0, mark: null, preserveBackground: true, background: null, speech: [], placed: [] } as const
  const track = { sound: { folder: files.pathOf(MIX) }, language: 'es', title: 'es' }
  const shown = { subtitles: [], retime: null, burn: null, chapters: [], title: null, audioKbps: 192 }
  const durationUs = SECONDS * 1e6
  const sound = { sound: files.pathOf(MIX), kbps: 320, title: null, language: null }
  /** Free bytes while the stage fails, and the stage. */
  const stages: Readonly<Record<string, readonly [free: number, run: () => Promise<unknown>]>> = {
    'an upload': [
      0,
      async () => {
        await copyFile(source, incoming)
        await files.keep(SOURCE, incoming, { kind: 'source', maker: 'test' }, DUB)
      },
    ],
    extraction: [
      65_536,
      () =>
        obtain(SOUND, 'sound', (to) =>
          media.extract(files.pathOf(SOURCE), probed, null, { sound: to, speech: files.pathOf(SPEECH) }, never),
        ),
    ],
    'a still picture': [0, () => obtain(digest('1'), 'thumb', (to) => media.thumb(files.pathOf(SOURCE), probed, to, never))],
    separation: [
      65_536,
      () =>
        obtain(digest('2'), 'vocals', async (to) => {
          const original = await openBlocks(files.pathOf(SOUND))
          const blocks = await writeBlocks(to, { sampleRate: original.sampleRate, channels: 2, encoding: 's16' })
          await blocks.write(await original.read(0, original.samples))
          await blocks.seal()
        }),
    ],
    'a take': [
      65_536,
      () => takes.add({ dubId: DUB, language: 'es', segmentId: 'a', key: 'k', pcm, sampleRate: TAKE_RATE, recording: null, isWithdrawn }),
    ],
    assembly: [65_536, () => obtain(VOICE, 'track', async (to) => media.assemble({ takes: await placed(), durationUs, to }, never))],
    'the mix': [
      65_536,
      () =>
        obtain(MIX, 'mix', (to) =>
          media.mix({ ...mixed, original: files.pathOf(SOUND), voice: files.pathOf(VOICE), durationUs, to }, never),
        ),
    ],
    'a film': [
      16_384,
      () =>
        obtain(digest('3'), 'export', (to) =>
          media.exportFilm(
            { source: files.pathOf(SOURCE), film: probed, durationUs, soundUs: durationUs, tracks: [track], ...shown, to },
            never,
          ),
        ),
    ],
    'an MP3': [16_384, () => obtain(digest('4'), 'export', (to) => media.exportSound({ ...sound, format: 'mp3', to }, never))],
    'a WAV': [16_384, () => obtain(digest('5'), 'export', (to) => media.exportSound({ ...sound, format: 'wav', to }, never))],
    'a zip file': [
      16_384,
      () => obtain(digest('6'), 'export', (to) => writeZip(to, [{ name: 'a.wav', file: files.pathOf(digest('5')) }], null)),
    ],
  }
  const names = () => readdirSync(disk, { recursive: true, encoding: 'utf8' }).toSorted()
  const known = () => db.prepare('select digest from dub_file order by digest').pluck().all()
  for (const [name, [free, run]] of Object.entries(stages)) {
    const [before, knownBefore] = [names(), known()]
    const filler = fill(disk, free)
    const error = await run().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    rmSync(filler)
    rmSync(incoming, { force: true })
    // The file that arrives is written by the form reader, which has tests of its own.
    if (name !== 'an upload') {
      assert.ok(error instanceof Failure, `${name}: ${error}`)
      assert.deepEqual(
        [error.code, /Free some space/.test(error.message), error.message.includes(disk)],
        ['STORAGE_FULL', true, false],
        name,
      )
    } else assert.equal((error as { code?: string } | null)?.code, 'ENOSPC')
    assert.deepEqual([names(), known()], [before, knownBefore], name)
    await run()
    assert.deepEqual(readdirSync(files.scratch), [], name)
  }
})

/** Leaves so many bytes of the disk, in whole pages. */
function fill(disk: string, free: number): string {
  const { bavail, bsize } = statfsSync(disk)
  const path = join(disk, 'filler')
  writeFileSync(path, Buffer.alloc(bavail * bsize - free))
  return path
}

test('a file whose row is refused is gone at once', async (t) => {
  const db = openDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  const root = temporaryFolder(t)
  const files = createDubFiles({ folder: root, rows: createFileRows({ db }), clock: systemClock })
  // More than the free pages of the database have room for.
  const facts = { kind: 'clip', maker: 'test', detail: JSON.stringify('x'.repeat(1_000_000)) } as const
  const [kept, adopted, made] = ['a', 'b', 'c'].map(digest) as [string, string, string]
  const write = async (path: string) => {
    writeFileSync(path, 'content')
    return facts.detail
  }
  const runs = [
    async () => {
      const path = join(files.scratch, 'new')
      await write(path)
      return await files.keep(kept, path, facts, null)
    },
    async () => {
      await write(files.pathOf(adopted))
      return await files.adopt(adopted, facts, null)
    },
    () => files.obtain(made, facts, null, write, never),
  ]
  const pages = db.pragma('page_count', { simple: true })
  const most = db.pragma('max_page_count', { simple: true })
  db.pragma(`max_page_count = ${pages}`)
  for (const run of runs) await assert.rejects(run(), (error) => error instanceof Failure && error.code === 'STORAGE_FULL')
  assert.deepEqual([readdirSync(join(root, 'files')), readdirSync(files.scratch)], [[], []])
  db.pragma(`max_page_count = ${most}`)
  for (const run of runs) assert.equal((await run()).bytes, 'content'.length)
})

test('a file is marked as used at most once in a minute', async (t) => {
  const db = openDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  let now = 1_000_000
  const rows = createFileRows({ db })
  const files = createDubFiles({ folder: temporaryFolder(t), rows, clock: { now: () => now } })
  files.note(SOURCE, { kind: 'request', maker: 'test', detail: '{}' }, null)
  const usedAfter = async (ms: number) => {
    now = 1_000_000 + ms
    await files.find(SOURCE)
    return rows.find(SOURCE)?.used_at
  }
  assert.equal(await usedAfter(59_999), 1_000_000)
  assert.equal(await usedAfter(60_000), 1_060_000)
  // A clock that was set back.
  assert.equal(await usedAfter(-60_000), 940_000)
})

test('times of use are stored together, and before a list by time is read', (t) => {
  const db = openDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  const rows = createFileRows({ db })
  const names = Array.from({ length: 200 }, (_, at) => at.toString(16).padStart(64, '0'))
  for (const digest of names) rows.add({ digest, kind: 'mix', bytes: 1, detail: '{}', maker: 'test', used_at: 1_000 })
  const stored = () => db.prepare('select distinct used_at from dub_file order by used_at').pluck().all()
  rows.touch(names[0]!, 2_000)
  assert.deepEqual([rows.find(names[0]!)?.used_at, stored()], [2_000, [1_000]])
  assert.equal(rows.unusedBefore(1_500).length, 199)
  rows.touch(names[0]!, 3_000)
  assert.equal(rows.evictable(2_500).length, 199)
  assert.deepEqual(stored(), [1_000, 3_000])
  for (const digest of names) rows.touch(digest, 4_000)
  assert.deepEqual(stored(), [4_000])
})

test('a link in place of a file of a dub is not followed', async (t) => {
  const db = openDatabase(join(temporaryFolder(t), 'studio.db'))
  t.after(() => db.close())
  const root = temporaryFolder(t)
  const files = createDubFiles({ folder: root, rows: createFileRows({ db }), clock: systemClock })
  const secret = join(folder, 'secret')
  writeFileSync(secret, 'secret')
  const make = async (to: string) => {
    writeFileSync(to, 'made')
    return '{}'
  }
  const name = digest('f')
  await files.obtain(name, { kind: 'clip', maker: 'test' }, null, make, never)
  rmSync(files.pathOf(name))
  symlinkSync(secret, files.pathOf(name))
  assert.equal(await files.find(name), null)
  const { bytes } = await files.obtain(name, { kind: 'clip', maker: 'test' }, null, make, never)
  assert.equal(bytes, 4)
  rmSync(files.pathOf(name))
  symlinkSync(folder, files.pathOf(name))
  await files.remove([name])
  assert.deepEqual([readdirSync(join(root, 'files')), readdirSync(files.scratch)], [[], []])
  assert.ok(readdirSync(folder).includes('secret'), 'the folder that the link names stays')

  symlinkSync(secret, join(root, 'scratch', 'new'))
  await assert.rejects(files.keep(name, join(root, 'scratch', 'new'), { kind: 'clip', maker: 'test' }, null))
  assert.equal(await files.find(name), null)
})
