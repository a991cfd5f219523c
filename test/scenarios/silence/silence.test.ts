// Nothing leaves the machine unasked: in a network without an exit, with an empty HOME, no program of ours looks a name up, opens a connection
// to another machine, or creates a file outside of the places that docs/security.md names.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { runToEnd } from '#test/support/world/cli.ts'
import { CALLS, createdPath, isReport, LOUD } from './trace.ts'

const PATH = process.env['PATH'] ?? ''
/** No files. */
const ANYWHERE = ['/dev/null', '/dev/tty']
const TRACE = ['-f', '--seccomp-bpf', '-qq', '-y', '--decode-pids=comm', '-s', '400', '-e', `trace=${CALLS}`]

function missing(): string | false {
  const programs = ['unshare', 'ip', 'strace'].filter((name) => findProgram(name, PATH) === null)
  if (programs.length > 0) return `${programs.join(', ')} is not installed`
  try {
    execFileSync('unshare', ['-rn', 'sh', '-c', 'ip link set lo up && strace -f --seccomp-bpf -o /dev/null true'], { stdio: 'ignore' })
    return false
  } catch {
    return 'this user may not create a network or trace a process'
  }
}

test('nothing leaves the machine unasked', { skip: missing() }, async (t) => {
  // The paths of sockets are short.
  const folder = mkdtempSync('/tmp/sq-')
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  const [home, loudHome, temporary] = ['home', 'loud', 'tmp'].map((name) => join(folder, name)) as [string, string, string]
  for (const each of [home, loudHome, temporary]) mkdirSync(each, { mode: 0o700 })
  const trace = join(folder, 'trace')
  const program = ['node', join(import.meta.dirname, 'every-program.ts'), trace, loudHome].map((word) => `'${word}'`).join(' ')
  const { code, output, errors } = await runToEnd(
    'unshare',
    ['-rn', 'sh', '-c', `ip link set lo up && exec strace ${TRACE.join(' ')} -o '${trace}' ${program}`],
    { env: { HOME: home, TMPDIR: temporary, NODE_COMPILE_CACHE: undefined as never, CI: undefined as never } },
  )
  assert.equal(code, 0, `${output}\n${errors}`)

  const lines = readFileSync(trace, 'utf8').split('\n')
  const mine = lines.filter((line) => !line.includes(LOUD))
  assert.ok(
    lines.some((line) => line.includes(LOUD) && isReport(line)),
    'the trace sees a report',
  )
  assert.deepEqual(mine.filter(isReport), [])

  assert.deepEqual(readdirSync(home), [])
  assert.deepEqual(readdirSync(temporary), [], 'sockets, and the files of programs that ran, are gone')
  const created = new Set(mine.flatMap((line) => createdPath(line) ?? []))
  assert.ok(
    [...created].some((path) => path.startsWith(`${temporary}/studio-test-`)),
    'the trace sees the files of a data folder',
  )
  const elsewhere = [...created].filter((path) => !path.startsWith(`${temporary}/`) && !ANYWHERE.includes(path))
  assert.deepEqual(elsewhere, [])
})
