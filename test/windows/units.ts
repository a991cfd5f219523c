// Runs the unit tests of the parts that differ on Windows, on a Windows machine or under wine, and compares the failures with allowed.txt. A failure
// that is not listed fails the run, and so does a listed test that passes: the list only becomes shorter. Arguments: other patterns of test
// files, whose failures are printed and not compared.
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative, sep } from 'node:path'
import { type EventData, run } from 'node:test'
import { inspect } from 'node:util'
import { compare, type Failed, isAllowed, parseAllowed } from './allowed.ts'

const ROOT = join(import.meta.dirname, '../..')
const UNITS = [
  'test/windows/journey.test.ts',
  'test/shared/**/*.test.ts',
  'test/control-plane/http/**/*.test.ts',
  'test/agent/engine/**/*.test.ts',
]
const FILE_MS = 1_500_000
const ERROR_CHARS = 1_500

const patterns = process.argv.slice(2)
const files = globSync(patterns.length > 0 ? patterns : UNITS, { cwd: ROOT })
  .map((file) => join(ROOT, file))
  .sort()
let failures: Failed[] = []
let passed = 0
const nameOf = (path = '') => relative(ROOT, path).split(sep).join('/')

async function note(events: AsyncIterable<{ readonly type: string; readonly data: unknown }>): Promise<void> {
  for await (const { type, data } of events) {
    const { file, name, details } = data as EventData.TestFail
    if (type === 'test:pass' && details.type !== 'suite') passed++
    if (type !== 'test:fail') continue
    const { cause, failureType } = details.error as Error & { readonly failureType?: string }
    // A test fails too when a test inside it failed; only the inner one says why.
    if (failureType === 'subtestsFailed') continue
    // A file fails when its tests do; that says something only where none of them did.
    const isFile = name === file || join(ROOT, name) === file
    const error = inspect(cause ?? details.error, { depth: 2 })
    const test = isFile ? nameOf(file) : `${nameOf(file)}: ${name}`
    if (isFile && failures.some((other) => other.test.startsWith(`${test}: `))) continue
    failures.push({ test, error })
    process.stdout.write(`not ok ${test}\n    ${error.slice(0, ERROR_CHARS).replaceAll('\n', '\n    ')}\n`)
  }
}

process.chdir(ROOT)
const isWine = process.env['VOICE_STUDIO_WINE'] === '1'
const allowed = parseAllowed(readFileSync(join(ROOT, 'test/windows/allowed.txt'), 'utf8'), isWine)
const concurrency = Math.min(2, availableParallelism())
await note(run({ files, concurrency, timeout: FILE_MS }))
if (patterns.length === 0) {
  // As in the suite: what fails beside others and passes alone has passed.
  const again = files.filter((file) => failures.some(({ test }) => isOf(test, nameOf(file)) && !isAllowed(test, allowed)))
  failures = failures.filter(({ test }) => !again.some((file) => isOf(test, nameOf(file))))
  if (again.length > 0) process.stdout.write(`Again, alone: ${again.map(nameOf).join(', ')}\n`)
  for (const file of again) await note(run({ files: [file], timeout: FILE_MS }))
}
process.stdout.write(`${files.length} files, ${passed} tests passed, ${failures.length} failed.\n`)
if (patterns.length > 0) process.exitCode = failures.length > 0 ? 1 : 0
else {
  const complaints = compare(failures, allowed)
  for (const complaint of complaints) process.stdout.write(`${complaint}\n`)
  process.exitCode = complaints.length > 0 ? 1 : 0
}

/** True for the file itself and for its tests. */
function isOf(test: string, file: string): boolean {
  return test === file || test.startsWith(`${file}: `)
}
