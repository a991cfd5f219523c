import assert from 'node:assert/strict'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { Terminal } from '#cli/lib/command.ts'
import { type Ended, studio } from '#test/support/world/cli.ts'
import { LARGE_AREA_LINES, LARGE_AREAS } from '#tools/test/budget.ts'
import { LONGEST, SHARED_BROWSER, SHARED_STUDIO } from '#tools/test/command.ts'
import { memoryFolder } from '#tools/test/memory-folder.ts'
import { readResults, report } from '#tools/test/results.ts'
import { filesToRepeat, runFiles } from '#tools/test/run-files.ts'

const ROOT = join(import.meta.dirname, '../../..')
const runFixture = (name: string, env: Record<string, string> = {}): Promise<Ended> =>
  studio(['test', `${import.meta.dirname}/fixtures/${name}.fixture.ts`], { env })

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

test('files with one studio share worlds, and none needs a runner of its own', () => {
  for (const group of SHARED_STUDIO) {
    const files = globSync(group, { cwd: ROOT })
    assert.ok(files.length > 1, group.join())
    for (const file of files) {
      assert.match(readFileSync(join(ROOT, file), 'utf8'), /= sharedWorld\(|model-studio\.ts/, file)
      assert.ok(!LONGEST.includes(file), file)
    }
  }
})

test('files with one browser exist, each once, and set no flags of it', () => {
  const files = SHARED_BROWSER.flat()
  assert.equal(new Set(files).size, files.length)
  for (const file of files) assert.doesNotMatch(readFileSync(join(ROOT, file), 'utf8'), /useMicrophone/, file)
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

test('at most two files with failures run again, and none whose process is shared or whose run broke', () => {
  const together = [['test/shared/a.test.ts']]
  const of = (failed: string[], broken: string[] = []) => filesToRepeat({ failed, broken }, together, '/tree')
  assert.deepEqual(of(['/tree/test/chaos/a.test.ts', '/tree/test/chaos/b.test.ts']), [
    '/tree/test/chaos/a.test.ts',
    '/tree/test/chaos/b.test.ts',
  ])
  assert.deepEqual(of(['/tree/test/chaos/a.test.ts'], ['Process 7 outlived the tests.']), [])
  assert.deepEqual(of(['/tree/1.ts', '/tree/2.ts', '/tree/3.ts']), [])
  assert.deepEqual(of(['/tree/test/shared/a.test.ts']), [])
  assert.deepEqual(of(['/tree/test/conformance/suite.ts']), [], 'it declares tests for other files')
  assert.deepEqual(of([]), [])
})

test('a file that failed and then passes alone counts as passed, and the report names it with its error', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-unsteady-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const unsteady = `${import.meta.dirname}/fixtures/unsteady.fixture.ts`
  const tidy = `${import.meta.dirname}/fixtures/tidy.fixture.ts`
  const files = { together: [], shared: [], browser: [], longest: [unsteady], atOnce: 2, folder, memory: folder, flags: [], long: false }
  const quiet = { write: () => {} }
  const terminal = { env: process.env, output: quiet, errors: quiet, interrupted: () => t.signal } as unknown as Terminal
  const first = await runFiles({ ...files, apart: [unsteady, tidy] }, terminal)
  assert.deepEqual(first, { failed: [unsteady], broken: [] })
  const run = { times: new Map(), wallMs: 0, root: '/', broken: [] }
  const results = ['result-0', 'result-1'].flatMap((name) => readResults(join(folder, name)))
  assert.match(report(results, run), /Files with failures:.*unsteady\.fixture.*not seen before.*1 passed, 1 failed/s)

  assert.deepEqual(await runFiles({ ...files, apart: [unsteady] }, terminal), { failed: [], broken: [] })
  const [repeat] = readResults(join(folder, 'result-0'))
  const merged = results.map((result) => ({ ...result, repeat: result.file === unsteady ? repeat : undefined }))
  const text = report(merged, { ...run, broken: ['Process 7 outlived the tests.'] })
  assert.match(
    text,
    /Unsteady files.*unsteady\.fixture.*fails the first time.*not seen before.*beside its tests:\n {2}Process 7 outlived the tests\.\n2 passed, 0 failed/s,
  )
  assert.doesNotMatch(text, /Files with failures/)
})

test('only large areas have a minute of the budget', () => {
  for (const area of LARGE_AREAS) {
    const files = globSync(`control-plane/features/{,*/}${area}/**/*.ts`, { cwd: ROOT })
    const lines = files.reduce((sum, file) => sum + readFileSync(join(ROOT, file), 'utf8').split('\n').length, 0)
    assert.ok(lines >= LARGE_AREA_LINES, `${area} has ${lines} lines`)
  }
})

describe('leak checks of the test command', { concurrency: true }, () => {
  test('a test file without leaks passes', async () => {
    const { code, output } = await runFixture('tidy')
    assert.match(output, /pass 1\b/)
    assert.equal(code, 0, output)
  })

  test('a test file that leaves a handle open fails although its test passes', async () => {
    const { code, output, errors } = await runFixture('open-handle', { VOICE_STUDIO_TEST_GRACE: '1000' })
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
    assert.match(
      output,
      /The run failed beside its tests:\n {2}Process \d+, which \S*left-process\.fixture\.ts started, outlived the tests: sleep 61/,
    )
    assert.equal(code, 1)
    while (isAlive(pid)) await setTimeout(20)
  })
})
