// A reporter for node's test runner that writes one line of JSON for each test file: how long it ran and how its tests ended. `studio
// test` reads these lines to print the slowest files and one total over all its runner processes.
import type { EventData } from 'node:test'

export type FileResult = {
  readonly file: string
  ms: number
  passed: number
  failed: number
  skipped: number
  /** The first failed tests with their errors. */
  readonly failures: { readonly name: string; readonly error: string }[]
}
const MAX_FAILURES = 5
const ERROR_LENGTH = 2_000
type TestEvent =
  | { readonly type: 'test:pass'; readonly data: EventData.TestPass }
  | { readonly type: 'test:fail'; readonly data: EventData.TestFail }
  | { readonly type: 'test:summary'; readonly data: { readonly file?: string; readonly duration_ms: number } }
  | { readonly type: 'other' }

/** Events arrive until the run ends. */
async function* fileResults(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const results = new Map<string, FileResult>()
  const resultOf = (file = '') => {
    const result = results.get(file) ?? { file, ms: 0, passed: 0, failed: 0, skipped: 0, failures: [] }
    results.set(file, result)
    return result
  }
  for await (const event of events) {
    if (event.type === 'test:pass' || event.type === 'test:fail') {
      const { data } = event
      if (data.details.type === 'suite') continue
      const result = resultOf(data.file)
      if (event.type === 'test:fail') noteFailure(result, event.data)
      else if (data.skip) result.skipped++
      else result.passed++
      // Inside one shared process the time of a file is the time of its top-level tests.
      if (data.nesting === 0) result.ms += data.details.duration_ms
    } else if (event.type === 'test:summary' && event.data.file !== undefined) {
      // A file in a process of its own: the time includes the start of that process.
      resultOf(event.data.file).ms = event.data.duration_ms
    }
  }
  for (const result of results.values()) yield `${JSON.stringify(result)}\n`
}

function noteFailure(result: FileResult, { name, details }: EventData.TestFail): void {
  result.failed++
  const { cause, failureType } = details.error as Error & { readonly failureType?: string }
  // A test fails too when a test inside it failed; only the inner one says why.
  if (failureType === 'subtestsFailed' || result.failures.length >= MAX_FAILURES) return
  const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? details.error)
  result.failures.push({ name: name.slice(0, ERROR_LENGTH), error: error.slice(0, ERROR_LENGTH) })
}

// biome-ignore lint/style/noDefaultExport: Node loads the default export of a reporter module.
export { fileResults as default }
