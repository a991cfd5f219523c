// Backups that the studio makes by itself: when, how many stay, and what is reported when one fails.
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { restoreAll } from '#control-plane/backup/restore.ts'
import { createScheduledBackups } from '#control-plane/backup/scheduled.ts'
import type { ThreadOrder } from '#control-plane/backup/thread.ts'
import { openDatabase } from '#control-plane/store/database.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'

const [HOUR_MS, DAY_MS] = [3600 * 1000, 24 * 3600 * 1000]

function open(t: TestContext) {
  const dataDir = temporaryFolder(t)
  const clock = createFakeClock()
  const choice = { days: 0, keep: 2, incremental: false, passphrase: '' }
  const orders: ThreadOrder[] = []
  const world = { failure: '' }
  const make = async (order: ThreadOrder) => {
    orders.push(order)
    if (world.failure !== '') throw new Error(world.failure)
    const { target } = order.changes ?? order
    writeFileSync(target, '')
    utimesSync(target, clock.now() / 1000, clock.now() / 1000)
    return null
  }
  const backups = createScheduledBackups({ dataDir, choice: () => choice, clock, log, make })
  const files = () => readdirSync(join(dataDir, 'backups')).sort()
  const after = async (ms: number) => {
    clock.advance(ms)
    await backups.look()
  }
  return { dataDir, choice, orders, world, backups, files, after, clock }
}

test('a backup is made when one is due, and older ones of the schedule are removed', async (t) => {
  const { dataDir, choice, orders, backups, files, after } = open(t)
  await after(10 * DAY_MS)
  assert.deepEqual([orders, backups.problem(), backups.state().intervalMs], [[], null, null], 'no schedule')
  choice.days = 1
  mkdirSync(join(dataDir, 'backups'))
  writeFileSync(join(dataDir, 'backups', 'mine.zip'), '')
  for (const [hours, count] of [
    [0, 1],
    [12, 1],
    [12, 2],
    [24, 3],
    [24, 4],
  ] as const) {
    await after(hours * HOUR_MS)
    assert.equal(orders.length, count)
  }
  assert.equal(files().length, 3, 'two of the schedule, and the one that is none')
  assert.ok(files().includes('mine.zip'))
  assert.deepEqual([orders[0]!.passphrase, backups.problem()], [null, null])
  choice.passphrase = 'of the keys'
  await after(DAY_MS)
  assert.equal(orders.at(-1)!.passphrase, 'of the keys')
})

test('a failure is reported and tried again, and an old backup is reported', async (t) => {
  const { choice, world, backups, after, orders, clock } = open(t)
  choice.days = 1
  world.failure = 'The disk is full.'
  await after(0)
  assert.deepEqual([backups.problem(), backups.state().failures, backups.state().lastSuccess], ['failed', 1, null])
  await after(HOUR_MS)
  assert.equal(orders.length, 2)
  world.failure = ''
  await after(HOUR_MS)
  assert.deepEqual([backups.problem(), backups.state().failures, backups.state().lastSuccess], [null, 2, clock.now()])
  clock.advance(2 * DAY_MS + 1)
  assert.equal(backups.problem(), 'old')
})

test('backups of a clock that was set back go first, and hide no missing one', async (t) => {
  const { dataDir, choice, backups, files, after, orders, clock } = open(t)
  choice.days = 1
  mkdirSync(join(dataDir, 'backups'))
  for (const name of ['scheduled-29990101T000000Z.zip', 'scheduled-29990102T000000Z.zip', 'studio-29990101T000000Z.zip']) {
    writeFileSync(join(dataDir, 'backups', name), '')
    utimesSync(join(dataDir, 'backups', name), 32_472_144_000, 32_472_144_000)
  }
  await after(0)
  assert.equal(backups.state().lastSuccess, clock.now())
  await after(HOUR_MS)
  assert.equal(orders.length, 1, 'one is enough for the day')
  const made = orders[0]!.target.slice(-'scheduled-20260101T000000Z.zip'.length)
  assert.deepEqual(files(), [made, 'scheduled-29990102T000000Z.zip', 'studio-29990101T000000Z.zip'])
  await after(DAY_MS)
  assert.ok(files().includes(made) && !files().includes('scheduled-29990102T000000Z.zip'))
})

test('every seventh backup is whole, and what a kept one needs stays', async (t) => {
  const { dataDir, choice, files, after, orders } = open(t)
  Object.assign(choice, { days: 1, incremental: true })
  const counts: number[] = []
  for (let day = 0; day < 10; day++) {
    await after(DAY_MS)
    counts.push(files().length)
  }
  assert.deepEqual(
    orders.map(({ changes }) => changes === undefined),
    [true, false, false, false, false, false, false, true, false, false],
  )
  for (const [at, { changes }] of orders.entries())
    if (changes) assert.equal(changes.since, (orders[at - 1]!.changes ?? orders[at - 1]!).target, 'the one before')
  assert.deepEqual(counts, [1, 2, 3, 4, 5, 6, 7, 8, 2, 3], 'those before a whole one go when none of them is kept')
  choice.incremental = false
  await after(DAY_MS)
  await after(DAY_MS)
  assert.ok(files().length === 2 && files().every((name) => !name.includes('changes')))
  // Those of a clock that was set back are no base.
  choice.incremental = true
  for (const name of ['scheduled-29990101T000000Z.zip', 'scheduled-29990102T000000Z-changes.zip'])
    writeFileSync(join(dataDir, 'backups', name), '')
  await after(DAY_MS)
  assert.equal(orders.at(-1)!.changes, undefined)
})

test('a backup of what changed is restored with those before it, and a whole one follows if one of them is gone', async (t) => {
  const dataDir = temporaryFolder(t)
  openDatabase(join(dataDir, 'studio.db')).close()
  mkdirSync(join(dataDir, 'outputs'))
  const clock = createFakeClock()
  const choice = () => ({ days: 1, keep: 1, incremental: true, passphrase: '' })
  const targets: unknown[] = []
  const info = (fields: object) => void targets.push(Reflect.get(fields, 'target'))
  const backups = createScheduledBackups({ dataDir, choice, clock, log: { ...log, info } })
  const folder = join(dataDir, 'backups')
  const made = async (name: string) => {
    writeFileSync(join(dataDir, 'outputs', name), name.repeat(1_000))
    clock.advance(DAY_MS)
    const before = existsSync(folder) ? readdirSync(folder) : []
    await backups.look()
    assert.notEqual(backups.problem(), 'failed')
    const [file] = readdirSync(folder).filter((one) => !before.includes(one))
    assert.equal(targets.at(-1), join(folder, file!), 'the log names its file')
    // It is as old as its name says.
    utimesSync(join(folder, file!), clock.now() / 1000, clock.now() / 1000)
    clock.advance(HOUR_MS)
    return file!
  }
  const whole = await made('one.wav')
  const second = await made('two.wav')
  const third = await made('three.wav')
  assert.deepEqual(
    [whole, second, third].map((name) => name.includes('-changes')),
    [false, true, true],
  )
  assert.equal(readdirSync(folder).length, 3, 'the newest one needs the others')
  const into = join(temporaryFolder(t), 'restored')
  const report = await restoreAll({ archive: join(folder, third), others: [], into, passphrase: async () => null })
  assert.deepEqual([report.archives, readdirSync(join(into, 'outputs')).sort()], [3, ['one.wav', 'three.wav', 'two.wav']])
  for (const name of ['one.wav', 'two.wav', 'three.wav'])
    assert.equal(readFileSync(join(into, 'outputs', name), 'utf8'), name.repeat(1_000))
  rmSync(join(folder, second))
  const next = await made('four.wav')
  assert.ok(!next.includes('-changes'), 'a base is absent')
  const after = await made('five.wav')
  assert.ok(after.includes('-changes'))
  truncateSync(join(folder, next), 10)
  const sixth = await made('six.wav')
  assert.ok(!sixth.includes('-changes'), 'a base is damaged')
  assert.equal(readdirSync(folder).length, 1)
  const elsewhere = join(temporaryFolder(t), sixth)
  renameSync(join(folder, sixth), elsewhere)
  symlinkSync(elsewhere, join(folder, sixth))
  assert.ok(!(await made('seven.wav')).includes('-changes'), 'a restore would not find a base that is a link')
  await backups.stop()
})

test('two looks make one backup', async (t) => {
  const { choice, backups, orders } = open(t)
  choice.days = 1
  await Promise.all([backups.look(), backups.look()])
  assert.equal(orders.length, 1)
})

test('a thread writes the archive of a real folder; a reason for none is reported', async (t) => {
  const dataDir = temporaryFolder(t)
  const choice = () => ({ days: 1, keep: 1, incremental: false, passphrase: '' })
  const backups = createScheduledBackups({ dataDir, choice, clock: systemClock, log })
  await backups.look()
  assert.equal(backups.problem(), 'failed', 'there is no database')
  openDatabase(join(dataDir, 'studio.db')).close()
  await backups.look()
  assert.equal(backups.problem(), null)
  assert.match(readdirSync(join(dataDir, 'backups')).join(), /^scheduled-\d{8}T\d{6}Z\.zip$/)
  assert.deepEqual(readdirSync(dataDir).sort(), ['backups', 'studio.db'])
  await backups.stop()
})

test('a stop ends the thread, and nothing is left of its backup', async (t) => {
  const dataDir = temporaryFolder(t)
  openDatabase(join(dataDir, 'studio.db')).close()
  mkdirSync(join(dataDir, 'outputs'))
  const large = join(dataDir, 'outputs', 'large.wav')
  writeFileSync(large, '')
  truncateSync(large, 2 ** 32)
  const backups = createScheduledBackups({
    dataDir,
    choice: () => ({ days: 1, keep: 1, incremental: false, passphrase: '' }),
    clock: systemClock,
    log,
  })
  const looked = backups.look()
  const folder = join(dataDir, 'backups')
  await eventually(() => existsSync(folder) && readdirSync(folder).some((name) => statSync(join(folder, name)).size > 1e6))
  await backups.stop()
  await looked
  assert.deepEqual([readdirSync(folder), readdirSync(dataDir).sort()], [[], ['backups', 'outputs', 'studio.db']])
})
