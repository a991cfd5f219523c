import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isAlive, until } from '#test/agent/engine/host/open-pool.ts'
import { filesIn } from '../folder.ts'

test('a trial ends itself when its host was killed, even while its main thread hangs', {
  skip: process.platform === 'win32',
}, async (t) => {
  const note = `${filesIn(t, { x: '' }).get('x')!}.pid`
  const host = fork(fileURLToPath(new URL('../children/trying.ts', import.meta.url)), [note], { execArgv: [] })
  await until(() => existsSync(note) && readFileSync(note, 'utf8') !== '', 'the trial begins')
  const pid = Number(readFileSync(note, 'utf8'))
  assert.ok(isAlive(pid))
  host.kill('SIGKILL')
  await once(host, 'exit')
  await until(() => !isAlive(pid), 'the orphan ends')
})
