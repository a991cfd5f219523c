// A program in place of SoniTranslate: a web server with a child process. It is started, used, stopped, and ends with the studio.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createSonitranslate } from '#control-plane/features/machines/engines/sonitranslate/sonitranslate.service.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { isAlive } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const SERVER = `const { spawn } = require('node:child_process')
const child = spawn('sleep', ['1000'])
require('node:fs').writeFileSync('pids', JSON.stringify([process.pid, child.pid]))
require('node:http').createServer((_, reply) => reply.end(process.env.SECRET ?? 'page')).listen(Number(process.env.GRADIO_SERVER_PORT), process.env.GRADIO_SERVER_NAME)`
const PATH = process.env['PATH'] ?? ''

function installIn(folder: string, script: string): string {
  mkdirSync(join(folder, 'venv/bin'), { recursive: true })
  symlinkSync(process.execPath, join(folder, 'venv/bin/python'))
  writeFileSync(join(folder, 'app_rvc.py'), script)
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

const pidsIn = (folder: string): number[] => JSON.parse(readFileSync(join(folder, 'pids'), 'utf8'))

async function open(t: TestContext, script: string, startMs = 30_000) {
  const folder = installIn(temporaryFolder(t), script)
  const port = await freePort()
  const program = createSonitranslate({ folder, environment: { PATH }, port, startMs, clock, log })
  t.after(() => program.stop())
  return { program, folder, port }
}

test('it is started once, answers on this machine, and ends with everything that it started', async (t) => {
  const { program, folder } = await open(t, SERVER)
  assert.deepEqual([program.state().installed, program.state().venv_ready, program.state().running], [true, true, false])
  const [first, second] = await Promise.all([program.startProgram(), program.startProgram()])
  assert.deepEqual([first.started, first.running], [true, true])
  assert.deepEqual(second, { started: false, reason: 'already_running', ...program.state() })
  const pids = pidsIn(folder)
  assert.ok(pids.every(isAlive))
  assert.deepEqual(await program.stopProgram(), { stopped: true })
  await eventually(() => !pids.some(isAlive))
  assert.deepEqual(await program.stopProgram(), { stopped: false, reason: 'not_running' })
  assert.equal((await program.startProgram()).started, true)
})

test('a program that ends at its start, one that never answers, and a used port are reported', async (t) => {
  const ended = await open(t, 'console.error("No module named torch"); process.exit(1)')
  await assert.rejects(ended.program.startProgram(), /ended at its start\. Its last line: No module named torch/)
  const silent = await open(t, 'setInterval(() => {}, 1000)', 1)
  await assert.rejects(silent.program.startProgram(), /did not answer at http:\/\/127\.0\.0\.1:\d+ within/)
  assert.equal(silent.program.state().running, false)
  const busy = await open(t, SERVER)
  const server = createServer().listen(busy.port, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  await assert.rejects(busy.program.startProgram(), { code: 'CONFLICT' })
})

test('files that other users can change are not started', async (t) => {
  const { program, folder } = await open(t, SERVER)
  chmodSync(join(folder, 'app_rvc.py'), 0o666)
  await assert.rejects(program.startProgram(), { code: 'FILES_NOT_PRIVATE' })
})

test('it ends when the studio is killed', async (t) => {
  const folder = installIn(temporaryFolder(t), SERVER)
  const port = await freePort()
  const starter = `const { startPageProgram } = await import(process.argv[1])
startPageProgram([process.argv[2] + '/venv/bin/python', process.argv[2] + '/app_rvc.py'], { folder: process.argv[2],
  environment: { PATH: process.env.PATH, GRADIO_SERVER_PORT: process.argv[3], GRADIO_SERVER_NAME: '127.0.0.1' } })`
  const page = join(import.meta.dirname, '../../../control-plane/features/machines/engines/sonitranslate/page-program.ts')
  const studio = spawn(process.execPath, ['--input-type=module', '-e', starter, page, folder, String(port)])
  t.after(() => studio.kill('SIGKILL'))
  const pids = await eventually(() => {
    try {
      return pidsIn(folder)
    } catch {
      return null
    }
  })
  studio.kill('SIGKILL')
  await eventually(() => !pids!.some(isAlive))
})

const studio = sharedWorld()

test('without it the API tells how to install it', { timeout: 400_000 }, async () => {
  const world = await studio()
  const state = (await world.get('/engines/sonitranslate/status')).json()
  assert.deepEqual([state.installed, state.venv_ready, state.running, state.url], [false, false, false, 'http://127.0.0.1:7860'])
  for (const action of ['install', 'start']) {
    const reply = await world.post(`/engines/sonitranslate/${action}`)
    assert.equal(reply.status, 501)
    assert.match(reply.json().detail, /The studio does not install SoniTranslate\. Install its repository in .*sonitranslate/)
  }
  assert.deepEqual((await world.post('/engines/sonitranslate/stop')).json(), { stopped: false, reason: 'not_running' })
})
