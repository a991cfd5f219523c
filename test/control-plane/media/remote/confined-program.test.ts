import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runConfined } from '#control-plane/media/remote/confined-program.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { eventually, temporaryFolder } from '#test/support/world/world.ts'
import { processesMarked } from '#tools/test/leftovers.ts'

const limits = { ms: 600_000, outputBytes: 1000, fileBytes: 1e6 }
const onLinux = { skip: existsSync('/proc/self/environ') ? false : 'there is no /proc' }

test('what a program started ends with it, also outside of its process group', onLinux, async (t) => {
  const home = temporaryFolder(t)
  const program = join(home, 'program')
  const started = join(home, 'started')
  // A group and a session of its own, no pipe, and another process below it.
  const waiting = `require('fs').writeFileSync(process.env.HOME + '/' + process.argv[1], String(process.pid)); setInterval(() => {}, 1e9)`
  const below = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(waiting)}, 'below'], { detached: true, stdio: 'ignore' })`
  writeFileSync(
    program,
    `#!${process.execPath}
const own = ${JSON.stringify(`${below}; ${waiting}`)}
require('child_process').spawn(process.execPath, ['-e', own, 'started'], { detached: true, stdio: 'ignore' }).unref()
setInterval(() => {}, 1e9)
`,
    { mode: 0o755 },
  )
  const stop = new AbortController()
  const inHome = () => processesMarked('HOME', home)
  t.after(() => {
    for (const { pid } of inHome()) process.kill(pid, 'SIGKILL')
  })
  const run = (args: string[], signal: AbortSignal) =>
    runConfined({ program, args, home, watched: home, path: process.env['PATH'] ?? '' }, limits, systemClock, signal)
  const pids = () => [started, join(home, 'below')].map((path) => existsSync(path) && Number(readFileSync(path, 'utf8')))

  const stopped = assert.rejects(run([], stop.signal), /no longer wanted/)
  await eventually(() => pids().every(Boolean))
  assert.equal(inHome().length, 3)
  stop.abort(new Error('no longer wanted'))
  await stopped
  await eventually(() => inHome().length === 0)
})
