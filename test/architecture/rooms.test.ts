import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyRooms, misplacedWords, strayImports } from './rules.ts'
import { allSources, type Source, typescript } from './source.ts'

const sources = typescript(allSources())
const planted = (path: string, text: string): Source => ({ path, text })

test('imports follow the arrows between rooms', () => {
  assert.deepEqual(strayImports(sources), [])
})

test('an import against the arrows is reported, however it is written', () => {
  const reported = (path: string, text: string) => strayImports([planted(path, text)])
  assert.deepEqual(reported('agent/tenancy/attempts.ts', "import { place } from '#control-plane/scheduler/place.ts'"), [
    'agent/tenancy/attempts.ts -> control-plane/scheduler/place.ts',
  ])
  assert.deepEqual(reported('agent/engine/host/pool.ts', "import {\n  fastify,\n} from 'fastify'"), [
    'agent/engine/host/pool.ts -> fastify',
  ])
  assert.deepEqual(reported('agent/engine/host/pool.ts', "import type { Identity } from '../../connection/identity.ts'"), [
    'agent/engine/host/pool.ts -> agent/connection/identity.ts',
  ])
  for (const path of ['cli/commands/x.ts', 'control-plane/features/base/x.ts', 'agent/x.ts', 'shared/runtime/x.ts', 'bench/x.ts'])
    assert.deepEqual(reported(path, "const { run } = await import('#tools/check/command.ts')"), [`${path} -> tools/check/command.ts`])
  assert.deepEqual(reported('tools/x.ts', "import { run } from '#cli/commands/dub.ts'"), ['tools/x.ts -> cli/commands/dub.ts'])
  assert.deepEqual(reported('shared/audio/wav.ts', "export { open } from 'node:fs'"), ['shared/audio/wav.ts -> node:fs'])
  assert.deepEqual(reported('shared/pki/pin.ts', "const grpc = await import('@grpc/grpc-js')"), ['shared/pki/pin.ts -> @grpc/grpc-js'])
  assert.deepEqual(reported('shared/protocol/task.ts', "import '#test/support/clock.ts'"), [
    'shared/protocol/task.ts -> test/support/clock.ts',
  ])
  assert.deepEqual(
    reported('control-plane/tasks/sweep.ts', "import { wait } from '#shared/link/wait.ts'\nimport { apply } from './ledger.ts'"),
    ['control-plane/tasks/sweep.ts -> shared/link/wait.ts'],
  )
})

test('a file outside every room is reported', () => {
  assert.deepEqual(strayImports([planted('control-plane/misc/x.ts', ''), planted('extras/x.ts', '')]), [
    'control-plane/misc/x.ts: belongs to no room',
    'extras/x.ts: belongs to no room',
  ])
})

test('every room of the table has a file', () => {
  assert.deepEqual(emptyRooms(sources), [])
  assert.ok(emptyRooms([planted('shared/protocol/task.ts', '')]).includes('control-plane/store'))
})

test('some words belong to one place', () => {
  assert.deepEqual(misplacedWords(sources), [])
})

test('a misplaced word is reported', () => {
  const why = (path: string, text: string) => misplacedWords([planted(path, text)]).length
  assert.equal(why('agent/engine/host/host.ts', 'const home = process.env.HOME'), 1)
  assert.equal(why('agent/main.ts', 'const home = process.env.HOME'), 0)
  assert.equal(why('control-plane/features/speech/speech/speech.service.ts', "db.prepare('select 1')"), 1)
  assert.equal(why('control-plane/workers/workers.ts', "import type { Database } from 'better-sqlite3'"), 1)
  assert.equal(why('control-plane/tasks/sweep.store.ts', "const sql = 'update task set phase = ?'"), 1)
  assert.equal(why('control-plane/store/sqlite/writer.ts', "const sql = 'update task set phase = ?'"), 0)
  assert.equal(why('agent/connection/connect.ts', 'await new Promise((r) => setTimeout(r, 5))'), 1)
  assert.equal(why('shared/runtime/clock.ts', 'const now = () => Date.now()'), 0)
  assert.equal(why('shared/protocol/task.ts', 'const at = new Date(row.createdAt)'), 0)
  assert.equal(why('shared/download/fetch.ts', "import { type Agent,\n  request } from 'node:http'"), 1)
  assert.equal(why('shared/download/fetch.ts', "import type { Agent } from 'node:http'"), 0)
  assert.equal(why('agent/agent.ts', "console.log('hello')"), 1)
  assert.equal(why('cli/run.ts', "const tools = new URL('../tools/main.ts', import.meta.url)"), 1)
  for (const loud of ["import { fork } from 'node:child_process'", "const { spawn } = await import('node:child_process')"])
    assert.equal(why('agent/agent.ts', loud), 1, loud)
  assert.equal(why('agent/agent.ts', "import type { ChildProcess } from 'node:child_process'"), 0)
  const spawn = "import { execFile, spawn } from '#shared/runtime/child/process.ts'"
  assert.deepEqual([why('control-plane/media/x.ts', spawn), why('cli/lib/child.ts', spawn)], [1, 0])
  assert.equal(why('control-plane/media/x.ts', 'spawn(program, [], { detached: true })'), 1)
  for (const unbounded of [
    "import { createInterface } from 'node:readline'",
    "const lines = (rest + text).split('\\n')\n      rest = lines.pop()",
    "child.stderr.setEncoding('utf8').on('data', (more: string) => {",
    "child.stderr?.on('data', (piece) => (text += piece))",
  ])
    assert.equal(why('agent/agent.ts', unbounded), 1, unbounded)
  assert.equal(why('agent/agent.ts', "child.stderr.on('data', reader.push)"), 0)
  assert.equal(why('agent/agent.ts', 'const a = 1\nexport default a'), 1)
  const test = 'test/control-plane/web/lib/api.test.ts'
  for (const shared of [
    'globalThis.fetch = async () => reply',
    'Object.assign(globalThis, { location })',
    "import { mock, test } from 'node:test'",
    'const a = 1\nbeforeEach(() => {})',
  ])
    assert.equal(why(test, shared), 1, shared)
  assert.equal(why(test, 'replaceGlobals(t, { fetch })\nt.mock.timers.enable()\n  beforeEach(() => {})'), 0)
})
