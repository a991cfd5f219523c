import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { killGroup, killGroupOf, spawnGroup } from '#shared/runtime/child/group.ts'
import { spawn } from '#shared/runtime/child/process.ts'
import { isAlive, until } from '#test/agent/engine/host/open-pool.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

/** A shell command that starts a grandchild in the background, writes its id to `note`, and then does `then`. */
const family = (then: string) => ['-c', `sleep 1000 & echo $! > "$0.new"; mv "$0.new" "$0"; ${then}`]
const noteIn = (t: TestContext) => join(temporaryFolder(t), 'pid')
const pidIn = async (note: string): Promise<number> => {
  await until(() => existsSync(note), 'the grandchild has started')
  return Number(readFileSync(note, 'utf8'))
}

test('everything that a program started ends with it, however it ends', async (t) => {
  for (const [then, end] of [
    ['wait', killGroup],
    ['exit 3', () => {}],
    ['kill -SEGV $$', () => {}],
  ] as const) {
    const note = noteIn(t)
    const child = spawnGroup('/bin/sh', [...family(then), note], { stdio: 'ignore' })
    const grandchild = await pidIn(note)
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null
    end(child)
    await ended
    await until(() => !isAlive(grandchild), `the grandchild of "${then}" ends`)
  }
})

test('its groups end with a process that exits', async (t) => {
  const note = noteIn(t)
  const script = `const { spawnGroup } = await import('#shared/runtime/child/group.ts')
    const { existsSync } = await import('node:fs')
    const [, ...args] = process.argv
    spawnGroup('/bin/sh', args, { stdio: 'ignore' })
    const look = setInterval(() => existsSync(args.at(-1)) && process.exit(0), 10)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script, '--', ...family('wait'), note], { stdio: 'ignore' })
  const ended = once(parent, 'exit') // it exits as soon as the note is there
  const grandchild = await pidIn(note)
  assert.deepEqual(await ended, [0, null])
  await until(() => !isAlive(grandchild), 'the grandchild ends')
})

test('a program that could not be started, or has ended, has no group to be killed', async (t) => {
  const missing = spawnGroup('/nowhere/program')
  killGroup(missing)
  await once(missing, 'error')
  const kill = t.mock.method(process, 'kill', () => true)
  killGroup(missing)
  for (const pid of [undefined, 0, 1]) killGroupOf(pid)
  const ended = spawnGroup('/bin/true', [], { stdio: 'ignore' })
  await once(ended, 'exit')
  const calls = kill.mock.callCount()
  killGroup(ended)
  assert.equal(kill.mock.callCount(), calls)
  assert.deepEqual(kill.mock.calls[0]?.arguments, [-ended.pid!, 'SIGKILL'])
})
