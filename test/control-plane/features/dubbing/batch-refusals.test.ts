// Refusals of a batch before a film waits, and the state that an item leaves behind.

import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createBatch } from '#control-plane/features/dubbing/batch/batch.service.ts'
import { createBatchRows } from '#control-plane/features/dubbing/batch/batch.store.ts'
import { createBatchProgress } from '#control-plane/features/dubbing/batch/batch-progress.ts'
import { createAdoptFilm } from '#control-plane/features/dubbing/film/upload/adopt-film.ts'
import { createAbort } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { createRemoval } from '#control-plane/features/dubbing/store/files/removal.ts'
import type { Upload } from '#control-plane/http/input/form.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { stage } from '#test/support/doubles/job-stage.ts'
import { ended, jobsFor } from '#test/support/doubles/jobs.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const DIGEST = 'd'.repeat(64)
const never = new AbortController().signal
const throwing = (code: ConstructorParameters<typeof Failure>[0], message: string) => () => {
  throw new Failure(code, message)
}
type Change = Partial<Record<'require' | 'requireTarget' | 'requireVoice' | 'create', () => void>> & { readonly hasPrograms?: boolean }

function open(t: TestContext, change: Change = {}) {
  const folder = temporaryFolder(t)
  const { type } = stage()
  const world = jobsFor(t, [type({ type: 'batch', concurrency: 1, unfinishedPerClient: 100 }), type()], join(folder, 'studio.db'))
  const fileRows = createFileRows({ db: world.db })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows: fileRows, clock: systemClock })
  const store = createDubStore({ db: world.db })
  const rows = createBatchRows({ db: world.db })
  const core = { store, files, rows: fileRows, dub: (id: string) => store.dubs.find(id)!, claim: () => {} } as unknown as DubCore
  const removal = createRemoval({ core, machines: { forgetVoices: async () => {} } })
  const exportsEnded: string[] = []
  const stopExports = (id: string) => exportsEnded.push(id) > 0
  let ids = 0
  const batch = createBatch({
    ...{ core, rows, removal, jobs: world.jobs, progress: createBatchProgress() },
    batchJobs: {
      reserve: () => world.jobs.reserve('batch'),
      async start({ dub: id }, reservation) {
        change.create?.()
        await world.jobs.create({ type: 'batch', id, params: { names: ['one', 'two'] }, meta: {}, reservation })
      },
    },
    abort: createAbort({ jobs: world.jobs, stopExports }),
    adopt: createAdoptFilm({ core, removal, clock: systemClock }),
    exports: { download: throwing('NOT_FOUND', 'nothing') },
    recognition: { partwise: { require: change.require ?? (() => {}) } as never },
    translation: { requireTarget: async () => change.requireTarget?.() },
    generating: { requireVoice: change.requireVoice ?? (() => {}) },
    hasPrograms: () => change.hasPrograms ?? true,
    clock: systemClock,
    random: { hex: (bytes) => (++ids).toString(16).padStart(2 * bytes, '0') },
  })
  let uploads = 0
  const enqueue = (langs = 'es', filename = 'film.mp4', hold = false) => {
    const path = join(folder, `upload${++uploads}`)
    writeFileSync(path, 'film')
    const upload: Upload = { path, filename, size: 4, digest: DIGEST } as never
    return batch.enqueue(upload, { langs: [langs], voice_id: null, preserve_bg: true, hold }, OWNER_ID)
  }
  return { batch, rows, store, files, world, exportsEnded, enqueue }
}

test('what is missing on this machine is named, and nothing is stored', async (t) => {
  const cases: readonly (readonly [Change, string, RegExp])[] = [
    [{ hasPrograms: false }, 'CONFLICT', /ffmpeg/],
    [{ require: throwing('MODEL_NOT_INSTALLED', 'No recogniser.') }, 'MODEL_NOT_INSTALLED', /recogniser/],
    [{ requireTarget: throwing('BAD_REQUEST', 'No translator.') }, 'BAD_REQUEST', /translator/],
    [{ requireVoice: throwing('BAD_REQUEST', 'No such voice.') }, 'BAD_REQUEST', /voice/],
    [{ create: throwing('STORAGE_FULL', 'The disk is full.') }, 'STORAGE_FULL', /full/],
  ]
  for (const [change, code, message] of cases) {
    const { batch, enqueue, rows, store, files } = open(t, change)
    await assert.rejects(enqueue(), { code, message })
    assert.deepEqual(
      [await batch.list(null, 10, null), rows.count(), store.dubs.ids(), existsSync(files.pathOf(DIGEST))],
      [[], 0, [], false],
      code,
    )
  }
})

test('a hundred films wait, and the next is refused until one of them is cancelled', async (t) => {
  const { batch, enqueue, store } = open(t)
  const replies = []
  for (let count = 1; count <= 90; count++) replies.push(await enqueue('es,fr', count % 2 === 0 ? 'talk.WAV' : '../../x/film.mp4'))
  const atOnce = await Promise.allSettled(Array.from({ length: 20 }, () => enqueue()))
  replies.push(...atOnce.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
  assert.deepEqual(
    replies.map((reply) => reply.queue_position).toSorted((a, b) => a - b),
    Array.from({ length: 100 }, (_, at) => at + 1),
  )
  await assert.rejects(enqueue(), { code: 'QUEUE_FULL' })
  const { job_id: second } = replies[1]!
  assert.deepEqual([store.dubs.find(second)!.inputType, (await batch.get(second)).filename], ['audio', 'talk.WAV'])
  assert.equal((await batch.get(replies[0]!.job_id)).filename, 'film.mp4')
  assert.deepEqual(await batch.cancel(second), { cancelled: true })
  assert.deepEqual(await batch.cancel(second), { already: 'cancelled' })
  assert.equal((await enqueue()).queue_position, 100)
  assert.deepEqual(
    (await batch.list('cancelled', 50, null)).map(({ id }) => id),
    [second],
  )
  assert.equal((await batch.list('active', 1_000, null)).length, 100)
  assert.equal((await batch.list(null, 7, null)).length, 7)
  await assert.rejects(batch.download(second, 'es', never), { code: 'BAD_REQUEST', message: /cancelled/ })
})

test('the deletion of an item that has ended ends what was started with its dub', async (t) => {
  const { batch, enqueue, store, world, exportsEnded } = open(t)
  const { job_id: id } = await enqueue()
  await batch.cancel(id)
  await ended(world, id)
  await world.jobs.create({ type: 'test', id: `dub_${id}_1`, params: { names: ['speak'] }, meta: {} })
  await batch.remove(id)
  assert.equal((await ended(world, `dub_${id}_1`)).record.job.status, 'cancelled')
  assert.deepEqual([exportsEnded, store.dubs.find(id)], [[id], null])
})

test('an item whose job was never stored fails, and the film of another item stays when one is deleted', async (t) => {
  const { batch, enqueue, rows, files } = open(t)
  const { job_id: kept } = await enqueue()
  const { job_id: gone } = await enqueue()
  await batch.remove(gone)
  assert.deepEqual([rows.count(), existsSync(files.pathOf(DIGEST))], [1, true])
  await batch.remove(kept)
  assert.deepEqual([rows.count(), existsSync(files.pathOf(DIGEST))], [0, false])
  for (const call of [batch.get(kept), batch.cancel(kept), batch.remove(kept), batch.download(kept, 'es', never)])
    await assert.rejects(call, { code: 'NOT_FOUND' })

  const item = { filename: 'f.mp4', sourceDigest: DIGEST, langs: ['es'], voiceId: null, preserveBg: true, createdAt: 1 }
  rows.add({ ...item, id: 'lost' })
  await batch.settle()
  assert.match((await batch.get('lost')).error!, /Add it again/)
  assert.deepEqual(await batch.cancel('lost'), { already: 'failed' })
})

test('a film may be named as it is, and warnings are kept once each', async (t) => {
  const { rows } = open(t)
  const name = `'"; drop table dub_batch; -- \u202e💬`
  rows.add({ id: 'x', filename: name, sourceDigest: DIGEST, langs: ['es'], voiceId: null, preserveBg: false, createdAt: 5 })
  for (let at = 0; at < 120; at++) rows.warn('x', `warning "${at % 60}"`)
  rows.addOutput('x', 'pt-BR', 'e'.repeat(64))
  rows.addOutput('x', "a'b.c$[0]", 'f')
  rows.started('x', 7)
  rows.started('x', 9)
  rows.ended('x', 'done', 10, null)
  rows.ended('x', 'failed', 11, 'late')
  const { filename, warnings, outputs, startedAt, end } = rows.find('x')!
  assert.deepEqual([filename, warnings.length, startedAt, end], [name, 50, 7, { status: 'done', finishedAt: 10, error: null }])
  assert.deepEqual({ ...outputs }, { 'pt-BR': 'e'.repeat(64), "a'b.c$[0]": 'f' })
})

test('a held film waits for its start, also over a restart, changes its languages until then, and starts once', async (t) => {
  const { batch, enqueue, rows, world } = open(t)
  const { job_id: id } = await enqueue('es', 'film.mp4', true)
  assert.deepEqual([(await batch.get(id)).status, (await batch.get(id)).held, batch.isHeld(id)], ['queued', true, true])
  assert.equal(await world.jobs.get(id), null)
  await batch.settle()
  assert.equal((await batch.get(id)).held, true, 'it is no film that was lost')
  assert.deepEqual((await batch.change(id, { langs: ['de', 'fr'], voice_id: 'v', preserve_bg: false })).langs, ['de', 'fr'])
  await assert.rejects(batch.change(id, { langs: ['xx'], preserve_bg: true }), { code: 'BAD_REQUEST' })
  const started = await Promise.all([batch.start(id), batch.start(id)])
  assert.ok(started.every(({ langs }) => langs.length === 2))
  assert.deepEqual([batch.isHeld(id), (await batch.get(id)).held], [false, undefined])
  await batch.start(id)
  await assert.rejects(batch.change(id, { langs: ['es'], preserve_bg: true }), { code: 'CONFLICT' })
  assert.equal(rows.count(), 1)

  const again = await batch.again(id, ['it'], OWNER_ID)
  assert.deepEqual([(await batch.get(again.job_id)).langs, rows.count()], [['it'], 2])
})

test('a start that would fail hours later is refused, and the film goes on waiting', async (t) => {
  const { batch, enqueue } = open(t, { requireTarget: throwing('BAD_REQUEST', 'No translator.') })
  const { job_id: id } = await enqueue('es', 'film.mp4', true)
  await assert.rejects(batch.start(id), /No translator/)
  assert.equal((await batch.get(id)).held, true)
})

test('all finished films come as one zip file with names of their own', async (t) => {
  const { batch, enqueue, rows, files } = open(t)
  await assert.rejects(batch.everything(null), { code: 'NOT_FOUND' })
  for (const name of ['film.mp4', 'film.mp4']) {
    const { job_id: id } = await enqueue('es', name, true)
    rows.addOutput(id, 'es', DIGEST)
    rows.addOutput(id, 'fr', 'e'.repeat(64))
  }
  assert.ok(await files.find(DIGEST))
  const pieces: Uint8Array[] = []
  for await (const piece of await batch.everything(null)) pieces.push(piece)
  const zip = Buffer.concat(pieces).toString('latin1')
  assert.match(zip, /^PK/)
  const names = [...zip.matchAll(/[\w ()-]+\.es(?: \(2\))?\.mp4/g)].map(([name]) => name)
  assert.equal(new Set(names).size, 2)
  assert.ok(!zip.includes('.fr.'), 'a file that was removed is left out')
})

test('the choices of a film that is being started stay, and a film that was deleted waits for nothing', async (t) => {
  const meanwhile: Promise<unknown>[] = []
  const { batch, enqueue, rows, store } = open(t, {
    requireTarget: () => void meanwhile.push(batch.change(id, { langs: ['fr'], preserve_bg: true }).catch((error: unknown) => error)),
  })
  const { job_id: id } = await enqueue('es', 'film.mp4', true)
  await batch.start(id)
  assert.equal((await Promise.all(meanwhile)).map((error) => Failure.from(error).code).join(), 'CONFLICT')
  assert.deepEqual(rows.find(id)!.langs, ['es'])

  const { job_id: gone } = await enqueue('es', 'film.mp4', true)
  store.dubs.remove(gone)
  const { status, error, held } = await batch.get(gone)
  assert.deepEqual([status, held], ['failed', undefined])
  assert.match(error!, /was deleted/)
})
