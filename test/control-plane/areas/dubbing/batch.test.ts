// The job of a batch item: killed at every write, cancelled in each stage, and with languages that fail.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { BATCH_STAGES, batchLanguages, batchPercent } from '#control-plane/areas/dubbing/batch/batch.rules.ts'
import { createBatchRows } from '#control-plane/areas/dubbing/batch/batch.store.ts'
import { createBatchJobs } from '#control-plane/areas/dubbing/batch/batch-job.ts'
import { createBatchProgress } from '#control-plane/areas/dubbing/batch/batch-progress.ts'
import { createBatchSteps } from '#control-plane/areas/dubbing/batch/batch-steps.ts'
import { createBatchView } from '#control-plane/areas/dubbing/batch/batch-view.ts'
import type { DubCore } from '#control-plane/areas/dubbing/core.ts'
import { createDubFiles } from '#control-plane/areas/dubbing/files/dub-files.ts'
import { createFileRows } from '#control-plane/areas/dubbing/files/file.store.ts'
import { createAbort } from '#control-plane/areas/dubbing/history/abort.service.ts'
import { createRemoval } from '#control-plane/areas/dubbing/history/removal.ts'
import { createDubStore } from '#control-plane/areas/dubbing/store/dub-store.ts'
import type { StepContext, StepOutcomes, StepPlan } from '#control-plane/jobs/job-type.ts'
import type { Json } from '#control-plane/jobs/key.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { ended, type KillPoint, openJobs } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const [SOURCE, SOUND, SPEECH] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string]
const ID = 'a1b2c3d4e5f6'
/** More than one step of translation. */
const LINES = 201
const hang = new Promise<never>(() => {})
type Row = { id: string; text: string; error?: string }
type Change = {
  readonly translate?: (rows: Row[], language: string) => Row[]
  readonly export?: (language: string, time: number) => void
  readonly speak?: (language: string) => string[]
  /** Hangs there until the step is aborted. */
  readonly stopAt?: string
}

function open(t: TestContext, folder: string, { killAt = null, change = {} }: { killAt?: KillPoint | null; change?: Change } = {}) {
  const world = openJobs(join(folder, 'studio.db'), [], killAt)
  t.after(world.close)
  const calls: string[] = []
  const reached = Promise.withResolvers<void>()
  const stopped: string[] = []
  /** What a killed process calls never happens. */
  async function call(name: string, signal: AbortSignal): Promise<void> {
    if (world.isDead()) return hang
    calls.push(name)
    if (name !== change.stopAt) return
    reached.resolve()
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const { jobs } = world
  const fileRows = createFileRows({ db: world.db })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows: fileRows, clock: systemClock })
  const store = createDubStore({ db: world.db })
  const rows = createBatchRows({ db: world.db })
  const core = { store, files, rows: fileRows } as unknown as DubCore
  const removal = createRemoval({ core, machines: { forgetVoices: async () => {} } })
  const double = (name: string, run: (context: StepContext) => Json = () => null, as = name): StepPlan => ({
    name,
    key: { kind: `double.${as}`, version: 1, inputs: [], params: null },
    async run(context) {
      await call(as, context.signal)
      context.report({ fraction: 0.5, secondsLeft: null, frame: { type: 'progress', current: 1, total: 2, text: as } })
      return { json: run(context), digest: null, bytes: 0 }
    },
  })
  const prep = {
    steps: (_: unknown, { outputs }: StepOutcomes) => [
      [double('probe')],
      ...(outputs.has('probe')
        ? [
            [
              double('extract', () => {
                store.dubs.change(ID, { sound: { durationUs: 60e6, sound: SOUND, speech: SPEECH } })
                return null
              }),
            ],
          ]
        : []),
    ],
    doneFrame: () => ({ type: 'ready' }),
  }
  const line = (at: number) => ({ id: `s${at}`, startUs: at * 1e5, endUs: at * 1e5 + 9e4, text: `line ${at}`, textOriginal: '' })
  const transcriptions = {
    steps: () => [
      [double('begin')],
      [{ ...double('part 0'), optional: true, run: () => Promise.reject(new Failure('WORKER_FAILED', 'One part failed.')) }],
      [
        double('final', () => {
          const all = Array.from({ length: LINES }, (_, at) => ({
            ...line(at),
            speakerId: 'Speaker 1',
            profileId: 'auto:Speaker 1',
            qc: null,
          }))
          store.segments.replace(ID, all)
          store.dubs.change(ID, { sourceLang: 'en' })
          return null
        }),
      ],
    ],
  }
  const manifests: Record<string, string> = {}
  const generateJobs = {
    keepManifest: async (manifest: unknown) => (manifest as { language: string }).language.padEnd(64, '0'),
    steps({ manifest }: { manifest: string }, { outputs }: StepOutcomes) {
      const language = manifest.replace(/0+$/, '')
      const spoken = change.speak ?? (() => ['s0'])
      const hashes = () => Object.fromEntries(spoken(language).map((id) => [id, 'x']))
      return [
        [double('plan', () => null, `plan ${language}`)],
        ...(outputs.has('plan')
          ? [
              [double('speak 0', () => [], `speak ${language}`)],
              [double('assemble', () => ({ segments_processed: LINES, seg_hashes: hashes() }), `assemble ${language}`)],
            ]
          : []),
      ]
    },
  }
  const times = new Map<string, number>()
  const own = createBatchSteps({
    core,
    rows,
    translation: {
      async translate({ segments, target_lang }, { signal }) {
        await call(`translate ${target_lang} ${segments[0]!.id}`, signal)
        const translated = segments.map(({ id, text }) => ({ id, text: `${text} (${target_lang})` }))
        return {
          translated: change.translate?.(translated, target_lang) ?? translated,
          target_lang,
          source_lang: 'en',
          quality_used: 'fast',
        }
      },
    },
    generating: {
      canClone: () => false,
      manifestOf(_, body) {
        manifests[body.language_code] = `${body.language} ${body.segments[1]!.text} [${body.segments[1]!.profile_id}]`
        return { language: body.language_code } as never
      },
    },
    generateJobs,
    exports: {
      async download(_, { include }, signal) {
        await call(`export ${include}`, signal)
        const time = (times.get(include) ?? 0) + 1
        times.set(include, time)
        change.export?.(include, time)
        return { path: `/files/${include}`, warning: null, notices: [], name: '', type: '', file: { size: 0, read: () => hang as never } }
      },
    },
    clock: { sleep: async () => {} },
  })
  const progress = createBatchProgress()
  const stopExports = (id: string) => stopped.push(id) > 0
  const batch = createBatchJobs({
    ...{ core, rows, jobs, prep, transcriptions, generateJobs, own, progress, removal, stopExports, clock: systemClock },
  })
  const view = createBatchView({ core, rows, jobs, progress, isClaimed: () => false, clock: systemClock })
  async function start(langs: readonly string[], voiceId: string | null = null) {
    const from = join(folder, 'upload')
    writeFileSync(from, 'film')
    await files.keep(SOURCE, from, { kind: 'source', maker: 'r' }, null)
    store.dubs.create({ id: ID, filename: 'film.mp4', inputType: 'video', sourceDigest: SOURCE, createdAt: 1 })
    files.use(ID, SOURCE)
    const item = { filename: 'film.mp4', langs, voiceId, preserveBg: true }
    rows.add({ ...item, id: ID, sourceDigest: SOURCE, createdAt: 1 })
    await batch.start({ ...item, langs: [...langs], dub: ID, run: 'r', source: SOURCE, inputType: 'video' })
  }
  const read = async () => view.form(await view.current(rows.find(ID)!), true)
  return { world, calls, reached: reached.promise, stopped, manifests, store, files, rows, start, read, progress, removal }
}

const WHOLE = [
  ...['probe', 'extract', 'begin', 'final', 'translate es s0', 'translate es s200', 'translate fr s0', 'translate fr s200'],
  ...['plan es', 'speak es', 'assemble es', 'plan fr', 'speak fr', 'assemble fr', 'export es', 'export fr'],
]

test('each stage is passed by all languages before the next, and lines keep no voice that the engine cannot have', async (t) => {
  const { world, calls, manifests, start, read, store } = open(t, temporaryFolder(t))
  await start(['es', 'fr'])
  assert.equal((await ended(world, ID)).record.job.status, 'done')
  assert.deepEqual(calls, WHOLE)
  assert.deepEqual(manifests, { es: 'Spanish line 1 (es) []', fr: 'French line 1 (fr) []' })
  const { status, outputs, warnings, progress, segments, error } = await read()
  assert.deepEqual([status, error, warnings, segments?.length], ['done', null, undefined, LINES])
  assert.deepEqual(Object.keys(outputs!), ['es', 'fr'])
  assert.deepEqual(progress, { stage: 'done', percent: 100, segments_count: LINES })
  assert.equal(store.segments.texts(ID, 'fr')['s200'], 'line 200 (fr)')
})

test('an item that is killed at any write continues, and repeats one step at most', async (t) => {
  const plain = open(t, temporaryFolder(t))
  await plain.start(['es', 'fr'])
  await ended(plain.world, ID)
  const writes = plain.world.writes()
  for (let write = 2; write <= writes; write++) {
    const folder = temporaryFolder(t)
    const first = open(t, folder, { killAt: { write, isWritten: write % 2 === 0 } })
    await first.start(['es', 'fr'])
    await Promise.race([first.world.killed, ended(first.world, ID)])
    first.world.kill()
    first.world.close()
    const second = open(t, folder)
    second.world.jobs.start()
    const { job } = (await ended(second.world, ID)).record
    assert.equal(job.status, 'done', `write ${write}: ${job.failure?.message}`)
    assert.ok(first.calls.length + second.calls.length <= WHOLE.length + 1, `write ${write}: ${first.calls} and then ${second.calls}`)
    const { outputs, warnings, started_at } = await second.read()
    assert.deepEqual([Object.keys(outputs!), warnings, typeof started_at], [['es', 'fr'], undefined, 'number'], `write ${write}`)
    await second.world.jobs.stop()
  }
})

test('a cancel in any stage stops the item, ends its exports, and removes a film that was not read', async (t) => {
  for (const stopAt of WHOLE.filter((name) => !name.includes('fr'))) {
    const { world, calls, reached, stopped, start, read, store } = open(t, temporaryFolder(t), { change: { stopAt } })
    await start(['es', 'fr'])
    await reached
    await world.jobs.cancel(ID)
    await ended(world, ID)
    const { status, finished_at, progress } = await read()
    assert.deepEqual([status, typeof finished_at, progress, stopped], ['cancelled', 'number', null, [ID]], stopAt)
    assert.equal(calls.at(-1), stopAt)
    assert.equal(store.dubs.find(ID) === null, ['probe', 'extract'].includes(stopAt), stopAt)
    await world.jobs.stop()
  }
})

test('a stop of the studio in any stage is no cancel: the item goes on at the next start', async (t) => {
  for (const stopAt of ['extract', 'final', 'translate fr s0', 'speak es', 'export es']) {
    const folder = temporaryFolder(t)
    const first = open(t, folder, { change: { stopAt } })
    await first.start(['es', 'fr'])
    await first.reached
    const { stage, percent } = (await first.read()).progress!
    assert.ok(percent >= 0 && percent < 100 && BATCH_STAGES.includes(stage as 'mix'), `${stopAt}: ${stage} ${percent}`)
    await first.world.jobs.stop()
    first.world.close()
    const second = open(t, folder)
    second.world.jobs.start()
    assert.equal((await ended(second.world, ID)).record.job.status, 'done', stopAt)
    assert.deepEqual(second.calls, WHOLE.slice(WHOLE.indexOf(stopAt)))
    await second.world.jobs.stop()
  }
})

test('lines that cannot be translated keep their text; a language that fails leaves the others', async (t) => {
  const failing = (rows: Row[], language: string) =>
    rows.map((row) => (language === 'fr' || row.id === 's0' ? { ...row, error: 'No such pair.' } : row))
  const { world, calls, start, read, store } = open(t, temporaryFolder(t), { change: { translate: failing } })
  await start(['fr', 'es'], 'alba')
  assert.equal((await ended(world, ID)).record.job.status, 'done')
  const { outputs, warnings, voice_id } = await read()
  assert.deepEqual([Object.keys(outputs!), voice_id], [['es'], 'alba'])
  assert.deepEqual(warnings, [
    `es: 1 of ${LINES} lines are not translated: No such pair.`,
    'fr: No line could be translated: No such pair.',
  ])
  assert.equal(
    calls.some((name) => /^(plan|export) fr/.test(name)),
    false,
  )
  assert.deepEqual([store.segments.texts(ID, 'es')['s0'], store.segments.texts(ID, 'es')['s1']], [undefined, 'line 1 (es)'])
})

test('an item without any finished language fails with the reason', async (t) => {
  const { world, start, read, rows } = open(t, temporaryFolder(t), { change: { speak: () => [] } })
  await start(['es'])
  await ended(world, ID)
  const { status, error, outputs } = await read()
  assert.deepEqual([status, outputs], ['failed', undefined])
  assert.match(error!, /^es: No line could be spoken/)
  assert.equal(rows.find(ID)!.end!.status, 'failed', 'the end outlives the job')
})

test('an export that is stopped or late is asked for again', async (t) => {
  const change: Change = {
    export(_, time) {
      if (time === 1) throw new Failure('NOT_READY', 'The studio is stopping.')
      if (time === 2) throw new Failure('TASK_DEADLINE_EXCEEDED', 'It takes longer.')
    },
  }
  const { world, calls, start, read } = open(t, temporaryFolder(t), { change })
  await start(['es'])
  await ended(world, ID)
  assert.deepEqual([(await read()).status, calls.filter((name) => name === 'export es').length], ['done', 3])
})

test('the abort of a dub cancels its item, and a deleted dub ends it', async (t) => {
  const first = open(t, temporaryFolder(t), { change: { stopAt: 'speak es' } })
  await first.start(['es'])
  await first.reached
  const abort = createAbort({ jobs: first.world.jobs, stopExports: () => false })
  assert.deepEqual([abort.activeOf(ID), abort.activeOf('other')], [[ID], []])
  assert.equal(await abort.abort(ID), true)
  assert.equal((await ended(first.world, ID)).record.job.status, 'cancelled')

  const second = open(t, temporaryFolder(t), {
    change: {
      translate(rows, language) {
        if (language === 'es') void second.removal.remove(ID)
        return rows
      },
    },
  })
  await second.start(['es', 'fr'])
  const { job } = (await ended(second.world, ID)).record
  assert.ok(job.status === 'failed' || job.status === 'cancelled', job.status)
})

test('languages are tags, each once, and at most 20', () => {
  assert.deepEqual(batchLanguages(' es ,fr,, ES, pt-BR,zh_Hant'), ['es', 'fr', 'pt-BR', 'zh_Hant'])
  const refused = ['', ',', ' ', 'x', 'xx', 'zzz', 'es fr', 'es/../x', '__proto__', 'constructor', 'e', 'es-', '💬', 'a'.repeat(1_000)]
  for (const list of refused) assert.throws(() => batchLanguages(list), { code: 'BAD_REQUEST' }, list)
  const many = 'de,en,es,fr,it,pt,nl,sv,da,fi,no,pl,cs,sk,hu,ro,bg,el,tr,ru'
  assert.equal(batchLanguages(many).length, 20)
  assert.throws(() => batchLanguages(`${many},uk`), /at most 20/)
})

test('the percentage rises from stage to stage and from language to language', () => {
  let last = -1
  for (const stage of BATCH_STAGES)
    for (const language of [0, 1, 2])
      for (const fraction of [-1, 0, 0.5, 1, 2]) {
        const percent = batchPercent(stage, { language, languages: 3, fraction })
        assert.ok(percent >= last && percent <= 100, `${stage} ${language} ${fraction}: ${percent} after ${last}`)
        last = percent
      }
  assert.equal(last, 100)
})
