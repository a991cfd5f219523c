// Programs of engines, replaced by small shell scripts.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { programOutput, programText } from '#agent/engine/runtimes/program/program.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isAlive, until } from '#test/agent/engine/host/open-pool.ts'

function script(t: TestContext, body: string) {
  const folder = mkdtempSync(join(tmpdir(), 'studio-program-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'it')
  writeFileSync(program, `#!/bin/sh\n${body}\n`)
  chmodSync(program, 0o755)
  return { folder, run: { program, package: 'it-package', args: [] as string[], input: '', signal: new AbortController().signal } }
}
const failure = (code: string, words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === code && words.test(error.message)

test('text passes through unchanged', async (t) => {
  const { run, folder } = script(t, 'cat')
  const hostile = `$(touch ${folder}/a) \`touch ${folder}/b\`; touch ${folder}/c\n-h --help 'quoted" ünïcode`
  assert.equal(await programText({ ...run, input: hostile }, 10_000), hostile)
  const echo = script(t, 'printf %s "$1"')
  assert.equal(await programText({ ...echo.run, args: [hostile] }, 10_000), hostile)
})

test('a program that opens its input by name gets a pipe', async (t) => {
  const { run } = script(t, 'cat < /dev/stdin; printf %s "$1"')
  assert.equal(await programText({ ...run, wantsPipe: true, args: ["'; exit 3; '"], input: 'in' }, 100), "in'; exit 3; '")
  const missing = programText({ ...run, wantsPipe: true, program: 'unknown-has-this' }, 10)
  await assert.rejects(missing, failure('MODEL_NOT_INSTALLED', /unknown-has-this is not installed/))
})

test('a missing program is named together with its package', async (t) => {
  const { run, folder } = script(t, '')
  const missing = programText({ ...run, program: join(folder, 'unknown') }, 10)
  await assert.rejects(missing, failure('MODEL_NOT_INSTALLED', /unknown is not installed.*studio setup.*it-package/))
})

test('the first line of its error output is reported', async (t) => {
  const { run } = script(t, 'yes "no such voice" | head -c 100000 >&2; exit 3')
  await assert.rejects(programText(run, 10), failure('WORKER_FAILED', /^\S*it failed: no such voice\.$/))
  await assert.rejects(programText(script(t, 'exit 7').run, 10), failure('WORKER_FAILED', /status 7/))
  await assert.rejects(programText(script(t, 'yes').run, 1_000), failure('WORKER_FAILED', /more than 1000 bytes/))
})

test('a program that does not read its input does not block', async (t) => {
  const { run } = script(t, 'exec 0<&-; echo done')
  assert.equal(await programText({ ...run, input: 'x'.repeat(1_000_000) }, 100), 'done\n')
})

test('the program ends with the run', async (t) => {
  const { run, folder } = script(t, `sleep 1000 & echo $! > "$1"; echo begun; wait`)
  const pid = (name: string) => Number(readFileSync(join(folder, name), 'utf8'))
  const abort = new AbortController()
  const stopped = programOutput({ ...run, args: [join(folder, 'one')], signal: abort.signal })
  await stopped.next()
  abort.abort()
  await assert.rejects(async () => {
    for await (const piece of stopped) void piece
  })
  await until(() => !isAlive(pid('one')), 'the stopped program is gone')
  for await (const piece of programOutput({ ...run, args: [join(folder, 'two')] })) {
    void piece
    break
  }
  await until(() => !isAlive(pid('two')), 'the abandoned program is gone')
  const late = new AbortController()
  late.abort()
  await assert.rejects(programText({ ...run, args: [join(folder, 'three')], signal: late.signal }, 10))
  assert.throws(() => pid('three'))
})
