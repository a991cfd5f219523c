import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBreakerStore } from '#control-plane/workers/breaker.store.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

const row = { workerId: 'w0', modelKey: 'tone:', state: 'open', trips: 1, retryAt: 5, reason: 'why' } as const

test('a breaker has one row, the newest, until its worker is resumed', (t) => {
  const open = openLedger(t)
  const store = createBreakerStore({ ...open, log })
  store.put(row)
  store.put({ ...row, modelKey: 'other:m' })
  store.put({ ...row, workerId: 'w1' })
  open.commits.flush()
  store.put({ ...row, state: 'half_open', trips: 2, retryAt: null, reason: 'again' })
  open.commits.flush()
  open.reopen()
  const after = createBreakerStore({ ...open, log })
  assert.deepEqual(
    after.all().filter(({ workerId }) => workerId === 'w0'),
    [
      { ...row, modelKey: 'other:m' },
      { ...row, state: 'half_open', trips: 2, retryAt: null, reason: 'again' },
    ],
  )
  after.put({ ...row, trips: 3 })
  after.remove('w0')
  after.put({ ...row, modelKey: 'third:' })
  after.remove('unknown')
  open.commits.flush()
  open.reopen()
  assert.deepEqual(open.state.breakers, [
    { ...row, modelKey: 'third:' },
    { ...row, workerId: 'w1' },
  ])
})

test('the table refuses rows that contradict themselves', (t) => {
  const open = openLedger(t)
  const store = createBreakerStore({ ...open, log })
  const refuses = (change: object, why: RegExp) => {
    store.put({ ...row, ...change })
    assert.throws(() => open.commits.flush(), why)
  }
  refuses({ retryAt: null }, /CHECK/)
  refuses({ state: 'closed' }, /CHECK/)
  refuses({ trips: 0 }, /CHECK/)
  refuses({ workerId: 'stranger' }, /FOREIGN KEY/)
})
