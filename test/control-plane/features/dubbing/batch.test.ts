// The job of a batch item: killed at every fifth write, cancelled in each stage, and with languages that fail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BATCH_STAGES, batchLanguages, batchPercent } from '#control-plane/features/dubbing/batch/batch.rules.ts'
import { createAbort } from '#control-plane/features/dubbing/store/abort.service.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { ended } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'
import { type Change, ID, killedBatch, LINES, open, type Row, WHOLE } from './kills/batch.ts'

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

test('an item that is killed at a write continues, and repeats one step at most', (t) => killedBatch(t, 5))

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
