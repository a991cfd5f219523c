import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { LONGEST } from '#cli/commands/test.ts'
import { memoryFolder } from '#cli/lib/test-run/memory-folder.ts'
import { type Ended, studio } from '#test/support/world/cli.ts'

const runFixture = (name: string): Promise<Ended> => studio(['test', `${import.meta.dirname}/fixtures/${name}.fixture.ts`])

// A killed process stays in the process table until its parent collects it; its command line is empty by then.
function isAlive(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}

test('the files that begin first exist, each once', () => {
  assert.deepEqual(
    LONGEST.filter((file) => !existsSync(`${import.meta.dirname}/../../../${file}`)),
    [],
  )
  assert.equal(new Set(LONGEST).size, LONGEST.length)
})

test('a folder in memory is empty and private, and there is none where memory is scarce', async () => {
  const folder = await memoryFolder(new AbortController().signal)
  if (folder === null) return
  try {
    assert.deepEqual([readdirSync(folder), statSync(folder).mode & 0o777], [[], 0o700])
  } finally {
    rmSync(folder, { recursive: true })
  }
  assert.equal(await memoryFolder(new AbortController().signal, { free: 2 ** 60, memory: 0 }), null)
  assert.equal(await memoryFolder(new AbortController().signal, { free: 0, memory: 2 ** 60 }), null)
})

describe('leak checks of the test command', { concurrency: true }, () => {
  test('a test file without leaks passes', async () => {
    const { code, output } = await runFixture('tidy')
    assert.match(output, /pass 1\b/)
    assert.equal(code, 0, output)
  })

  test('a test file that leaves a handle open fails although its test passes', async () => {
    const { code, output, errors } = await runFixture('open-handle')
    assert.match(output, /✔ passes but leaves a server open/)
    assert.match(output + errors, /still holds .*TCPServerWrap/)
    assert.equal(code, 1)
  })

  test('a process that outlives the tests fails the run and is killed', {
    skip: process.platform !== 'linux' && 'needs /proc',
  }, async () => {
    const { code, output, errors } = await runFixture('left-process')
    assert.match(output, /pass 1\b/)
    const [, pid] = /process (\d+) outlived the tests and was killed: sleep 61/.exec(errors) ?? []
    assert.ok(pid, errors)
    assert.equal(code, 1)
    while (isAlive(pid)) await setTimeout(20)
  })
})
