// Taking, holding, losing and handing over a cell.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createChallenger, SILENCE_MS } from '#control-plane/store/postgres/challenger.ts'
import { connect } from '#control-plane/store/postgres/connection.ts'
import { createHold, SUSPEND_MS } from '#control-plane/store/postgres/hold.ts'
import { openPostgresJournal } from '#control-plane/store/postgres/journal.ts'
import { migratePostgres, schemaVersion } from '#control-plane/store/postgres/migrate.ts'
import { lookAt, releaseTerm, takeTerm } from '#control-plane/store/postgres/term.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { answerTo } from '#test/conformance/journal/commit.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { newDatabase } from '#test/support/postgres/databases.ts'
import { takeCell } from '#test/support/postgres/open-cell.ts'
import { openRelay } from '#test/support/postgres/relay.ts'
import { withoutPostgres } from '#test/support/postgres/server.ts'

const check = (title: string, run: (t: TestContext, url: string) => Promise<void>) =>
  test(title, { skip: withoutPostgres }, async (t) => run(t, (await newDatabase()).url))
const ours = (writer: string, address = '') => ({ cell: 'c', writer, address })
const version = schemaVersion()
/** A manual clock that shows if its caller sleeps, from the call on until it has been advanced that far. */
function sleepers() {
  const manual = createFakeClock()
  let until = Number.NEGATIVE_INFINITY
  const sleep = (ms: number, signal?: AbortSignal) => {
    until = manual.mono() + ms
    return manual.sleep(ms, signal)
  }
  return { ...manual, sleep, isSlept: () => manual.mono() < until }
}
const setting = (value: string) => ({ settings: new Map([['a', value]]) })

check('of ten processes that take a cell at once, one succeeds', async (t, url) => {
  const connections = await Promise.all(Array.from({ length: 10 }, () => connect(url, systemClock)))
  t.after(() => {
    for (const { destroy } of connections) destroy()
  })
  const taken = await Promise.all(connections.map((connection, index) => takeTerm(connection, ours(`w${index}`), 0, { version })))
  assert.deepEqual(
    taken.filter((one) => one !== null),
    [{ term: 1, lastBatch: 0 }],
  )
  assert.equal(await takeTerm(connections[0]!, ours('w'), 0, { version }), null, 'the term that it has seen is over')
  assert.equal((await takeTerm(connections[0]!, ours('w'), 1, { version, seen: 8 }))?.term, 9, 'a term that was lost is not used twice')
  await connections[0]!.script('update cell set min_version = 99')
  await assert.rejects(takeTerm(connections[0]!, ours('w'), 9, { version }), { code: 'UPGRADE_REQUIRED' })
})

check('a challenger takes a cell six seconds after the last sign of its writer, and at once when it is handed over', async (t, url) => {
  const clock = sleepers()
  const admin = await connect(url, systemClock)
  const { fence } = await takeCell(admin)
  let takenAt: number | null = null
  const { promise: taken, resolve } = Promise.withResolvers<void>()
  const deps = { url, clock, log, onEnd: async () => {} }
  const challenger = createChallenger({
    ...deps,
    id: ours('next', '192.0.2.7:1'),
    async onTaken() {
      takenAt = clock.mono()
      resolve()
    },
  })
  t.after(async () => {
    await challenger.stop()
    admin.destroy()
  })
  void challenger.start()
  const looked = async () => {
    while (!clock.isSlept() && takenAt === null) await new Promise(setImmediate)
  }
  /** Seconds of the challenger, each with its look. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds && takenAt === null; second++) {
      await looked()
      clock.advance(1_000)
    }
    await looked()
  }
  await pass(5)
  await admin.script('update cell set beat = beat + 1')
  await pass(1)
  const beatSeen = clock.mono()
  await pass(5)
  assert.equal(takenAt, null)
  await pass(2)
  await taken
  assert.ok(takenAt! - beatSeen >= SILENCE_MS && takenAt! - beatSeen <= SILENCE_MS + 2_000, `${takenAt! - beatSeen} ms`)
  assert.deepEqual((await lookAt(admin, 'c'))?.address, '192.0.2.7:1')
  await releaseTerm(admin, fence) // of a term that is over
  assert.equal((await lookAt(admin, 'c'))?.writer, 'next')
  await challenger.stop()
  assert.equal((await lookAt(admin, 'c'))?.writer, '')
  const { promise: again, resolve: onAgain } = Promise.withResolvers<void>()
  const second = createChallenger({ ...deps, clock: createFakeClock(), id: ours('third'), onTaken: async () => onAgain() })
  void second.start()
  await again // its clock stands still
  await second.stop()
})

check('a writer whose port refuses connections is not waited for', async (_t, url) => {
  const clock = sleepers()
  const admin = await connect(url, systemClock)
  await takeTerm(admin, ours('dead', '127.0.0.1:1'), 0, { version })
  admin.destroy()
  let asked = 0
  const { promise: taken, resolve } = Promise.withResolvers<void>()
  const isRefused = async () => {
    asked++
    return true
  }
  const challenger = createChallenger({
    url,
    clock,
    log,
    id: ours('next'),
    isRefused,
    onTaken: async () => resolve(),
    onEnd: async () => {},
  })
  void challenger.start()
  const started = clock.mono()
  let isTaken = false
  void taken.then(() => {
    isTaken = true
  })
  while (!isTaken) {
    if (clock.isSlept()) clock.advance(100)
    await new Promise(setImmediate)
  }
  assert.equal(asked, 3)
  assert.ok(clock.mono() - started <= 1_000)
  await challenger.stop()
})

check('a writer that was not confirmed for four seconds writes nothing before a beat meets its term', async (t, url) => {
  const clock = createFakeClock()
  const relay = await openRelay(t, Number(new URL(url).port))
  const admin = await connect(url, systemClock)
  const through = new URL(url)
  through.port = String(relay.port)
  const connection = await connect(through.href, clock)
  const { fence, lastBatch } = await takeCell(connection)
  const hold = createHold(fence, clock, clock.mono())
  const { journal } = await openPostgresJournal({ url: through.href, connection, hold, lastBatch, clock, log })
  t.after(async () => {
    await journal.close()
    admin.destroy()
  })
  assert.equal(await answerTo(journal, setting('1')), null)
  relay.hold(true)
  clock.advance(SUSPEND_MS)
  assert.equal(journal.readiness(), 'suspended')
  const waiting = answerTo(journal, setting('2'))
  relay.hold(false)
  assert.equal(await waiting, null)
  assert.equal(journal.readiness(), 'ready')
  assert.ok((await lookAt(admin, 'c'))!.beat >= 1, 'a beat came first')
  relay.hold(true)
  clock.advance(SUSPEND_MS)
  const late = answerTo(journal, setting('3'))
  await takeCell(admin)
  relay.hold(false)
  assert.equal((await late)?.by, 'fenced')
  assert.equal(journal.readiness(), 'standby')
  assert.deepEqual(await admin.rows({ text: 'select value from setting', values: [] }), [{ value: '2' }])
})

check('a database that has lost confirmed batches ends its writer', async (t, url) => {
  const relay = await openRelay(t, Number(new URL(url).port))
  const admin = await connect(url, systemClock)
  const through = new URL(url)
  through.port = String(relay.port)
  const connection = await connect(through.href, systemClock)
  const { fence, lastBatch } = await takeCell(connection)
  const hold = createHold(fence, systemClock, systemClock.mono())
  const { promise: lost, resolve: onLost } = Promise.withResolvers<void>()
  const { journal } = await openPostgresJournal({ url: through.href, connection, hold, lastBatch, clock: systemClock, log, onLost })
  t.after(async () => {
    await journal.close()
    admin.destroy()
  })
  for (const value of ['1', '2']) assert.equal(await answerTo(journal, setting(value)), null)
  relay.loseNext('batch')
  relay.hold(true)
  const answer = answerTo(journal, setting('3'))
  await admin.script('update cell set last_batch = 1')
  relay.hold(false)
  await lost
  assert.equal((await answer)?.by, 'fenced')
})

check('migrations that run at once are made once', async (_t, url) => {
  const admin = await connect(url, systemClock)
  await admin.script('create database empty_of_tables')
  admin.destroy()
  const empty = new URL(url)
  empty.pathname = '/empty_of_tables'
  const made = await Promise.all([1, 2, 3].map(() => migratePostgres(empty.href, systemClock)))
  assert.deepEqual(made.map(({ from }) => from).toSorted(), [0, version, version])
  assert.deepEqual(await migratePostgres(empty.href, systemClock), { from: version, to: version })
})

check('a process that cannot start as the writer leaves the cell to another', async (_t, url) => {
  const ended: string[] = []
  const failing = createChallenger({
    url,
    clock: createFakeClock(),
    log,
    id: ours('broken'),
    onTaken: async () => Promise.reject(new Error('the port is taken')),
    onEnd: async (why) => void ended.push(why),
  })
  void failing.start()
  const admin = await connect(url, systemClock)
  while (ended.length === 0 || (await lookAt(admin, 'c'))?.writer !== '') await new Promise(setImmediate)
  const { promise: taken, resolve } = Promise.withResolvers<void>()
  const next = createChallenger({
    url,
    clock: createFakeClock(),
    log,
    id: ours('next'),
    onTaken: async () => resolve(),
    onEnd: async () => {},
  })
  void next.start()
  await taken
  assert.deepEqual(ended, ['planned'])
  admin.destroy()
  await Promise.all([failing.stop(), next.stop()])
})
