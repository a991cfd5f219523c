// Exports that outlive their requests.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createExportFiles } from '#control-plane/features/dubbing/leave/export/export-files.ts'
import { createExportRuns } from '#control-plane/features/dubbing/leave/export/export-runs.ts'
import { createDubStore } from '#control-plane/features/dubbing/store/dub-store.ts'
import { createDubFiles } from '#control-plane/features/dubbing/store/files/dub-files.ts'
import { createFileRows, type DubFile } from '#control-plane/features/dubbing/store/files/file.store.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const never = new AbortController().signal
const KEY = 'c'.repeat(64)
const DONE = { warning: null, notices: [] }

function open(t: TestContext, folder = temporaryFolder(t)) {
  const db = openTestDatabase(join(folder, 'studio.db'))
  t.after(() => db.close())
  const store = createDubStore({ db })
  store.dubs.create({ id: 'd', filename: 'f', inputType: 'video', sourceDigest: 'a'.repeat(64), createdAt: 1 })
  const files = createDubFiles({ folder: join(folder, 'dub_store'), rows: createFileRows({ db }), clock: systemClock })
  const runs = createExportRuns<DubFile>({ clock: systemClock })
  const exported = createExportFiles({ core: { store, files }, runs, clock: systemClock })
  const choice = { dubId: 'd', key: KEY, kind: 'export', name: 'x.mp4', type: 'video/mp4' } as const
  return { store, files, runs, exported, choice }
}

test('a request that waits too long, or leaves, does not end the work, and the next one finds the file', async (t) => {
  const { store, exported, choice } = open(t)
  const gate = Promise.withResolvers<void>()
  let made = 0
  const make = async (to: string) => {
    made++
    await gate.promise
    writeFileSync(to, 'film')
    return { warning: 'video-retime-fallback', notices: [] }
  }
  await assert.rejects(exported.obtain({ ...choice, waitMs: 1 }, make, never), { code: 'TASK_DEADLINE_EXCEEDED' })
  const leaving = new AbortController()
  const left = exported.obtain({ ...choice, waitMs: 60_000 }, make, leaving.signal)
  leaving.abort(new Error('left'))
  await assert.rejects(left, { message: 'left' })
  const waiting = Promise.all([1, 2].map(() => exported.obtain({ ...choice, waitMs: 60_000 }, make, never)))
  gate.resolve()
  for (const { warning, file } of [...(await waiting), await exported.obtain({ ...choice, waitMs: 0 }, make, never)])
    assert.deepEqual([warning, file.size], ['video-retime-fallback', 4])
  assert.equal(made, 1)
  assert.equal(store.dubs.find('d')?.options.last_export_warning, 'video-retime-fallback')
})

test('aborting the dub ends its exports with a conflict, and a new request begins again', async (t) => {
  const { runs, exported, choice } = open(t)
  const started = Promise.withResolvers<void>()
  const held = exported.obtain(
    { ...choice, waitMs: 60_000 },
    async (_, signal) => {
      started.resolve()
      return await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    },
    never,
  )
  const refused = assert.rejects(held, { code: 'CONFLICT' })
  await started.promise
  assert.equal(runs.abort('another'), false)
  assert.equal(runs.abort('d'), true)
  await refused
  const again = await exported.obtain(
    { ...choice, waitMs: 60_000 },
    async (to) => {
      writeFileSync(to, 'x')
      return DONE
    },
    never,
  )
  assert.equal(again.file.size, 1)
})

test('a disk that becomes full is reported and leaves nothing behind', async (t) => {
  const { files, exported, choice } = open(t)
  const full = async (to: string) => {
    writeFileSync(to, 'half')
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  await assert.rejects(exported.obtain({ ...choice, waitMs: 60_000 }, full, never), { code: 'STORAGE_FULL' })
  assert.equal(existsSync(files.pathOf(KEY)), false)
  assert.deepEqual(readdirSync(files.scratch), [])
})
