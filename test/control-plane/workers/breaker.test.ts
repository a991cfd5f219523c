import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { BreakerRow } from '#control-plane/store/rows.ts'
import { type BreakerStore, createBreakerStore } from '#control-plane/workers/breaker.store.ts'
import { createBreakers } from '#control-plane/workers/breaker.ts'
import { isChargeable, restMs, TRIPS_AT } from '#control-plane/workers/breaker-policy.ts'
import type { FailureCode } from '#shared/protocol/failure.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'

const KEY = 'tone:'
function openStore(): BreakerStore & { readonly writes: BreakerRow[] } {
  const rows = new Map<string, BreakerRow>()
  const writes: BreakerRow[] = []
  return {
    writes,
    all: () => [...rows.values()],
    put(row) {
      writes.push(row)
      rows.set(`${row.workerId} ${row.modelKey}`, row)
    },
    remove(workerId) {
      for (const [key, row] of rows) if (row.workerId === workerId) rows.delete(key)
    },
  }
}

function open({ known = 1, clock = createFakeClock(), store = openStore() as BreakerStore } = {}) {
  let eased = 0
  let serial = 0
  const breakers = createBreakers({ store, clock, log, workerCount: () => known, onEased: () => void eased++ })
  const triedOf = (workerId: string, attemptId: string) => ({ workerId, modelKey: KEY, attemptId })
  /** One attempt from its offer to its end, and the reaction of the library. */
  const attempt = async (end: FailureCode | 'ok' | null, workerId = 'w0', message = 'it died') => {
    const tried = triedOf(workerId, `a${serial++}`)
    breakers.began(tried)
    breakers.ended(tried, end === 'ok', end === 'ok' || end === null ? null : { code: end, message })
    await turn()
  }
  const fail = async (count: number, workerId = 'w0') => {
    for (let n = 0; n < count; n++) await attempt('ENGINE_CRASHED', workerId)
  }
  const admits = (workerId = 'w0') => breakers.of(workerId).get(KEY) ?? 'all'
  return { breakers, clock, store, attempt, fail, admits, triedOf, eased: () => eased }
}

test('invalid results count one by one, because each is a fault of its own', async () => {
  const { breakers, admits, triedOf } = open()
  const together = Array.from({ length: 3 }, (_, at) => triedOf('w0', `${at}`))
  for (const tried of together) breakers.began(tried)
  for (const tried of together) breakers.ended(tried, false, { code: 'INVALID_RESULT', message: 'it sent nonsense' })
  await turn()
  assert.equal(admits(), 'none')
})

test('attempts that end with their process count once', async () => {
  const { breakers, admits, triedOf } = open()
  for (let wave = 1; wave <= 3; wave++) {
    const together = Array.from({ length: 4 }, (_, at) => triedOf('w0', `${wave}-${at}`))
    for (const tried of together) breakers.began(tried)
    for (const tried of together) {
      assert.equal(admits(), 'all', `wave ${wave}`)
      breakers.ended(tried, false, { code: 'ENGINE_CRASHED', message: 'it died' })
      await turn()
      if (wave === 3) break
    }
  }
  assert.equal(admits(), 'none', 'three crashes in a row, each with its own attempts')
  const other = open()
  const [early, late] = [other.triedOf('w0', 'early'), other.triedOf('w0', 'late')]
  other.breakers.began(early)
  await other.fail(2)
  other.breakers.began(late)
  other.breakers.ended(early, false, { code: 'ENGINE_CRASHED', message: 'it died' })
  await turn()
  assert.equal(other.admits(), 'all', 'it began before the last counted failure')
  other.breakers.ended(late, false, { code: 'ENGINE_CRASHED', message: 'it died' })
  await turn()
  assert.equal(other.admits(), 'none')
})

test('three chargeable failures in a row open it for a minute; a success in between resets the count', async () => {
  const { fail, attempt, admits, clock, breakers } = open()
  await fail(2)
  await attempt('ok')
  await fail(2)
  assert.equal(admits(), 'all')
  await fail(1)
  assert.equal(admits(), 'none')
  assert.deepEqual(breakers.list('w0'), [
    {
      worker_id: 'w0',
      model_key: KEY,
      state: 'open',
      trips: 1,
      retry_at: (clock.now() + 60_000) / 1000,
      summary: 'paused after 3 failures (it died), retrying in 60 s',
    },
  ])
  assert.deepEqual([admits('w1'), breakers.list('w1')], ['all', []])
  clock.advance(59_999)
  assert.equal(admits(), 'none')
  clock.advance(1)
  assert.equal(admits(), 'one')
})

test('failures without fault of the worker neither count nor reset the count', async () => {
  const { fail, attempt, admits } = open()
  for (let n = 0; n < 5; n++)
    for (const code of ['WORKER_AT_CAPACITY', 'CANCELLED', 'WORKER_DISCONNECTED', null] as const) await attempt(code)
  assert.equal(admits(), 'all')
  await fail(2)
  await attempt('WORKER_DRAINING')
  await fail(1)
  assert.equal(admits(), 'none')
})

test('half open admits one task; its success closes and keeps the count of trips, its failure opens for twice as long', async () => {
  const { breakers, fail, admits, clock, attempt, triedOf, eased } = open()
  await fail(3)
  clock.advance(60_000)
  assert.deepEqual(
    breakers.list('w0').map(({ state, retry_at, summary }) => [state, retry_at, summary.startsWith('testing recovery')]),
    [['half_open', null, true]],
  )
  assert.equal(eased(), 1)
  breakers.began(triedOf('w0', 'probe'))
  assert.equal(admits(), 'none')
  breakers.began(triedOf('w0', 'another'))
  breakers.ended(triedOf('w0', 'another'), true, null)
  await turn()
  assert.equal(admits(), 'none', 'only the probe decides')
  breakers.ended(triedOf('w0', 'probe'), false, { code: 'EXECUTION_TIMEOUT', message: 'too slow' })
  await turn()
  const [again] = breakers.list('w0')
  assert.deepEqual([again!.state, again!.trips, again!.summary], ['open', 2, 'paused after 3 failures (too slow), retrying in 120 s'])
  clock.advance(120_000)
  await attempt('ok')
  assert.deepEqual([admits(), breakers.list('w0')], ['all', []])
  assert.equal(eased(), 3)
  await fail(2)
  assert.equal(admits(), 'all', 'closed, it counts to three again')
  await fail(1)
  assert.equal(breakers.list('w0')[0]!.trips, 3)
})

test('a probe without evidence frees its place', async () => {
  const { fail, admits, clock, attempt } = open()
  await fail(3)
  clock.advance(60_000)
  for (const end of ['CANCELLED', 'WORKER_AT_CAPACITY', null] as const) {
    await attempt(end)
    assert.equal(admits(), 'one', `${end}`)
  }
  await attempt('ENGINE_CRASHED')
  assert.equal(admits(), 'none')
})

test('no worker is charged when half of all fail at once, and the failures of that minute are not counted', async () => {
  const { fail, admits, clock } = open({ known: 4 })
  await fail(2, 'w0')
  await fail(5, 'w1')
  await fail(1, 'w0')
  assert.deepEqual([admits('w0'), admits('w1')], ['all', 'all'])
  clock.advance(60_000)
  await fail(2, 'w0')
  assert.equal(admits('w0'), 'all')
  await fail(1, 'w0')
  assert.equal(admits('w0'), 'none')
})

test('a probe that fails with all the others is no evidence', async () => {
  const { fail, admits, clock } = open({ known: 4 })
  await fail(3, 'w0')
  clock.advance(60_000)
  await fail(1, 'w1')
  await fail(1, 'w0')
  assert.equal(admits('w0'), 'one')
})

test('a resume closes everything and resets the trips, also during a probe', async () => {
  const { breakers, fail, admits, clock, triedOf, store } = open()
  await fail(3)
  clock.advance(60_000)
  breakers.began(triedOf('w0', 'probe'))
  breakers.clear('w0')
  breakers.clear('stranger')
  assert.deepEqual([admits(), store.all()], ['all', []])
  breakers.ended(triedOf('w0', 'probe'), false, { code: 'ENGINE_CRASHED', message: '' })
  await turn()
  assert.equal(admits(), 'all')
  await fail(2)
  assert.equal(breakers.list('w0')[0]!.trips, 1)
  assert.equal(clock.waiting(), 1, 'the timer of the first rest is gone')
})

test('only a change of state is written', async () => {
  const store = openStore()
  const { attempt, fail, clock } = open({ store })
  for (let n = 0; n < 100; n++) await attempt('ok')
  await fail(2)
  await attempt('ok')
  assert.equal(store.writes.length, 0)
  await fail(3)
  clock.advance(60_000)
  await attempt('ok')
  for (let n = 0; n < 100; n++) await attempt('ok')
  assert.deepEqual(
    store.writes.map(({ state, trips, retryAt }) => [state, trips, retryAt === null]),
    [
      ['open', 1, false],
      ['half_open', 1, true],
      ['closed', 1, true],
    ],
  )
})

test('a restart keeps the state, the rest that is left and the trips; a clock that was set back adds nothing', async (t) => {
  const ledger = openLedger(t)
  const { clock } = ledger
  const start = () => open({ clock, store: createBreakerStore({ ...ledger, log }) })
  let now = start()
  await now.fail(3)
  clock.advance(20_000)
  const restart = () => {
    now.breakers.stop()
    ledger.commits.flush()
    ledger.reopen()
    now = start()
  }
  restart()
  assert.equal(now.breakers.list('w0')[0]!.summary, 'paused after 3 failures (it died), retrying in 40 s')
  clock.jump(-10 * 3600_000)
  restart()
  assert.equal(now.breakers.list('w0')[0]!.summary, 'paused after 3 failures (it died), retrying in 60 s')
  clock.advance(60_000)
  assert.equal(now.admits(), 'one')
  now.breakers.began(now.triedOf('w0', 'probe'))
  restart()
  assert.equal(now.admits(), 'one', 'the start reports the attempts that are still held')
  await now.fail(1)
  assert.equal(now.breakers.list('w0')[0]!.trips, 2)
  clock.jump(3600_000)
  restart()
  assert.equal(now.admits(), 'one', 'the rest ended while the studio was stopped')
  await now.attempt('ok')
  restart()
  assert.equal(now.admits(), 'all')
  await now.fail(3)
  assert.equal(now.breakers.list('w0')[0]!.trips, 3)
  now.breakers.clear('w0')
  restart()
  await now.fail(3)
  assert.equal(now.breakers.list('w0')[0]!.trips, 1)
})

test('a jump of the wall clock neither releases nor holds a worker', async () => {
  const { fail, admits, clock, breakers } = open()
  await fail(3)
  clock.jump(10 * 3600_000)
  assert.equal(admits(), 'none')
  assert.match(breakers.list('w0')[0]!.summary, /retrying in 60 s/)
  clock.jump(-20 * 3600_000)
  clock.advance(60_000)
  assert.equal(admits(), 'one')
})

test('a full disk costs the memory of a trip, not the trip', async (t) => {
  const ledger = openLedger(t)
  const { fail, admits, breakers } = open({ clock: ledger.clock, store: createBreakerStore({ ...ledger, log }) })
  ledger.db.pragma('query_only = on')
  await fail(3)
  ledger.commits.flush()
  assert.equal(admits(), 'none')
  breakers.clear('w0')
  ledger.commits.flush()
  assert.equal(admits(), 'all')
  ledger.db.pragma('query_only = off')
  ledger.reopen()
  assert.deepEqual(ledger.state.breakers, [])
})

test('for any sequence of events, it agrees with a plain count of the failures', async () => {
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.constant({ end: 'ENGINE_CRASHED' as const }) },
    { weight: 3, arbitrary: fc.constant({ end: 'ok' as const }) },
    { weight: 2, arbitrary: fc.constantFrom('CANCELLED' as const, 'WORKER_AT_CAPACITY' as const).map((end) => ({ end })) },
    { weight: 3, arbitrary: fc.constantFrom(30_000, 60_000, 400_000).map((waitMs) => ({ waitMs })) },
    { weight: 1, arbitrary: fc.constant({ resume: true }) },
    { weight: 1, arbitrary: fc.constant({ restart: true }) },
  )
  type Step = { end?: FailureCode | 'ok'; waitMs?: number; resume?: boolean; restart?: boolean }
  const story = fc.array(step as fc.Arbitrary<Step>, { maxLength: 40 })
  const property = fc.asyncProperty(story, async (steps) => {
    const store = openStore()
    const clock = createFakeClock()
    let opened = open({ clock, store })
    const model = { row: 0, trips: 0, until: null as number | null, isTesting: false }
    for (const { end, waitMs = 0, resume, restart } of steps) {
      clock.advance(waitMs)
      if (model.until !== null && clock.mono() >= model.until) Object.assign(model, { until: null, isTesting: true })
      if (resume) {
        opened.breakers.clear('w0')
        Object.assign(model, { row: 0, trips: 0, until: null, isTesting: false })
      }
      if (restart) {
        opened.breakers.stop()
        opened = open({ clock, store })
        model.row = 0
      }
      if (end && opened.admits() !== 'none') {
        await opened.attempt(end)
        const isCharged = end !== 'ok' && isChargeable(end)
        if (isCharged) model.row++
        else if (end === 'ok') model.row = 0
        if (isCharged && (model.isTesting || model.row >= TRIPS_AT)) {
          model.trips++
          Object.assign(model, { row: 0, isTesting: false, until: clock.mono() + restMs(model.trips) })
        } else if (end === 'ok' || isCharged) model.isTesting = model.isTesting && end !== 'ok'
      }
      assert.equal(opened.admits(), model.until !== null ? 'none' : model.isTesting ? 'one' : 'all')
      const [shown] = opened.breakers.list('w0')
      assert.equal(shown?.trips, model.until !== null || model.isTesting ? model.trips : undefined)
      assert.equal(shown?.retry_at ?? null, model.until === null ? null : (clock.now() + model.until - clock.mono()) / 1000)
    }
    opened.breakers.stop()
    assert.equal(clock.waiting(), 0)
  })
  await fc.assert(property, { numRuns: 200, seed: 42 })
})
