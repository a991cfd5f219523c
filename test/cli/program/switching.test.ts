// The record of a switch after kills: processes that ended, ids that belong to other programs now, and databases between two versions.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { captureProgram } from '#cli/lib/child.ts'
import { installVersion, tidyPrograms } from '#cli/program/files/install.ts'
import { currentProgram, switchProgram, versionFolder } from '#cli/program/folder.ts'
import { launch } from '#cli/program/launch.ts'
import { withProgramLock } from '#cli/program/lock.ts'
import { changePending, confirmSwitch, copyPath, type PendingSwitch, readSwitches, writeSwitches } from '#cli/program/state.ts'
import { planSwitch, type SwitchedDatabase } from '#cli/program/switching.ts'
import { installed, switchTo } from '#cli/program/update.ts'
import { startOfProcess } from '#shared/runtime/child/process-start.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

/** This process has a parent, which lives; it stands for a program that got the id of one that ended. */
const ALIVE = process.ppid
const ENDED = 2 ** 22 + 1
const LONG_AGO = Date.now() - 24 * 3_600_000
const PLAN = { from: '1.0.0', to: '1.1.0', changesDatabase: true, restore: null }
const NOTHING_DONE = {
  byStart: null,
  runner: null,
  runnerStart: null,
  at: Date.now(),
  copy: null,
  kept: null,
  moving: false,
  failed: false,
}
const PENDING: PendingSwitch = { ...PLAN, ...NOTHING_DONE, by: ENDED }

async function open(t: TestContext, current: string, pending: Partial<PendingSwitch>) {
  const data = temporaryFolder(t)
  for (const version of ['1.0.0', '1.1.0']) {
    const fill = (to: string) => {
      mkdirSync(join(to, 'bin'))
      writeFileSync(join(to, 'bin/small.cjs'), version)
    }
    await installVersion({ dataFolder: data, name: 'small', version, fill, isNew: false })
  }
  await switchProgram(data, current)
  const before = { pending: null, previous: [], left: null, copies: {}, failed: null }
  writeSwitches(data, { ...before, pending: { ...PENDING, ...pending } })
  const became: string[] = []
  let runs = 0
  const start = (version: string, database: SwitchedDatabase | null = null, status = 0) =>
    launch({
      dataFolder: data,
      root: versionFolder(data, version),
      words: [],
      env: {},
      data: database,
      errors: new Writable({ write: (_piece, _encoding, done) => done() }),
      run: async () => {
        runs++
        return status
      },
      become: async (command) => {
        became.push(command)
        return 0
      },
    })
  return { data, start, became, runs: () => runs }
}
const database = (form: 'older' | 'newer' | 'same'): SwitchedDatabase => ({
  copy: () => assert.fail('no copy is made'),
  restore: () => assert.fail('nothing is put back'),
  putBack: () => assert.fail('nothing is put back'),
  progress: () => '',
  isNewer: () => form === 'newer',
  isOlder: () => form === 'older',
})

test('a rollback that is killed when the database was put back is completed by the next start', async (t) => {
  const back = { from: '1.1.0', to: '1.0.0', changesDatabase: false, restore: 'before-1.1.0.db' }
  const killed = await open(t, '1.1.0', back)
  await killed.start('1.1.0', database('older'))
  assert.equal(killed.runs(), 0, 'the newer version does not change the database again')
  assert.deepEqual(killed.became, [join(versionFolder(killed.data, '1.0.0'), 'bin/small.cjs')])
  assert.equal(currentProgram(killed.data)?.version, '1.0.0')
  const early = await open(t, '1.1.0', back)
  await early.start('1.1.0', database('same'))
  assert.equal(early.runs(), 1)
  assert.deepEqual([readSwitches(early.data).pending, currentProgram(early.data)?.version], [null, '1.1.0'], 'killed before that')
})

test('a second start beside a new version does not decide about it', async (t) => {
  const second = await open(t, '1.1.0', { runner: ALIVE })
  assert.equal(await second.start('1.1.0', null, 1), 1)
  const { pending } = readSwitches(second.data)
  assert.deepEqual([pending?.runner, pending?.failed, currentProgram(second.data)?.version], [ALIVE, false, '1.1.0'])
  for (const runner of [{ runner: ALIVE, at: LONG_AGO }, { runner: ENDED }, { runner: process.pid }]) {
    const { data, start, became } = await open(t, '1.1.0', runner)
    await start('1.1.0')
    assert.deepEqual([became.length, readSwitches(data).pending?.failed, currentProgram(data)?.version], [1, true, '1.0.0'])
  }
})

test('a command that ended holds no update up, also when its id belongs to another program', async (t) => {
  const busy = await open(t, '1.0.0', { by: ALIVE })
  assert.throws(() => planSwitch(busy.data, PLAN), /An update to 1\.1\.0 is under way/)
  await busy.start('1.0.0')
  assert.notEqual(readSwitches(busy.data).pending, null)
  for (const by of [{ by: ALIVE, at: LONG_AGO }, { by: ENDED }, { by: process.pid }]) {
    const { data, start } = await open(t, '1.0.0', by)
    planSwitch(data, PLAN)
    writeSwitches(data, { ...readSwitches(data), pending: { ...PENDING, ...by } })
    await start('1.0.0')
    assert.equal(readSwitches(data).pending, null)
  }
})

test('the copy of a database that has to be put back is not overwritten by another update', async (t) => {
  const { data } = await open(t, '1.0.0', { failed: true, copy: 'before-1.1.0.db' })
  writeFileSync(copyPath(data, 'before-1.1.0.db'), 'as 1.0.0 left it')
  assert.throws(() => planSwitch(data, PLAN), /Start version 1\.0\.0 once, which puts the database back/)
  assert.ok(existsSync(copyPath(data, 'before-1.1.0.db')))
})

test('a version that failed, or whose command still waits, does not count as used', async (t) => {
  for (const [change, isUsed] of [
    [{ failed: true }, false],
    [{ by: ALIVE }, false],
    [{}, true],
  ] as const) {
    const { data } = await open(t, '1.1.0', change)
    installed({ command: 'small', dataFolder: data })
    assert.equal(readSwitches(data).pending === null, isUsed)
  }
})

test('the agent that runs from the folder of a studio does not change its database', async (t) => {
  const { data } = await open(t, '1.0.0', { by: ENDED })
  const runner = { running: async () => ({ version: null }), finish: () => assert.fail('not asked'), address: null }
  const parts = { command: 'small', dataFolder: data, trial: () => assert.fail('not tried'), runners: [runner], data: database('same') }
  const output = new Writable({ write: (_piece, _encoding, done) => done() })
  for (const change of [{ changesDatabase: true }, { restore: 'before-1.1.0.db' }])
    await assert.rejects(
      switchTo({ version: '1.1.0', changesDatabase: false, restore: null, waitSeconds: 0, ...change }, { output }, parts),
      /An agent runs from .*Stop the agent, then try again/,
    )
})

/** The command waits, on a clock of its own, for a program that copies its database. `look` is called before each look at it, every ten seconds. */
async function waitFor(t: TestContext, look: (seconds: number, data: string) => void | Promise<void>) {
  const { data } = await open(t, '1.0.0', { by: ENDED })
  let ms = 0
  const said: string[] = []
  const runner = { running: async () => ({ version: null }), finish: async () => ALIVE, address: 'here' }
  const clock = {
    mono: () => ms,
    async sleep() {
      ms += 10_000
      await look(ms / 1000, data)
    },
  }
  const bytes = { written: 0 }
  const growing = { ...database('older'), progress: () => String(bytes.written) }
  const parts = { command: 'small', dataFolder: data, trial: () => assert.fail('not tried'), runners: [runner], data: growing, clock }
  const output = new Writable({ write: (piece, _encoding, done) => done(void said.push(String(piece))) })
  const change = { version: '1.1.0', changesDatabase: true, restore: null, waitSeconds: 60 }
  return { data, bytes, said, seconds: () => ms / 1000, result: switchTo(change, { output }, parts) }
}

test('the copy of a large database may take as long as it grows', async (t) => {
  const waiting = await waitFor(t, async (seconds, data) => {
    if (seconds === 20) changePending(data, { moving: true })
    if (seconds % 250 === 0) waiting.bytes.written++
    if (seconds === 7_200) {
      changePending(data, { moving: false, copy: 'before-1.1.0.db' })
      await switchProgram(data, '1.1.0')
    }
    if (seconds === 7_300) confirmSwitch(data, Date.now())
  })
  assert.equal(await waiting.result, 0)
  assert.equal(waiting.seconds(), 7_300)
  assert.deepEqual(waiting.said.slice(-2), ['The database is copied, which takes a while if it is large …\n', 'Version 1.1.0 runs.\n'])
})

test('a copy that makes no progress ends the update after five minutes', async (t) => {
  const waiting = await waitFor(t, (seconds, data) => {
    if (seconds === 20) changePending(data, { moving: true })
    if (seconds === 300) waiting.bytes.written++
  })
  await assert.rejects(
    waiting.result,
    /the copy of the database made no progress for 5 minutes\. The program \(process \d+\) goes on as version 1\.0\.0/,
  )
  assert.deepEqual([waiting.seconds(), readSwitches(waiting.data).pending, currentProgram(waiting.data)?.version], [610, null, '1.0.0'])
})

test('the database that a rollback replaced is put back once, also when the program is killed in between', async (t) => {
  const { data, start } = await open(t, '1.1.0', {
    from: '1.1.0',
    to: '1.0.0',
    restore: 'before-1.1.0.db',
    kept: 'studio.db.before-restore-1',
    failed: true,
  })
  const back: string[] = []
  assert.throws(
    () => planSwitch(data, { ...PLAN, from: '1.1.0', to: '1.0.0' }),
    /Version 1\.0\.0 did not start, .* Start version 1\.1\.0 once/,
  )
  await start('1.1.0', { ...database('older'), putBack: (kept) => void back.push(kept) })
  assert.deepEqual([back, readSwitches(data).pending], [['studio.db.before-restore-1'], null])
  const put = await open(t, '1.1.0', { from: '1.1.0', to: '1.0.0', restore: 'before-1.1.0.db', kept: 'a', failed: true })
  await put.start('1.1.0', database('same'))
  assert.equal(readSwitches(put.data).pending, null, 'it was put back before the kill')
})

test('one command at a time holds the program folder, and one that has ended holds nothing', async (t) => {
  const data = temporaryFolder(t)
  const root = join(data, 'program')
  const order: string[] = []
  const use = (name: string) => withProgramLock(data, async () => void order.push(name))
  await withProgramLock(data, async () => {
    await assert.rejects(use('second'), { code: 'CONFLICT', message: new RegExp(`under way \\(process ${process.pid}\\)`) })
  })
  await use('third')
  await assert.rejects(
    withProgramLock(data, () => Promise.reject(new Error('no'))),
    /no/,
  )
  const hold = (number: number, holder: unknown) => {
    mkdirSync(join(root, `lock-${number}`))
    writeFileSync(join(root, `lock-${number}`, 'holder.json'), typeof holder === 'string' ? holder : JSON.stringify(holder))
  }
  // Of a process that was killed, of one whose id another program has now, of a disk that was full.
  hold(10, { pid: ENDED, start: null })
  await use('after a kill')
  if (process.platform === 'linux') {
    hold(20, { pid: ALIVE, start: 'earlier' })
    await use('after a restart')
  }
  hold(30, '{"pid":')
  await use('after a full disk')
  hold(40, { pid: ALIVE, start: startOfProcess(ALIVE) })
  await assert.rejects(use('during another'), { code: 'CONFLICT' })
  assert.deepEqual(order, ['third', 'after a kill', ...(process.platform === 'linux' ? ['after a restart'] : []), 'after a full disk'])
  assert.deepEqual(readdirSync(root).sort(), ['lock-31', 'lock-40'])
  const before = 'state.json.4194305.new'
  writeFileSync(join(root, before), '')
  writeFileSync(join(root, `state.json.${ALIVE}.new`), '')
  tidyPrograms(data)
  assert.deepEqual(readdirSync(root).sort(), ['lock-31', 'lock-40', `state.json.${ALIVE}.new`])
})

test('the output of a version that is tried is kept to its last bytes', async () => {
  const words = ['-e', "for (let i = 0; i < 300; i++) process.stdout.write('x'.repeat(1000)); process.stdout.write('the end')"]
  const options = { env: {}, signal: new AbortController().signal }
  const { code, text } = await captureProgram(process.execPath, words, { ...options, kept: 1_000 })
  assert.deepEqual([code, text], [0, `${'x'.repeat(993)}the end`])
  assert.equal((await captureProgram(process.execPath, words, options)).text.length, 300_007)
})
