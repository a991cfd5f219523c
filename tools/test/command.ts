// `test`: node's own runner over all test files, and two guards it lacks: a test file that keeps a handle open fails
// (test/support/world/leak-check.ts), and so does a run that leaves a process behind.
import { globSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { constants, setPriority, tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { captureProgram } from '#cli/lib/child.ts'
import { type CommandRun, Misuse, ROOT } from '#cli/lib/command.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { run as check } from '#tools/check/command.ts'
import { setupUnattended } from '#tools/setup/command.ts'
import { memoryFolder } from './memory-folder.ts'
import { readResults, readTimes, report, type TestFileResult } from './results.ts'
import { filesToRepeat, runFiles } from './run-files.ts'

/**
 * Runners that work at the same time; some begin with the groups. Most files wait more than they compute: with these, two cores are
 * idle for 4 % of a run, and more of them only compete.
 */
const AT_ONCE = 4
/** The same when files are named, which is done on machines that have other work. */
const NAMED_AT_ONCE = 3
/**
 * The files that take longest (30 s and more), longest first. Each has a runner of its own, and they begin before all others, so that no long
 * file is left when the others have ended.
 */
export const LONGEST = [
  'test/scenarios/dictation/live.test.ts',
  'test/agent/engine/host/pool-faults.test.ts',
  'test/chaos/restart.test.ts',
  'test/cli/commands/dub/dub.test.ts',
  'test/scenarios/dubbing/batch.test.ts',
  'test/scenarios/system/start.test.ts',
  'test/scenarios/trust/identity.test.ts',
  'test/documents/blocks.test.ts',
  'test/scenarios/silence/silence.test.ts',
]

/** They wait more than they compute and take long, so they begin before all others. CLIENTS need no browser. */
const BROWSER = 'test/e2e/**/*.test.ts'
const CLIENTS = 'test/e2e/openai/**'

const ARCHITECTURE = 'test/architecture/'

/**
 * Test files that run together, each group in one process, which saves the start of a process for each of them. They start no engine host, change
 * no global state, and count no handles of their process. All other files have a process of their own. Files that start many programs have a
 * group of their own: in a process with much memory each start of a program and each garbage collection takes longer.
 */
const MEDIA = 'test/control-plane/media/**/*.test.ts'
const DUBBING = 'test/control-plane/features/dubbing/**/*.test.ts'
const AREAS = 'test/control-plane/features/**/*.test.ts'
const UNITS = [
  [MEDIA],
  [DUBBING],
  [AREAS],
  ['test/control-plane/**/*.test.ts'],
  [
    `${ARCHITECTURE}**/*.test.ts`,
    'test/agent/{connection,inbound,lending,models,tenancy}/**/*.test.ts',
    'test/agent/engine/{audio,seam,speech,text}/**/*.test.ts',
    'test/agent/engine/**/{decoding,text}/**/*.test.ts',
    'test/agent/engine/**/{languages,output,segments,sentences,text,voices,wave}.test.ts',
    'test/agent/engine/**/{schedule,scoring,speakable,spectrum,symbols,trellis,unmask}.test.ts',
    'test/agent/engine/{host/{event-queue,grace},runtimes/sherpa/*,verify/judge}.test.ts',
    'test/shared/{audio,download,models,operations,pki,protocol,runtime,subtitles,text,timing,trace,voices}/**/*.test.ts',
  ],
]
/**
 * Files that run together, each group in one process and with one studio for equal options (`sharedWorld`): a studio with its agent, engine
 * hosts and test process costs 4 s of processor time. They list only things of their own and restore the settings that they change.
 * A group runs in the order of the names: task-list.test.ts counts all tasks of its studio and is the first, and a file that stops the studio is
 * the last.
 */
export const SHARED_STUDIO = [
  // These two take two minutes, so they are not among the last.
  ['test/attacks/texts/long-and-many.test.ts', 'test/chaos/{faults,processes}.test.ts'],
  ['test/scenarios/{recognition/recognition,tasks/idempotency,workers/breakers}.test.ts'],
  ['test/chaos/link.test.ts', 'test/scenarios/workers/{both-directions,hostile-results}.test.ts'],
  ['test/scenarios/longform/{book,book-*,plan,stories}.test.ts'],
  [
    'test/e2e/openai/{client,clients}.test.ts',
    'test/scenarios/recognition/{absent,endpoint}.test.ts',
    'test/scenarios/{longform/facts/conformance,speech/languages}.test.ts',
    'test/scenarios/voices/{facts/conformance,profiles}.test.ts',
    'test/scenarios/watermark/outlets.test.ts',
  ],
  [
    'test/scenarios/{http/docs,longform/access,tools/preview}.test.ts',
    'test/scenarios/{library/projects,voices/{bundle-crash,hosted,together}}.test.ts',
  ],
  [
    'test/scenarios/{engines/{engines,sonitranslate},http/bad-input,library/history}.test.ts',
    'test/scenarios/{pronunciation/pronunciation,translation/translation,watermark/watermark}.test.ts',
  ],
  ['test/scenarios/{dubbing/generate-stops,jobs/take,system/traces}.test.ts'],
  ['test/scenarios/trust/{enrolment,rotation}.test.ts'],
  ['test/cli/commands/models.test.ts', 'test/scenarios/engines/models.test.ts'],
  ['test/scenarios/{library/exports,tools/tools}.test.ts'],
  ['test/scenarios/dubbing/{check,export,generate,transcribe}.test.ts'],
  ['test/scenarios/{tasks/task-list,workers/events,workers/workers-api}.test.ts'],
  ['test/scenarios/{tasks/inputs,trust/consent,workers/{borrowed,drain,lending}}.test.ts'],
  ['test/attacks/mcp/calls.test.ts', 'test/scenarios/{speech/{generate,heard,speech},voices/leaving}.test.ts'],
  ['test/scenarios/{dictation/remote,dubbing/machines/{dub-machines,hostile-machine},system/figures}.test.ts'],
  ['test/scenarios/{dubbing/prep,engines/omnivoice,jobs/live,voices/{archetypes,bundles,voice-kills}}.test.ts'],
]
/**
 * Tests of pages that run together, each group in one process with one browser, and with one studio where they share a world, in the order of
 * the names.
 */
export const SHARED_BROWSER = [
  [
    'test/e2e/library/voices.test.ts',
    'test/e2e/library/palette-and-player.test.ts',
    'test/e2e/library/projects-and-files.test.ts',
    'test/e2e/create/audiobook.test.ts',
    'test/e2e/create/tools.test.ts',
    'test/e2e/web-home.test.ts',
    'test/e2e/web-transcribe.test.ts',
  ],
  [
    'test/e2e/library/first-voice-and-models.test.ts',
    'test/e2e/library/keyboard.test.ts',
    'test/e2e/library/settings.test.ts',
    'test/e2e/web-setup.test.ts',
    'test/e2e/web-sign-in.test.ts',
  ],
  ['test/e2e/create/dub.test.ts', 'test/e2e/killed-studio.test.ts', 'test/e2e/web-machines.test.ts', 'test/e2e/web-sharing.test.ts'],
  [
    'test/e2e/components/components.test.ts',
    'test/e2e/components/languages.test.ts',
    'test/e2e/development/design.test.ts',
    'test/e2e/development/documents.test.ts',
    'test/e2e/development/reload.test.ts',
    'test/e2e/web-many-machines.test.ts',
    'test/e2e/web-speak.test.ts',
    'test/e2e/create/takes.test.ts',
    'test/e2e/web-tasks.test.ts',
    'test/e2e/web.test.ts',
  ],
]
const GROUPS = [...UNITS, ...SHARED_STUDIO]
const filesOf = (group: string[]): string[] => {
  const earlier = GROUPS.slice(0, GROUPS.indexOf(group)).flat()
  return globSync(group, { cwd: ROOT, exclude: earlier }).sort()
}

/** The programs run on Node 22.18 and newer; the tests use a newer test runner. */
const OLDEST_MAJOR = 24

export const run: CommandRun = async (args, terminal) => {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR)
    throw new Misuse(`The tests need Node ${OLDEST_MAJOR} or newer, and this is Node ${process.versions.node}.`)
  const long = args.includes('--long')
  const flags = args.filter((arg) => arg.startsWith('--test-'))
  const named = args.filter((arg) => arg !== '--long' && !flags.includes(arg)).flatMap((path) => filesAt(resolve(terminal.cwd, path), long))

  let failed = false
  const isChecked = terminal.env['CI'] === 'true' && !named.length
  if (isChecked) {
    await setupUnattended(terminal)
    failed = (await check([], terminal)) !== 0
  }
  const startedAt = systemClock.mono()
  if (!named.length) await warmUp(terminal)
  // `check` has run the tests of the architecture.
  const together = named.length
    ? []
    : UNITS.map(filesOf).map((files) => files.filter((file) => !isChecked || !file.startsWith(ARCHITECTURE)))
  const shared = named.length ? [] : SHARED_STUDIO.map(filesOf)
  const pages = named.length ? [] : globSync(BROWSER, { cwd: ROOT, exclude: [CLIENTS] }).sort()
  const grouped = [UNITS.map(filesOf), shared, pages].flat(2)
  const others = named.length ? named : testFiles(long).filter((file) => !grouped.includes(file))
  const ownPages = pages.filter((file) => !SHARED_BROWSER.flat().includes(file))
  const browser = named.length ? [] : [...SHARED_BROWSER, ...ownPages.map((file) => [file])]
  const apart = longestFirst(others)
  const atOnce = named.length ? NAMED_AT_ONCE : AT_ONCE
  // Engine hosts have this priority anyway. Without it the files that run beside them would keep them from their heartbeats.
  if (!named.length) setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  const folder = mkdtempSync(join(tmpdir(), 'studio-test-results-'))
  const memory = named.length || long ? null : await memoryFolder(terminal.interrupted())
  const files = { together, shared, browser, apart, longest: LONGEST, atOnce, folder, memory, flags, long }
  try {
    const first = await runFiles(files, terminal)
    const repeated = named.length ? [] : filesToRepeat(first, UNITS.map(filesOf), ROOT)
    const alone = join(folder, 'alone')
    mkdirSync(alone)
    const second = repeated.length
      ? await runFiles({ ...files, together: [], shared: [], browser: [], apart: repeated, atOnce: 1, folder: alone }, terminal)
      : first
    const results = resultsIn(folder).map((result) => ({ ...result, repeat: resultsIn(alone).find(({ file }) => file === result.file) }))
    const broken = [...new Set([...first.broken, ...second.broken]), ...(failed ? ['`./studio check` failed.'] : [])]
    terminal.output.write(report(results, { times: readTimes(folder), wallMs: systemClock.mono() - startedAt, root: ROOT, broken }))
    return second.failed.length || broken.length ? 1 : 0
  } finally {
    for (const made of [folder, memory ?? folder]) rmSync(made, { recursive: true, force: true, maxRetries: 10 })
  }
}

/** A run without the cache is only slower. */
async function warmUp({ env, errors, interrupted }: Parameters<CommandRun>[1]): Promise<void> {
  const { code, text } = await captureProgram(process.execPath, ['test/support/starting/warm-up.ts'], { env, signal: interrupted() })
  if (code !== 0) errors.write(`The compile cache was not filled, so the tests take longer:\n${text}\n`)
}

const resultsIn = (folder: string): TestFileResult[] =>
  globSync('result-*', { cwd: folder }).flatMap((name) => readResults(join(folder, name)))

const LONG = ['test/long/**', 'test/attacks/long/**', 'test/windows/**']
const testFiles = (long: boolean) => globSync('test/**/*.test.ts', { cwd: ROOT, exclude: long ? [] : LONG }).sort()

const longestFirst = (files: readonly string[]) => [
  ...LONGEST.filter((file) => files.includes(file)),
  ...files.filter((file) => !LONGEST.includes(file)),
]

// A folder stands for the test files in it.
function filesAt(path: string, long: boolean): string[] {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found) throw new Misuse(`There is no file or folder ${path}. Name test files or folders, such as test/cli.`)
  if (!found.isDirectory()) return [path]
  const inside = testFiles(long).map((file) => join(ROOT, file))
  const within = inside.filter((file) => file.startsWith(path + sep))
  if (within.length === 0) throw new Misuse(`There are no tests in ${path}. Name test files or folders, such as test/cli.`)
  return within
}
