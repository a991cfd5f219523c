// The results of several runner processes as one report: totals, and the files that took longest.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { z } from 'zod'

const FileResult = z.object({ file: z.string(), ms: z.number(), passed: z.int(), failed: z.int(), skipped: z.int() })
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

const SLOWEST = 10

/** `wallMs`: of the whole run. The last line is the total in the form that other programs count. */
export function report(results: readonly TestFileResult[], wallMs: number, root: string): string {
  const total = (of: (result: TestFileResult) => number) => results.reduce((sum, result) => sum + of(result), 0)
  const slowest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
  const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(7)
  const minutes = `${Math.floor(wallMs / 60_000)} min ${Math.round((wallMs % 60_000) / 1000)} s`
  return [
    '',
    `Slowest of ${results.length} files:`,
    ...slowest.map(({ file, ms }) => `${seconds(ms)} s  ${relative(root, file)}`),
    `Total time: ${minutes}`,
    `${total(({ passed }) => passed)} passed, ${total(({ failed }) => failed)} failed, ${total(({ skipped }) => skipped)} skipped`,
    '',
  ].join('\n')
}
