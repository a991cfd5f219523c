// Actions of the owner on a machine affect its session and its tasks, also when the disk is full.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createFleet } from '#control-plane/features/machines/workers/fleet.service.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

function openFleet(t: TestContext) {
  const { db, workers, audit, commits } = openLedger(t)
  const acts: string[] = []
  const act =
    (name: string) =>
    async (worker: string | { readonly id: string; readonly enabled: boolean }, code: unknown = '') =>
      void acts.push(typeof worker === 'string' ? `${name} ${worker} ${code}` : `${name} ${worker.id} ${worker.enabled}`)
  const fleet = createFleet({
    workers,
    audit,
    machines: { get: () => undefined, consentChanged: act('consent'), release: act('release'), cut: act('cut'), drain: act('drain') },
    view: () => ({ session: null, abilities: [] }),
  } as unknown as Parameters<typeof createFleet>[0])
  return { db, workers, commits, acts, fleet }
}

test('a machine that is turned off gives its tasks back and learns of it; other changes take nothing back', async (t) => {
  const { workers, acts, fleet } = openFleet(t)
  await fleet.patch('w0', { name: 'Attic', priority: 70 })
  assert.equal(acts.length, 0)
  assert.equal((await fleet.patch('w0', { enabled: false })).enabled, false)
  assert.deepEqual(acts, ['release w0 CONSENT_MISSING', 'consent w0 false'])
  await fleet.patch('w0', { enabled: false })
  assert.equal(acts.filter((act) => act.startsWith('release')).length, 1, 'it has no tasks any more')
  await fleet.patch('w0', { enabled: true })
  assert.equal(acts.at(-1), 'consent w0 true')
  assert.equal(workers.get('w0')!.enabled, true)
})

test('a machine that is turned off stays off when the disk is full, as the machine was informed', async (t) => {
  const { db, workers, commits, acts, fleet } = openFleet(t)
  db.pragma('query_only = on')
  await assert.rejects(fleet.patch('w0', { enabled: false, name: 'Attic' }), { code: 'STORAGE_FULL' })
  db.pragma('query_only = off')
  assert.deepEqual(acts, ['release w0 CONSENT_MISSING', 'consent w0 false'])
  assert.deepEqual([workers.get('w0')!.enabled, workers.get('w0')!.name], [false, 'w0'])
  commits.flush()
  assert.equal(db.prepare<[], { enabled: number }>(`select enabled from worker where id = 'w0'`).get()!.enabled, 0)
})
