// `test`: node's own runner over all test files, and two guards it lacks: a test file that keeps a handle open fails
// (test/support/world/leak-check.ts), and so does a run that leaves a process behind.
import { globSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { systemClock } from '#shared/runtime/clock.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { captureProgram, runProgram } from '../lib/child.ts'
import { type CommandRun, ROOT, type Terminal } from '../lib/command.ts'
import { processesMarked } from '../lib/test-run/leftovers.ts'
import { memoryFolder } from '../lib/test-run/memory-folder.ts'
import { readResults, readTimes, report } from '../lib/test-run/results.ts'
import { run as check } from './check.ts'
import { setupUnattended } from './setup.ts'

// Not STUDIO_…: those are settings, and an unknown one is refused.
const MARK = 'VOICE_STUDIO_TEST_RUN'
/** The folder of the run, where test files share what is costly to create and note their processor time. */
const FOLDER = 'VOICE_STUDIO_TEST_FOLDER'
const GRACE = 3_000

/**
 * Runners that work at the same time; some begin with the groups. On two cores fewer leave one idle, because most files wait
 * more than they compute.
 */
const AT_ONCE = 6
/** The same when files are named, which is done on machines that have other work. */
const NAMED_AT_ONCE = 3
/** They compute all the time: more of them would slow down files whose programs wait for each other. */
const GROUPS_AT_ONCE = 2
/** Browsers need much memory. */
const BROWSERS_AT_ONCE = 2
/** A runner gets several files at a time, because its own start costs 0.1 s; the last ones one by one, so that all runners end together. */
const MOST_FILES = 4
const TURNS_LEFT = 6

/**
 * The files that take longest (30 s and more), longest first. Each has a runner of its own, and they begin before all others, so that no long
 * file is left when the others have ended.
 */
export const LONGEST = [
  'test/scenarios/recognition/recognition.test.ts',
  'test/scenarios/dictation/live.test.ts',
  'test/agent/engine/host/pool-faults.test.ts',
  'test/chaos/restart.test.ts',
  'test/scenarios/longform/book-crash.test.ts',
  'test/scenarios/longform/book-stops.test.ts',
  'test/chaos/faults.test.ts',
  'test/scenarios/jobs/take.test.ts',
  'test/scenarios/longform/book-races.test.ts',
  'test/scenarios/voices/leaving.test.ts',
  'test/cli/commands/dub/dub.test.ts',
  'test/scenarios/dubbing/check.test.ts',
  'test/scenarios/dubbing/dub-machines.test.ts',
  'test/scenarios/dubbing/batch.test.ts',
  'test/scenarios/dubbing/export.test.ts',
  'test/scenarios/system/start.test.ts',
  'test/scenarios/voices/bundles.test.ts',
  'test/scenarios/workers/lending.test.ts',
  'test/scenarios/trust/identity.test.ts',
  'test/scenarios/workers/breakers.test.ts',
]

/** They wait more than they compute and take long, so they begin before all others. CLIENTS need no browser. */
const BROWSER = 'test/e2e/**/*.test.ts'
const CLIENTS = 'test/e2e/openai/**'

/**
 * Test files that run together, each group in one process, which saves the start of a process for each of them. They start no engine host, change
 * no global state, and count no handles of their process. All other files have a process of their own. Files that start many programs have a
 * group of their own: in a process with much memory each start of a program and each garbage collection takes longer.
 */
const MEDIA = 'test/control-plane/media/**/*.test.ts'
const DUBBING = 'test/control-plane/areas/dubbing/**/*.test.ts'
const AREAS = 'test/control-plane/areas/**/*.test.ts'
const GROUPS = [
  [MEDIA],
  [DUBBING],
  [AREAS],
  ['test/control-plane/**/*.test.ts'],
  [
    'test/architecture/**/*.test.ts',
    'test/agent/{connection,inbound,lending,models,tenancy}/**/*.test.ts',
    'test/agent/engine/{audio,seam,speech,text}/**/*.test.ts',
    'test/agent/engine/engines/**/{decoding,text}/**/*.test.ts',
    'test/agent/engine/engines/**/{languages,output,segments,sentences,text,voices,wave}.test.ts',
    'test/shared/{audio,models,operations,pki,protocol,runtime,text,trace}/**/*.test.ts',
  ],
]
const filesOf = (group: string[]): string[] => {
  const earlier = GROUPS.slice(0, GROUPS.indexOf(group)).flat()
  return globSync(group, { cwd: ROOT, exclude: earlier }).sort()
}

export const run: CommandRun = async (args, terminal) => {
  const long = args.includes('--long')
  const flags = args.filter((arg) => arg.startsWith('--test-'))
  const named = args.filter((arg) => arg !== '--long' && !flags.includes(arg)).flatMap((path) => filesAt(resolve(terminal.cwd, path), long))

  let failed = false
  if (terminal.env.CI === 'true' && !named.length) {
    await setupUnattended(terminal)
    failed = (await check([], terminal)) !== 0
  }
  const startedAt = systemClock.mono()
  const together = named.length ? [] : GROUPS.map(filesOf)
  const browser = named.length ? [] : globSync(BROWSER, { cwd: ROOT, exclude: [CLIENTS] }).sort()
  const others = named.length ? named : testFiles(long).filter((file) => !together.flat().includes(file) && !browser.includes(file))
  const apart = longestFirst(others)
  const atOnce = named.length ? NAMED_AT_ONCE : AT_ONCE
  // Engine hosts have this priority anyway. Without it the files that run beside them would keep them from their heartbeats.
  if (!named.length) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const folder = mkdtempSync(join(tmpdir(), 'studio-test-results-'))
  const memory = named.length || long ? null : await memoryFolder(terminal.interrupted())
  try {
    const passed = await runFiles({ together, browser: longestFirst(browser), apart, atOnce, folder, memory, flags, long }, terminal)
    const results = globSync('result-*', { cwd: folder }).flatMap((name) => readResults(join(folder, name)))
    terminal.output.write(report(results, readTimes(folder), systemClock.mono() - startedAt, ROOT))
    return passed && !failed ? 0 : 1
  } finally {
    for (const made of [folder, memory ?? folder]) rmSync(made, { recursive: true, force: true, maxRetries: 10 })
  }
}

const LONG = ['test/long/**', 'test/attacks/long/**']
const testFiles = (long: boolean) => globSync('test/**/*.test.ts', { cwd: ROOT, exclude: long ? [] : LONG }).sort()

const longestFirst = (files: readonly string[]) => [
  ...LONGEST.filter((file) => files.includes(file)),
  ...files.filter((file) => !LONGEST.includes(file)),
]

// A folder stands for the test files in it.
function filesAt(path: string, long: boolean): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path]
  const inside = testFiles(long).map((file) => join(ROOT, file))
  return inside.filter((file) => file.startsWith(path + sep))
}

type Files = {
  readonly together: readonly (readonly string[])[]
  readonly browser: readonly string[]
  readonly apart: readonly string[]
  readonly atOnce: number
  /** For the results of each runner, and for FOLDER. */
  readonly folder: string
  /** For temporary folders of the tests; null: where the environment says. */
  readonly memory: string | null
  readonly flags: readonly string[]
  readonly long: boolean
}

async function runFiles({ together, browser, apart, atOnce, folder, memory, flags, long }: Files, terminal: Terminal): Promise<boolean> {
  const mark = systemRandom.hex(8)
  // NODE_TEST_CONTEXT would make a runner inside a test believe that it is a test file.
  const env = { ...terminal.env, [MARK]: mark, [FOLDER]: folder, NODE_TEST_CONTEXT: undefined, ...(memory !== null && { TMPDIR: memory }) }
  const options = { env, signal: terminal.interrupted() }
  const isAlone = together.length + browser.length + apart.length === 1
  let runs = 0
  let failed = false
  // Several runners on one terminal would mix their lines, so their output is printed when they end.
  // No --test-force-exit: it ends a file before leak-check.ts can see what was left open, and leak-check.ts ends such files itself.
  const runner = async (files: readonly string[], isolation: 'process' | 'none' = 'process') => {
    if (!files.length || options.signal.aborted) return
    const args = [
      ...['--import', './test/support/world/leak-check.ts', '--test', `--test-timeout=${long ? 3_600_000 : 480_000}`],
      ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
      ...['--test-reporter=./cli/lib/test-run/reporter.ts', `--test-reporter-destination=${join(folder, `result-${runs++}`)}`],
      ...flags,
      ...[`--test-isolation=${isolation}`, ...(isolation === 'process' ? ['--test-concurrency=1'] : [])],
    ]
    const { code, text } = isAlone
      ? { code: await runProgram(process.execPath, [...args, ...files], options), text: '' }
      : await captureProgram(process.execPath, [...args, ...files], options)
    terminal.output.write(text)
    if (code !== 0) failed = true
  }
  const waiting = { apart: [...apart], browser: [...browser] }
  const nextApart = () => {
    const isLong = LONGEST.includes(waiting.apart[0] ?? '')
    return waiting.apart.splice(0, isLong ? 1 : Math.min(MOST_FILES, Math.ceil(waiting.apart.length / (atOnce * TURNS_LEFT))))
  }
  let browsers = 0
  const runWaiting = async () => {
    for (;;) {
      const isBrowser = waiting.browser.length > 0 && browsers < BROWSERS_AT_ONCE
      const files = isBrowser ? waiting.browser.splice(0, 1) : nextApart()
      // The runners of the browsers take those that wait.
      if (files.length === 0) return
      if (isBrowser) browsers++
      await runner(files)
      if (isBrowser) browsers--
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
  for (const { pid, command } of leftovers) {
    terminal.errors.write(`✖ process ${pid} outlived the tests and was killed: ${command}\n`)
    process.kill(pid, 'SIGKILL')
  }
  return !failed && !options.signal.aborted && !leftovers.length
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
