import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createAdoptFilm } from '#control-plane/features/dubbing/film/upload/adopt-film.ts'
import { createDubUploads } from '#control-plane/features/dubbing/film/upload/upload.service.ts'
import { createDubLines } from '#control-plane/features/dubbing/lines/lines.service.ts'
import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import { usOf } from '#control-plane/features/dubbing/store/dub.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { createFileSweep } from '#control-plane/features/dubbing/store/files/file-sweep.ts'
import { createRemoval } from '#control-plane/features/dubbing/store/files/removal.ts'
import { dubHistoryRow } from '#control-plane/features/dubbing/store/forms.rules.ts'
import { createTakeFiles } from '#control-plane/features/dubbing/voice/speak/take-files.ts'
import { createVoiceWithdrawal } from '#control-plane/features/dubbing/voice/speak/withdrawn.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { dubLine } from '#test/support/builders/dub-line.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const HOUR_MS = 3600_000
const digest = (letter: string) => letter.repeat(64)
const segment = (id: string, startUs: number) => dubLine({ id, startUs })

const withStore = (run: (parts: ReturnType<typeof open>) => Promise<void> | void) => async (t: TestContext) => run(open(t))
function open(t: TestContext) {
  const folder = temporaryFolder(t)
  const db = openTestDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const born = Date.now()
  /** `jump`: of the wall clock alone. */
  const time = { now: born, jump: 0 }
  const clock = { now: () => time.now + time.jump, mono: () => time.now - born }
  const rows = createFileRows({ db })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows, clock })
  const limit = { bytes: Number.POSITIVE_INFINITY }
  const { sweep } = createFileSweep({ files, rows, limit: () => limit.bytes, clock })
  const store = createDubStore({ db })
  const create = (id: string, sourceDigest = digest('a')) =>
    store.dubs.create({ id, filename: 'film.mp4', inputType: 'video', sourceDigest, createdAt: time.now })
  const keep = async (name: string, kind: 'source' | 'mix' | 'clip', dubId: string | null) => {
    const from = join(files.scratch, 'new')
    writeFileSync(from, Buffer.alloc(100))
    await files.keep(name, from, { kind, maker: 'test' }, dubId)
  }
  return { db, time, rows, files, limit, sweep, store, create, keep, onDisk: () => readdirSync(join(folder, 'dub_store', 'files')) }
}

test(
  'imported lines keep no translation of other lines that had their ids, and there are at most 5,000',
  withStore(async ({ store, create }) => {
    create('one')
    const lines = createDubLines({
      core: { store, dub: (id: string) => store.dubs.find(id)!, saved() {} },
      isTranscribing: async () => false,
    })
    const time = (at: number) => `${Math.floor(at / 3600)}:${Math.floor(at / 60) % 60}:${at % 60}`
    const srt = (...texts: string[]) =>
      Buffer.from(texts.map((text, at) => `${at}\n${time(at)},000 --> ${time(at)},900\n${text}\n`).join('\n'))
    await lines.importFile('one', srt('Hello.', 'How are you?', 'Bye.'))
    store.segments.setTexts('one', 'es', { '0': 'Hola.', '1': '¿Cómo estás?', '2': 'Adiós.' })
    await lines.importFile('one', srt('Hello.', 'Something else.'))
    assert.deepEqual(store.segments.texts('one', 'es'), { '0': 'Hola.' })

    const long = srt(...Array.from({ length: 5_001 }, (_, at) => `${at}`))
    await assert.rejects(lines.importFile('one', long), { code: 'BAD_REQUEST', message: /5,001 subtitles.*5,000 lines/ })
    assert.equal(store.segments.count('one'), 2)
  }),
)

test(
  'an upload does not replace a dub whose work began while the file was written',
  withStore(async ({ store, files, rows, create, onDisk }) => {
    create('one')
    const before = store.dubs.find('one')
    const core = { store, files, rows }
    const removal = createRemoval({ core, machines: { forgetVoices: async () => {} } })
    const adopt = createAdoptFilm({ core, removal, clock: systemClock })
    const active = [[], ['dub_one_1']]
    const abort = {
      activeOf: () => active.shift()!,
      startAlone: (_: string, start: () => Promise<unknown>) => start(),
    } as unknown as AbortDub
    const uploads = createDubUploads({
      core: { claim: () => {} },
      ...{ adopt, abort, removal, hasPrograms: () => true, random: { hex: () => 'r' } },
      prep: { start: () => Promise.reject(new Error('not reached')) },
    })
    const path = join(files.scratch, 'upload')
    writeFileSync(path, 'film')
    const upload = { path, filename: 'other.mp4', size: 4, digest: digest('f') } as unknown as Upload
    await assert.rejects(uploads.start(upload, { job_id: 'one' }, OWNER_ID), { code: 'CONFLICT' })
    assert.deepEqual([active, store.dubs.find('one'), onDisk()], [[], before, []])
  }),
)

test(
  'a dub appears in the list with its sound, and its row is a view with job_data as text',
  withStore(({ store, create, files }) => {
    create('one')
    assert.deepEqual(store.dubs.newest(30, null), [], 'not before its sound is extracted')
    store.dubs.change('one', { sound: { durationUs: 12_500_000, sound: digest('b'), speech: digest('c') }, vocals: digest('d') })
    store.dubs.changeOptions('one', { scene_cuts: [1_250_000], seg_order: ['s00000'] })
    store.segments.replace('one', [segment('s00000', 0), segment('7', 2_000_000)])
    store.segments.setTexts('one', 'es', { s00000: 'hola' })
    const dub = store.dubs.find('one')!
    const row = dubHistoryRow(
      {
        ...{ dub, segments: store.segments.list('one'), tracks: [], texts: { es: store.segments.texts('one', 'es') } },
        captions: { en: [{ start_us: 1_000_000, end_us: 2_500_000, text: 'Hello' }] },
      },
      files.pathOf,
    )
    assert.equal(row.duration, 12.5)
    assert.equal(row.segments_count, 2)
    assert.equal(row.tracks, '[]')
    const job = JSON.parse(row.job_data)
    assert.deepEqual(job.scene_cuts, [1.25])
    assert.deepEqual(
      job.segments.map((line: { id: unknown }) => line.id),
      ['s00000', 7],
    )
    assert.deepEqual(job.segments_i18n, { es: { s00000: 'hola' } })
    assert.equal(job.no_vocals_path, null)
    assert.deepEqual(job.youtube_subs, { en: [{ start: 1, end: 2.5, text: 'Hello' }] })
    assert.equal(job.video_path, files.pathOf(digest('a')))
    assert.equal(store.dubs.count(), 1)
  }),
)

test(
  'subtitles of a page are kept beside the options of a dub, and go with it',
  withStore(({ store, create }) => {
    create('one')
    assert.equal(store.captions.of('one'), null)
    const cues = Array.from({ length: 20_000 }, (_, at) => ({ start_us: at * 1e6, end_us: at * 1e6 + 500_000, text: `cue ${at}` }))
    store.captions.replace('one', { en: cues, de: cues.slice(0, 1) })
    store.dubs.changeOptions('one', { seg_order: ['s00000'] })
    store.dubs.noteExport('one', 'late')
    assert.deepEqual(Object.keys(store.captions.of('one')!), ['en', 'de'])
    assert.equal(store.captions.of('one')!['en']!.length, 20_000)
    assert.ok(JSON.stringify(store.dubs.find('one')!.options).length < 1_000, 'the options stay small')
    store.captions.replace('one', { fr: [] })
    assert.deepEqual(store.captions.of('one'), { fr: [] })
    store.captions.replace('one', { en: cues.slice(0, 2) })
    create('one')
    assert.equal(store.captions.of('one'), null, 'another film under this id has its own')
  }),
)

test(
  'an id of a line stays when lines are inserted, and an update keeps order and other lines',
  withStore(({ store, create }) => {
    create('one')
    store.segments.replace('one', [segment('a', 0), segment('b', 2_000_000)])
    store.segments.replace('one', [segment('a', 0), segment('new', 1_000_000), segment('b', 2_000_000)])
    const qc = { drift: 0.25, flagged: true, recognized: 'x', measured_start_us: usOf(1.5), measured_end_us: null, faults: ['words'] }
    assert.equal(store.segments.update('one', [{ ...segment('b', 2_000_000), text: 'changed', qc }, segment('gone', 0)]), 1)
    const lines = store.segments.list('one')
    assert.deepEqual(
      lines.map(({ id, text }) => [id, text]),
      [
        ['a', 'line a'],
        ['new', 'line new'],
        ['b', 'changed'],
      ],
    )
    assert.deepEqual(lines[2]!.qc, qc)
  }),
)

test(
  'takes and tracks are kept by language, and go with their dub',
  withStore(async ({ store, create }) => {
    create('one')
    const take = { segmentId: 'a', takeNo: 0, key: digest('1'), digest: digest('2'), naturalUs: 900_000, sampleRate: 24_000, createdAt: 5 }
    store.tracks.addTake('one', 'es', take)
    store.tracks.addTake('one', 'es', { ...take, takeNo: 1, key: digest('3') })
    assert.deepEqual(
      (await store.tracks.takes('one', 'es')).map(({ takeNo }) => takeNo),
      [0, 1],
    )
    assert.deepEqual(store.tracks.takesByKey([digest('1'), digest('9')]), [take])
    const track = {
      languageCode: 'es',
      language: 'Spanish',
      digest: digest('4'),
      durationUs: 7,
      timingStrategy: 'smart_fit',
      fitFp: null,
    } as const
    store.tracks.setTrack('one', { ...track, plan: { lines: [] }, takeKeys: [take.key], createdAt: 6 })
    store.tracks.setTrack('one', { ...track, plan: [1], takeKeys: [], createdAt: 7 })
    assert.deepEqual(store.tracks.heads('one'), [{ ...track, planFile: null, takeKeys: [], createdAt: 7 }])
    assert.deepEqual(store.tracks.plan('one', 'es'), [1])
    store.tracks.setTrack('one', { ...track, plan: [1], planFile: digest('5'), takeKeys: [], createdAt: 7 })
    assert.equal(store.tracks.plan('one', 'es'), null, 'a plan with a file is not in the row')
    const interrupted = () => {
      throw new Error('interrupted')
    }
    assert.throws(() => store.tracks.setTrack('one', { ...track, plan: [2], takeKeys: [], createdAt: 8 }, interrupted), /interrupted/)
    assert.equal(store.tracks.heads('one')[0]!.createdAt, 7, 'what is written with a track is stored with it or not at all')
    assert.equal(store.dubs.remove('one'), true)
    assert.deepEqual(store.tracks.heads('one'), [])
    assert.equal(store.dubs.remove('one'), false)
  }),
)

test(
  'a file stays while a dub needs it, and is swept an hour later',
  withStore(async ({ store, create, keep, sweep, files, time, onDisk }) => {
    create('one')
    create('two')
    await keep(digest('a'), 'source', 'one')
    await keep(digest('a'), 'source', 'two')
    assert.deepEqual(files.sharersOf('one'), ['two'])
    store.dubs.remove('one')
    time.now += 2 * HOUR_MS
    assert.equal(await sweep(), 0)
    store.dubs.remove('two')
    assert.equal(await sweep(), 1)
    assert.deepEqual(onDisk(), [])
  }),
)

test(
  'a jump forward of the wall clock sweeps nothing that has just arrived',
  withStore(async ({ sweep, files, time, onDisk }) => {
    writeFileSync(files.pathOf('arriving'), 'x')
    time.jump = 30 * 24 * HOUR_MS
    assert.equal(await sweep(), 0)
    time.now += 2 * HOUR_MS
    assert.equal(await sweep(), 1)
    assert.deepEqual(onDisk(), [])
  }),
)

test(
  'what has no row is swept, and what can be made again is evicted beyond the limit, oldest first',
  withStore(async ({ create, keep, sweep, files, time, limit, onDisk }) => {
    create('one')
    writeFileSync(files.pathOf('stray'), 'x')
    for (const [name, kind] of [
      ['a', 'source'],
      ['b', 'mix'],
      ['c', 'mix'],
    ] as const) {
      await keep(digest(name), kind, 'one')
      time.now += HOUR_MS
    }
    time.now += HOUR_MS
    limit.bytes = 200
    assert.equal(await sweep(), 2)
    assert.deepEqual(onDisk().sort(), [digest('a'), digest('c')])
    limit.bytes = 0
    assert.equal(await sweep(), 1)
    assert.deepEqual(onDisk(), [digest('a')])
  }),
)

test(
  'callers at the same time share one run; it stops when the last of them leaves',
  withStore(async ({ create, files }) => {
    create('one')
    let runs = 0
    const started = Promise.withResolvers<AbortSignal>()
    const facts = { kind: 'export', maker: 'test' } as const
    const slow = (_: string, signal: AbortSignal) => {
      runs++
      started.resolve(signal)
      return new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const [first, second] = [new AbortController(), new AbortController()]
    const one = files.obtain(digest('e'), facts, 'one', slow, first.signal)
    const two = files.obtain(digest('e'), facts, 'one', slow, second.signal)
    const running = await started.promise
    first.abort(new Error('left'))
    await assert.rejects(one, /left/)
    assert.equal(running.aborted, false)
    second.abort(new Error('left, too'))
    await assert.rejects(two, /left, too/)
    assert.equal(running.aborted, true)
    const made = await files.obtain(
      digest('e'),
      facts,
      'one',
      async (path) => {
        writeFileSync(path, 'done')
        return '{"x":1}'
      },
      new AbortController().signal,
    )
    assert.deepEqual([made.bytes, made.detail, runs], [4, '{"x":1}', 1])
    assert.equal(existsSync(files.pathOf(digest('e'))), true)
  }),
)

test(
  'a file that is kept again or gets a use while it is being removed stays',
  withStore(async ({ files, rows, create, keep, onDisk }) => {
    const again = digest('c')
    await keep(again, 'source', null)
    const removing = files.remove([again])
    await keep(again, 'source', null)
    await removing
    assert.deepEqual(onDisk(), [again])

    // The first removal takes time, in which another dub begins to need the second file.
    const [first, second] = [digest('d'), digest('e')]
    for (const name of [first, second]) await keep(name, 'source', null)
    create('two')
    const freeing = files.remove([first, second], rows.isUsed)
    files.use('two', second)
    await freeing
    assert.deepEqual([rows.find(first), rows.find(second)?.digest], [null, second])
    assert.deepEqual(onDisk().toSorted(), [again, second].toSorted())
  }),
)

test(
  'with its dub a clip of a speaker is deleted here and on the machines, unless another dub has it',
  withStore(async ({ create, keep, store, files, rows, onDisk }) => {
    create('one')
    create('two')
    await keep(digest('a'), 'clip', 'one')
    await keep(digest('b'), 'clip', 'one')
    await keep(digest('c'), 'source', 'one')
    files.use('two', digest('b'))
    const forgotten: string[][] = []
    const removal = createRemoval({
      core: { store, files, rows },
      machines: { forgetVoices: async (digests) => void forgotten.push([...digests]) },
    })
    assert.deepEqual(await removal.remove('one'), ['two'])
    assert.deepEqual(forgotten, [[digest('a')]])
    assert.deepEqual(onDisk(), [digest('b')])
    await removal.remove('two')
    assert.deepEqual(forgotten, [[digest('a')], [digest('b')]])
  }),
)

test(
  'with the voice of a person go its takes and exports, and what is being made with it is not kept',
  withStore(async ({ create, keep, store, files, rows, onDisk }) => {
    const stopped: string[] = []
    const voices = createVoiceWithdrawal({
      core: { store, files, rows, saved: () => {} },
      stopExports: (id) => stopped.push(id) > 0,
    })
    const takes = createTakeFiles({ core: { store, files }, clock: systemClock })
    const take = { language: 'es', segmentId: 's', pcm: Buffer.alloc(3_200, 20), sampleRate: 16_000, recording: digest('9') }
    const add = (dubId: string, isWithdrawn = voices.claim([take.recording])) =>
      takes.add({ ...take, dubId, key: digest(dubId === 'one' ? '1' : '2'), isWithdrawn })
    for (const [id, name] of [
      ['one', digest('b')],
      ['two', digest('c')],
    ] as const) {
      create(id)
      await keep(name, 'mix', id)
    }
    await keep(digest('d'), 'clip', 'one')
    await add('one')
    assert.equal(onDisk().length, 4)

    const begun = voices.claim([null, take.recording])
    const other = voices.claim([digest('8')])
    const exporting = new AbortController()
    const made = Promise.withResolvers<string>()
    const exported = files.obtain(digest('e'), { kind: 'export', maker: 'one' }, 'one', () => made.promise, exporting.signal)
    await voices.withdraw([take.recording])
    assert.deepEqual([onDisk().toSorted(), stopped], [[digest('c'), digest('d')], ['one']])
    assert.deepEqual([begun(), other()], [true, false])
    await assert.rejects(add('two', begun), { code: 'CANCELLED' })
    assert.equal(store.tracks.takesOfLine('two', 'es', 's').length, 0)
    // An export whose last step was under way when it was stopped.
    exporting.abort(new Error('stopped'))
    made.resolve('{}')
    await assert.rejects(exported, /stopped/)
    assert.deepEqual([onDisk().toSorted(), files.sharersOf('one')], [[digest('c'), digest('d')], []])
    assert.equal(await files.find(digest('e')), null)
  }),
)
