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

test('the table refuses rows that contradict themselves', async (t) => {
  const open = openLedger(t)
  const store = createBreakerStore({ ...open, log })
  const refuses = async (change: object, why: RegExp) => {
    store.put({ ...row, ...change })
    const settled = open.commits.settled()
    open.commits.flush()
    await assert.rejects(settled, { code: 'INTERNAL', message: why })
  }
  await refuses({ retryAt: null }, /breaker: CHECK/)
  await refuses({ state: 'closed' }, /breaker: CHECK/)
  await refuses({ trips: 0 }, /breaker: CHECK/)
  await refuses({ workerId: 'stranger' }, /breaker: FOREIGN KEY/)
  open.reopen()
  assert.deepEqual(open.state.breakers, [])
})
