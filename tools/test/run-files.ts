// Runs test files in runner processes of Node's test runner, several at a time, and guards what it lacks: a run that leaves a process behind
// fails. A file with failures can be run again alone, which separates a broken test from one that needs a quiet machine.
import { join } from 'node:path'
import { captureProgram, runProgram } from '#cli/lib/child.ts'
import type { Terminal } from '#cli/lib/command.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { processesMarked } from './leftovers.ts'
import { readResults } from './results.ts'

// Not STUDIO_…: those are settings, and an unknown one is refused.
const MARK = 'VOICE_STUDIO_TEST_RUN'
/** The folder of the run, where test files share what is costly to create and note their processor time. */
const FOLDER = 'VOICE_STUDIO_TEST_FOLDER'
/** Milliseconds that processes of the tests have to end after the last test. */
const GRACE = 3_000
/** Tests that check one case of each kind check every case. */
const LONG = 'VOICE_STUDIO_LONG_TESTS'
/** They compute all the time: more of them would slow down files whose programs wait for each other. */
const GROUPS_AT_ONCE = 2
/** Browsers need much memory. */
const BROWSERS_AT_ONCE = 2
/** A runner gets several files at a time, because its own start costs 0.1 s; the last ones one by one, so that all runners end together. */
const MAX_FILES = 4
const TURNS_LEFT = 6
/** More files with failures than this are not run again: that is no chance, and the run is to end. */
const MAX_AGAIN = 2

export type Files = {
  /** Groups of files that compute; each group shares one process. */
  readonly together: readonly (readonly string[])[]
  /** Groups of files that share one process and mostly wait for programs. */
  readonly shared: readonly (readonly string[])[]
  /** Groups that use a browser; several files share one process and one browser. */
  readonly browser: readonly (readonly string[])[]
  readonly apart: readonly string[]
  /** Files that get a runner of their own. */
  readonly longest: readonly string[]
  readonly atOnce: number
  /** Folder for the results of each runner, and for FOLDER. */
  readonly folder: string
  /** Folder for temporary folders of the tests; null: the one of the environment. */
  readonly memory: string | null
  readonly flags: readonly string[]
  readonly long: boolean
}

/** `failed`: files with failures, absolute. `broken`: sentences that say which runner ended without results, which process was left, or that the run was interrupted. */
export type FilesOutcome = { readonly failed: readonly string[]; readonly broken: readonly string[] }

/**
 * The files that may run again alone: at most two, each in a process of its own. The groups of unit tests start no programs, so their failures
 * are no matter of load. A file that only declares tests for others cannot run alone, so its failure stands.
 */
export function filesToRepeat({ failed, broken }: FilesOutcome, units: Files['together'], root: string): readonly string[] {
  const steady = new Set(units.flat().map((file) => join(root, file)))
  return broken.length > 0 || failed.length > MAX_AGAIN || failed.some((file) => steady.has(file) || !file.endsWith('.test.ts'))
    ? []
    : failed
}

/** Runs all files and prints the output of each runner when it ends. Processes that outlive the tests are killed and named. */
export async function runFiles(files: Files, terminal: Terminal): Promise<FilesOutcome> {
  const { together, shared, browser, apart, longest, atOnce, folder, memory, flags, long } = files
  const mark = systemRandom.hex(8)
  // NODE_TEST_CONTEXT would make a runner inside a test believe that it is a test file.
  const env = {
    ...terminal.env,
    ...{ [MARK]: mark, [FOLDER]: folder, NODE_TEST_CONTEXT: undefined },
    ...(long && { [LONG]: '1' }),
    ...(memory !== null && { TMPDIR: memory }),
  }
  const options = { env, signal: terminal.interrupted() }
  const isAlone = together.length + shared.length + browser.length + apart.length === 1
  let runs = 0
  const failed: string[] = []
  const broken: string[] = []
  // Several runners on one terminal would mix their lines, so their output is printed when they end.
  // No --test-force-exit: it ends a file before leak-check.ts can see what was left open, and leak-check.ts ends such files itself.
  const runner = async (files: readonly string[], isolation: 'process' | 'none' = 'process') => {
    if (!files.length || options.signal.aborted) return
    const results = join(folder, `result-${runs++}`)
    const args = [
      ...['--import', './test/support/world/leak-check.ts', '--test', `--test-timeout=${long ? 3_600_000 : 480_000}`],
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=./tools/test/reporter.ts', `--test-reporter-destination=${results}`],
      ...flags,
      ...[`--test-isolation=${isolation}`, ...(isolation === 'process' ? ['--test-concurrency=1'] : [])],
    ]
    const { code, text } = isAlone
      ? { code: await runProgram(process.execPath, [...args, ...files], options), text: '' }
      : await captureProgram(process.execPath, [...args, ...files], options)
    terminal.output.write(text)
    if (code === 0) return
    const own = readResults(results).flatMap(({ file, failed }) => (failed > 0 ? [file] : []))
    failed.push(...own)
    if (own.length === 0) broken.push(`A runner ended with status ${code} and reported no failure. Its files: ${files.join(' ')}`)
  }
  const waiting = { apart: [...apart], browser: [...browser], shared: [...shared] }
  const nextApart = () => {
    const isLong = longest.includes(waiting.apart[0] ?? '')
    return waiting.apart.splice(0, isLong ? 1 : Math.min(MAX_FILES, Math.ceil(waiting.apart.length / (atOnce * TURNS_LEFT))))
  }
  let browsers = 0
  const runWaiting = async () => {
    for (;;) {
      const pages = browsers < BROWSERS_AT_ONCE ? waiting.browser.shift() : undefined
      // Groups take longest, so they begin before the other files.
      const group = pages ?? waiting.shared.shift()
      const files = group ?? nextApart()
      // The runners of the browsers take those that wait.
      if (files.length === 0) return
      if (pages) browsers++
      await runner(files, group && group.length > 1 ? 'none' : 'process')
      if (pages) browsers--
    }
  }
  const groups = [...together]
  const runGroups = async () => {
    for (let files = groups.shift(); files; files = groups.shift()) await runner(files, 'none')
    await runWaiting()
  }
  const groupRunners = Math.min(GROUPS_AT_ONCE, together.length)
  const runners = Array.from({ length: atOnce }, (_, at) => (at < groupRunners ? runGroups() : runWaiting()))
  await Promise.all(runners)
  const leftovers = await survivors(mark)
  for (const { pid, command, startedBy } of leftovers) {
    terminal.errors.write(`✖ process ${pid} outlived the tests and was killed: ${command}\n`)
    broken.push(`Process ${pid}, which ${startedBy ?? 'an unknown file'} started, outlived the tests: ${command}`)
    process.kill(pid, 'SIGKILL')
  }
  if (options.signal.aborted) broken.push('The run was interrupted.')
  return { failed, broken }
}

// A process that was told to stop may still be on its way out.
async function survivors(mark: string) {
  const until = systemClock.mono() + GRACE
  for (;;) {
    const left = processesMarked(MARK, mark)
    if (!left.length || systemClock.mono() > until) return left
    await systemClock.sleep(100)
  }
}
