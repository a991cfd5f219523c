// The results of several runner processes as one report: totals, and the files that took longest.
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { z } from 'zod'
import { BUDGET_MINUTES } from './budget.ts'

const FileResult = z.object({
  file: z.string(),
  ms: z.number(),
  passed: z.int(),
  failed: z.int(),
  skipped: z.int(),
  failures: z.array(z.object({ name: z.string(), error: z.string() })),
})
export type TestFileResult = z.output<typeof FileResult>

/** The lines that the reporter wrote to `path`; none when the runner ended before it could report. */
export function readResults(path: string): TestFileResult[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => FileResult.parse(JSON.parse(line)))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const FileTime = z.object({ file: z.string(), seconds: z.number() })
/** Processor seconds by test file, which test/support/world/leak-check.ts wrote to `folder`. Files of one shared process are one entry. */
export const readTimes = (folder: string): ReadonlyMap<string, number> =>
  new Map(
    globSync('time-*', { cwd: folder })
      .map((name) => FileTime.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
      .map(({ file, seconds }) => [file, seconds]),
  )

const SLOWEST = 10
/** Folders of the report: the first two of a path, such as test/scenarios. */
const FOLDER_DEPTH = 2

/** `repeat`: the result of a file with failures that was run again alone. */
type FirstResult = TestFileResult & { readonly repeat?: TestFileResult | undefined }

/** Files that count as passed because they passed alone are named first of all: such a test or the code under it has a defect. */
function failureLines(results: readonly FirstResult[], root: string): string[] {
  const lines = ({ file, failures }: FirstResult) => [
    `  ${relative(root, file)}`,
    ...failures.flatMap(({ name, error }) => [`    ${name}`, ...error.split('\n').map((line) => `      ${line}`)]),
  ]
  const failing = results.filter(({ failed }) => failed > 0)
  const [unsteady, broken] = [failing.filter(({ repeat }) => repeat?.failed === 0), failing.filter(({ repeat }) => repeat?.failed !== 0)]
  return [
    ...(unsteady.length > 0
      ? ['', 'Unsteady files, which failed beside others and passed alone. Repair them:', ...unsteady.flatMap(lines)]
      : []),
    ...(broken.length > 0 ? ['', 'Files with failures:', ...broken.flatMap(lines)] : []),
  ]
}

function folderLines(times: ReadonlyMap<string, number>, root: string): string[] {
  const folders = new Map<string, { seconds: number; files: number }>()
  for (const [file, seconds] of times) {
    const folder = relative(root, file).split('/').slice(0, FOLDER_DEPTH).join('/')
    const sum = folders.get(folder) ?? { seconds: 0, files: 0 }
    folders.set(folder, { seconds: sum.seconds + seconds, files: sum.files + 1 })
  }
  return [...folders]
    .sort(([, a], [, b]) => b.seconds - a.seconds)
    .map(([folder, { seconds, files }]) => `${seconds.toFixed(1).padStart(7)}  ${folder} (${files})`)
}

type Run = {
  /** Processor seconds by file, with all processes that the file started and waited for; files of the shared process have none. */
  readonly times: ReadonlyMap<string, number>
  /** Milliseconds of the whole run. */
  readonly wallMs: number
  readonly root: string
  /** Sentences that say why the run failed beside its tests. */
  readonly broken: readonly string[]
}

/** The last line is the total in the form that other programs count, and the lines before it say why the run failed beside its tests. */
export function report(first: readonly FirstResult[], { times, wallMs, root, broken }: Run): string {
  const results = first.map((result) => (result.repeat?.failed === 0 ? result.repeat : result))
  const total = (of: (result: TestFileResult) => number) => results.reduce((sum, result) => sum + of(result), 0)
  const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
  const column = (seconds: number | undefined) => (seconds?.toFixed(1) ?? '').padStart(7)
  const minutes = `${Math.floor(wallMs / 60_000)} min ${Math.round((wallMs % 60_000) / 1000)} s`
  return [
    ...failureLines(first, root),
    '',
    `Slowest of ${results.length} files (seconds, processor seconds):`,
    ...slowest.map(({ file, ms }) => `${column(ms / 1000)} ${column(times.get(file))}  ${relative(root, file)}`),
    'Processor seconds by folder (a shared process counts as the folder of its first file):',
    ...folderLines(times, root),
    `Total time: ${minutes} (budget: ${BUDGET_MINUTES} min on two quiet cores), of processors ${Math.round([...times.values()].reduce((sum, one) => sum + one, 0))} s`,
    ...(broken.length > 0 ? ['The run failed beside its tests:', ...broken.map((reason) => `  ${reason}`)] : []),
    `${total(({ passed }) => passed)} passed, ${total(({ failed }) => failed)} failed, ${total(({ skipped }) => skipped)} skipped`,
    '',
  ].join('\n')
}
