// The record of a switch after kills: processes that ended, ids that belong to other programs now, and databases between two versions.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { installVersion } from '#cli/program/files/install.ts'
import { currentProgram, switchProgram, versionFolder } from '#cli/program/folder.ts'
import { launch } from '#cli/program/launch.ts'
import { copyPath, type PendingSwitch, readSwitches, writeSwitches } from '#cli/program/state.ts'
import { planSwitch, type SwitchedDatabase } from '#cli/program/switching.ts'
import { installed, switchTo } from '#cli/program/update.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

/** This process has a parent, which lives; it stands for a program that got the id of one that ended. */
const ALIVE = process.ppid
const ENDED = 2 ** 22 + 1
const LONG_AGO = Date.now() - 24 * 3_600_000
const PLAN = { from: '1.0.0', to: '1.1.0', changesDatabase: true, restore: null }
const PENDING: PendingSwitch = { ...PLAN, by: ENDED, runner: null, at: Date.now(), copy: null, failed: false }

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
