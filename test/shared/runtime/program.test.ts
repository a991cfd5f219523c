import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram, pythonName, signalChild, venvPython } from '#shared/runtime/program.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('a program is an executable file', (t) => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'there'), '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(join(folder, 'text'), 'not a program', { mode: 0o644 })
  assert.equal(findProgram('there', `/nowhere:${folder}`), join(folder, 'there'))
  assert.equal(findProgram('text', folder), null)
  assert.equal(findProgram('there', ''), null)
})

test('on Windows a program ends in .exe, folders are separated by semicolons, and Python has other names', (t) => {
  const folder = temporaryFolder(t)
  for (const name of ['ffmpeg.exe', 'script.cmd']) writeFileSync(join(folder, name), '', { mode: 0o755 })
  const path = `/nowhere;${folder}`
  assert.equal(findProgram('ffmpeg', path, 'win32'), join(folder, 'ffmpeg.exe'))
  assert.equal(findProgram('ffmpeg.exe', path, 'win32'), join(folder, 'ffmpeg.exe'))
  for (const name of ['script', 'script.cmd']) assert.equal(findProgram(name, path, 'win32'), null, name)
  assert.equal(findProgram('ffmpeg', folder, 'darwin'), null)
  assert.deepEqual([pythonName('win32'), pythonName('darwin')], ['python', 'python3'])
  assert.deepEqual([venvPython('win32'), venvPython('darwin')], ['Scripts\\python.exe', 'bin/python'])
})

test('a child that could not be started gets no signal, because pid 0 means our own process group', async (t) => {
  const child = spawn('/nowhere/program')
  const kill = t.mock.method(child, 'kill')
  signalChild(child, 'SIGKILL')
  await once(child, 'error')
  signalChild(child, 'SIGKILL')
  assert.equal(kill.mock.callCount(), 0)
})

test('a running child gets the signal', async () => {
  const child = spawn('/bin/sleep', ['60'])
  signalChild(child, 'SIGKILL')
  assert.deepEqual(await once(child, 'exit'), [null, 'SIGKILL'])
})
