import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBreakerStore } from '#control-plane/workers/breaker.store.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

test('a breaker has one row, the newest, until its worker is resumed', (t) => {
  const open = openLedger(t)
  const store = createBreakerStore(open.db)
  const row = { workerId: 'w0', modelKey: 'tone:', state: 'open', trips: 1, retryAt: 5, reason: 'why' } as const
  store.put(row)
  store.put({ ...row, modelKey: 'other:m' })
  store.put({ ...row, workerId: 'w1' })
  store.put({ ...row, state: 'half_open', trips: 2, retryAt: null, reason: 'again' })
  open.reopen()
  const after = createBreakerStore(open.db)
  assert.deepEqual(
    after.all().filter(({ workerId }) => workerId === 'w0'),
    [
      { ...row, modelKey: 'other:m' },
      { ...row, state: 'half_open', trips: 2, retryAt: null, reason: 'again' },
    ],
  )
  after.remove('w0')
  after.remove('nobody')
  assert.deepEqual(after.all(), [{ ...row, workerId: 'w1' }])
})

test('the table refuses what cannot be', (t) => {
  const store = createBreakerStore(openLedger(t).db)
  const row = { workerId: 'w0', modelKey: 'tone:', state: 'open', trips: 1, retryAt: 5, reason: '' } as const
  assert.throws(() => store.put({ ...row, retryAt: null }), /CHECK/)
  assert.throws(() => store.put({ ...row, state: 'closed' }), /CHECK/)
  assert.throws(() => store.put({ ...row, trips: 0 }), /CHECK/)
  assert.throws(() => store.put({ ...row, workerId: 'stranger' }), /FOREIGN KEY/)
})
