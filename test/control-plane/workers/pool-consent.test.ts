// The consent to a pool counts for the terms that it was given for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { declaredPool, termsDigest } from '#control-plane/workers/pool-terms.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { wirePool, wirePoolMachine } from '#test/support/builders/wire.ts'
import { type OpenLedger, openLedger } from '#test/support/doubles/ledger.ts'

const pool = declaredPool(wirePool())
const isApproved = ({ workers }: OpenLedger) => workers.get('w0')!.consentId !== null
const approve = (open: OpenLedger, shown?: string) => {
  open.workers.grant('w0', shown)
  open.commits.flush()
  assert.ok(isApproved(open))
}
const entries = ({ db }: OpenLedger, kind: string): unknown[] =>
  db
    .prepare<[string], string>(`select detail from audit where kind = ? and subject = 'w0' order by seq`)
    .pluck()
    .all(kind)
    .map((text) => JSON.parse(text))

test('other terms end a consent at once, also after a restart, and a person approves again', (t) => {
  const open = openLedger(t)
  assert.equal(open.workers.declare('w0', pool), true, 'a machine that becomes a pool asks again')
  assert.deepEqual([isApproved(open), open.workers.get('w0')!.lapsed], [false, { terms: null }])
  approve(open, termsDigest(pool))
  assert.equal(open.workers.get('w0')!.lapsed, null)
  assert.equal(open.workers.declare('w0', declaredPool(wirePool({ contact: 'other', keeps: 'logs', machines: [] }))), false)
  for (const [changed, fields] of [
    ['operator', { operator: 'Other desk' }],
    ['places', { places: ['Germany', 'France'] }],
    ['reads_inputs', { reads_inputs: false }],
  ] as [string, Partial<Wire<'Pool'>>][]) {
    open.workers.declare('w0', pool)
    if (!isApproved(open)) approve(open)
    const next = declaredPool(wirePool(fields))
    assert.equal(open.workers.declare('w0', next), true, changed)
    assert.equal(isApproved(open), false, 'at once')
    assert.equal(open.workers.declare('w0', next), false, 'one withdrawal for each approval')
    open.commits.flush()
    open.reopen()
    assert.equal(isApproved(open), false)
    assert.deepEqual(open.workers.get('w0')!.lapsed, { terms: { operator: pool.operator, places: pool.places, readsInputs: true } })
    const last = entries(open, 'withdraw').at(-1) as { changed: string[]; was: object; now: object }
    assert.deepEqual(last.changed, [changed])
  }
  open.workers.declare('w0', pool)
  approve(open)
  assert.equal(open.workers.declare('w0', null), true, 'a pool that stops being one asks again')
  open.commits.flush()
  assert.equal(entries(open, 'withdraw').length, 5)
  assert.deepEqual(entries(open, 'consent').at(-1), {
    ...{ operator: 'Lab desk', places: ['Germany'], readsInputs: true, machines: 1 },
    terms: termsDigest(pool),
  })
})

test('a consent that was never written ends as well, and one for other terms than those shown is refused', (t) => {
  const open = openLedger(t)
  open.workers.declare('w0', pool)
  open.commits.flush()
  const other = declaredPool(wirePool({ operator: 'Other desk' }))
  open.workers.grant('w0', termsDigest(pool))
  assert.equal(open.workers.declare('w0', other), true)
  open.commits.flush()
  assert.equal(isApproved(open), false)
  assert.throws(() => open.workers.grant('w0', termsDigest(pool)), { code: 'CONFLICT' })
  assert.throws(() => open.workers.grant('w0', ''), { code: 'CONFLICT' }, 'a caller that saw a single machine')
  approve(open, termsDigest(other))
})

test('a consent from before pools counts for a single machine, and this machine is never a pool', (t) => {
  const open = openLedger(t)
  assert.equal(open.workers.declare('w0', null), false)
  assert.ok(isApproved(open))
  open.workers.add({ id: LOCAL, name: 'here', pin: 'e'.repeat(64), endpoint: '' })
  assert.equal(open.workers.declare(LOCAL, pool), false)
  assert.equal(open.workers.get(LOCAL)!.pool, null)
})

test('a full disk does not bring back a consent that a declaration ended', (t) => {
  const open = openLedger(t)
  open.workers.declare('w0', pool)
  approve(open)
  open.db.pragma('query_only = on')
  open.workers.declare('w0', declaredPool(wirePool({ operator: 'Other desk' })))
  open.commits.flush()
  assert.deepEqual([isApproved(open), open.workers.get('w0')!.pool!.operator], [false, 'Other desk'])
  open.db.pragma('query_only = off')
  open.commits.flush()
  open.reopen()
  assert.deepEqual([isApproved(open), open.workers.get('w0')!.pool!.operator], [false, 'Other desk'])
})

test('a change of machines is an entry of the log, at most one a minute, and nothing is lost between two', (t) => {
  const open = openLedger(t)
  const of = (...names: string[]) => declaredPool(wirePool({ machines: names.map((name) => wirePoolMachine({ name })) }))
  open.workers.declare('w0', of('a'))
  approve(open)
  for (const names of [
    ['a', 'b'],
    ['a', 'b', 'c'],
    ['b', 'c'],
    ['b', 'd'],
  ])
    assert.equal(open.workers.declare('w0', of(...names)), false)
  open.workers.flushContacts()
  open.commits.flush()
  assert.deepEqual(entries(open, 'pool-machines'), [{ added: ['b'], removed: [], more: 0, machines: 2 }])
  assert.deepEqual([open.workers.get('w0')!.pool!.machines, isApproved(open)], [2, true])
  open.clock.advance(60_000)
  open.workers.flushContacts()
  open.workers.flushContacts()
  open.commits.flush()
  assert.deepEqual(entries(open, 'pool-machines').slice(1), [{ added: ['d'], removed: ['a'], more: 0, machines: 2 }])
  open.clock.advance(60_000)
  open.reopen()
  assert.equal(open.workers.declare('w0', of('b', 'd')), false)
  open.workers.declare('w0', of('b'))
  open.commits.flush()
  assert.deepEqual(entries(open, 'pool-machines').at(-1), { added: [], removed: ['d'], more: 0, machines: 1 })
})
