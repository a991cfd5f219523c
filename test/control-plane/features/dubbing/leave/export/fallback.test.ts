// A film whose picture cannot be made slower, and what is no reason to write it otherwise.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createExportFiles } from '#control-plane/features/dubbing/leave/export/export-files.ts'
import { createExportRuns } from '#control-plane/features/dubbing/leave/export/export-runs.ts'
import { createFilmExports } from '#control-plane/features/dubbing/leave/export/film-export.service.ts'
import { createSoundExports } from '#control-plane/features/dubbing/leave/export/sound-export.service.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows, type DubFile } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { createPartFiles } from '#control-plane/features/dubbing/store/files/part-files.ts'
import { createPlanFiles } from '#control-plane/features/dubbing/store/files/plan-files.ts'
import { TrackPlan } from '#control-plane/features/dubbing/store/files/track-plan.ts'
import { createExportSound, lineOfTrack } from '#control-plane/features/dubbing/voice/timeline/export-sound.ts'
import type { FilmExport } from '#control-plane/media/film/export/plan.ts'
import type { FilmMedia } from '#control-plane/media/film/film.ts'
import type { FilmProbe } from '#control-plane/media/film/probe/probe.rules.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { FIT_DEFAULTS, fitLines } from '#shared/timing/fit.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const MEDIA_US = 10_000_000
const video = { width: 160, height: 90, durationUs: MEDIA_US, frameRate: { numerator: 25, denominator: 1 } }
const PROBE = { kind: 'video', audio: [{ position: 0 }], defaultAudio: 0, chapters: [], video } as unknown as FilmProbe
const CHOICE = { selection: { codes: ['es'], first: 'es' }, preserveBackground: true, burn: false, dual: false, isPreview: false }

type Options = {
  /** Failure with which an export ends; null for a success. */
  readonly refuse?: (order: FilmExport) => FailureCode | null
  readonly probe?: FilmProbe
  readonly strategy?: 'stretch_video' | 'concise'
}
const refuseSlow = (code: FailureCode) => (order: FilmExport) => (order.retime === null ? null : code)

function open(t: TestContext, { refuse = () => null, probe = PROBE, strategy = 'stretch_video' }: Options) {
  const folder = temporaryFolder(t)
  const db = openTestDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const store = createDubStore({ db })
  store.dubs.create({ id: 'd', filename: 'f.mp4', inputType: 'video', sourceDigest: 'a'.repeat(64), createdAt: 1 })
  store.dubs.change('d', { probe, sound: { durationUs: MEDIA_US, sound: 'b'.repeat(64), speech: 'c'.repeat(64) } })
  const options = { ...FIT_DEFAULTS, strategy, mediaUs: MEDIA_US }
  const lines = [{ id: 'a', startUs: 1_000_000, endUs: 2_000_000, lane: 'x', naturalUs: 12_000_000 }]
  const plan = TrackPlan.parse({ ...fitLines(lines, options), input: { lines, options }, takes: [] })
  const track = { languageCode: 'es', language: 'Spanish', digest: 'd'.repeat(64), durationUs: plan.totalUs, plan, fitFp: null }
  store.tracks.setTrack('d', { ...track, timingStrategy: strategy, takeKeys: [], createdAt: 1 })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows: createFileRows({ db }), clock: systemClock })
  const asked: FilmExport[] = []
  const time = { now: 1 }
  const exportFilm: FilmMedia['exportFilm'] = async (order) => {
    asked.push(order)
    const code = refuse(order)
    if (code) throw new Failure(code, 'as the test wants')
    writeFileSync(order.to, 'film')
    return { path: order.to, bytes: 4, durationUs: order.durationUs, isPictureCopied: true, warnings: [] }
  }
  const plans = createPlanFiles({ tracks: store.tracks, parts: createPartFiles(files) })
  const core = { store, files, plans, film: { exportFilm } as FilmMedia }
  const undetected = { reason: null as string | null }
  const mixed = async () => ({ digest: 'e'.repeat(64), lines: plan.lines, isDucked: false, undetected: undetected.reason })
  const sound = { mixed, base: async () => ({ original: 'b'.repeat(64), vocals: null }), voice: async () => ({ digest: '', lines: [] }) }
  const exported = createExportFiles({ core, runs: createExportRuns<DubFile>({ clock: systemClock }), clock: { now: () => time.now } })
  const films = createFilmExports({
    core,
    sound,
    exported,
    markKey: () => null,
    clock: systemClock,
  })
  const exportSound: FilmMedia['exportSound'] = async ({ to }) => {
    writeFileSync(to, `sound ${++sounds}`)
    return { path: to, bytes: 7, durationUs: MEDIA_US }
  }
  let sounds = 0
  const tracksSound = createSoundExports({
    core: { ...core, film: { exportSound } as FilmMedia, dub: (id) => store.dubs.find(id)! },
    sound,
    exported,
    markKey: () => null,
    clock: systemClock,
  })
  const readSound = () =>
    tracksSound.read('d', { lang: 'es', preserveBackground: true, format: 'wav', kbps: 0 }, new AbortController().signal)
  const read = async () => films.read(store.dubs.find('d')!, await plans.of('d'), CHOICE, new AbortController().signal)
  return { read, readSound, undetected, asked, store, files, plans, plan, time, db }
}

test('a film whose picture cannot be made slower has its own times, and says so each time', async (t) => {
  let isRefused = true
  const { read, asked, store, plan, time, db } = open(t, { refuse: ({ retime }) => (retime !== null && isRefused ? 'UNKNOWN' : null) })
  assert.ok(plan.totalUs > MEDIA_US)
  for (const { warning, notices } of [await read(), await read()]) {
    assert.equal(warning, 'video-retime-fallback')
    assert.match(notices.join(' '), /speech is faster/)
  }
  assert.deepEqual(
    asked.map(({ durationUs, retime }) => [durationUs, retime !== null]),
    [
      [plan.totalUs, true],
      [MEDIA_US, false],
    ],
  )
  const warning = () => store.dubs.find('d')?.options.last_export_warning
  assert.equal(warning(), 'video-retime-fallback')
  const changes = () => db.prepare('select total_changes()').pluck().get() as number
  const before = changes()
  store.dubs.noteExport('d', 'video-retime-fallback')
  assert.equal(changes(), before, 'an equal warning is not written again')

  isRefused = false
  time.now += 3600_000
  assert.equal((await read()).warning, null, 'after an hour it is tried again')
  await read()
  assert.deepEqual([asked.length, asked.at(-1)!.retime !== null, warning()], [3, true, null])
})

test('a film shows its whole picture when its sound ends earlier', async (t) => {
  const longer = { ...video, durationUs: MEDIA_US + 3_000_000, startUs: 500_000 }
  // Matroska: no stream has a length, and the file counts from its sound.
  const matroska = { ...PROBE, durationUs: MEDIA_US + 3_500_000, startUs: 0, video: { ...longer, durationUs: null } } as FilmProbe
  for (const probe of [{ ...PROBE, video: longer } as FilmProbe, matroska]) {
    const plain = open(t, { probe, strategy: 'concise' })
    await plain.read()
    assert.equal(plain.asked[0]!.durationUs, MEDIA_US + 3_000_000)
    const slower = open(t, { probe })
    await slower.read()
    assert.deepEqual([slower.asked.length, slower.asked[0]!.durationUs], [1, slower.plan.totalUs + 3_000_000])
  }
})

test('a film whose header announces too much picture ends with its sound, and says so', async (t) => {
  const probe = { ...PROBE, video: { ...video, durationUs: 2 * MEDIA_US } } as FilmProbe
  const { read, asked } = open(t, { probe, strategy: 'concise', refuse: ({ durationUs }) => (durationUs > MEDIA_US ? 'UNKNOWN' : null) })
  assert.match((await read()).notices.join(' '), /announces more picture/)
  assert.deepEqual(
    asked.map(({ durationUs }) => durationUs),
    [2 * MEDIA_US, MEDIA_US],
  )
})

test('the sound of a track is made again when a text says that its line is spoken or stays', async (t) => {
  const { readSound, store } = open(t, {})
  const made = async () => readFileSync((await readSound()).path, 'utf8')
  assert.deepEqual([await made(), await made()], ['sound 1', 'sound 1'])
  store.segments.setTexts('d', 'es', { a: '[risas]' })
  assert.equal(await made(), 'sound 2')
})

test('an export without a search for other speech says so, and is made again after an hour', async (t) => {
  const { read, readSound, undetected, time } = open(t, { strategy: 'concise' })
  undetected.reason = 'Speech was not looked for.'
  for (const make of [read, readSound]) assert.deepEqual((await make()).notices, [undetected.reason])
  undetected.reason = null
  for (const make of [read, readSound]) assert.equal((await make()).notices.length, 1)
  time.now += 3600_000
  for (const make of [read, readSound]) assert.deepEqual((await make()).notices, [])
})

test('a mix is refused before it is made when it would use the reserve of the disk', async (t) => {
  const { store, files, plans } = open(t, {})
  const asked: number[] = []
  const core = {
    ...{ store, files, film: {} as FilmMedia },
    disk: {
      usableBytes: async () => 0,
      async require(bytes: number) {
        asked.push(bytes)
        throw new Failure('STORAGE_FULL', 'The mix needs more than there is.')
      },
    },
  }
  const sound = createExportSound({ core, requireSound: async () => {}, speechOf: async () => ({ spans: [] }), markOf: () => null })
  const [dub, track] = [store.dubs.find('d')!, (await plans.of('d'))[0]!]
  await assert.rejects(sound.mixed(dub, track, lineOfTrack(dub, track), 'full', new AbortController().signal), { code: 'STORAGE_FULL' })
  assert.deepEqual(asked, [lineOfTrack(dub, track).totalUs * 0.192])
})

test('a full disk and a missing program are no reason for another film', async (t) => {
  for (const code of ['STORAGE_FULL', 'PROGRAM_MISSING'] as const) {
    const { read, asked } = open(t, { refuse: refuseSlow(code) })
    await assert.rejects(read(), { code })
    assert.equal(asked.length, 1)
  }
})
