// The tracing interface of both programs. A span starts under the traceparent text of its parent, so the parent may be in another process.
// Without an exporter nothing is loaded or recorded, and an incoming context is passed on unchanged.
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { readTraceparent } from './traceparent.ts'

/** Ids, names of engines, codes, counts. Never text or audio of a task, never a secret. */
export type Attributes = Readonly<Record<string, string | number | boolean>>
export type SpanOptions = {
  readonly kind?: 'server' | 'client' | 'inside'
  /** Start time in epoch milliseconds, if earlier than now. */
  readonly at?: number
  readonly attributes?: Attributes
}
export type Span = {
  /** The context for children and other processes; empty without a trace. */
  readonly traceparent: string
  /** Ends the span, once. `failure` is a failure code; `at` is the end in epoch milliseconds, if earlier than now. */
  readonly end: (failure?: string | null, attributes?: Attributes, at?: number) => void
}
export type Tracing = {
  /** False when spans are not recorded and need no preparation. */
  readonly isOn: boolean
  /** `parent` is a traceparent; anything else begins a new trace. */
  readonly begin: (name: string, parent: string, options?: SpanOptions) => Span
  /** Exports the remaining spans, within two seconds. */
  readonly stop: () => Promise<void>
}
export type TracingSettings = { readonly traceEndpoint: string | null; readonly traceFile: string | null }

const noop = () => {}
const NONE: Span = { traceparent: '', end: noop }

export const noTracing: Tracing = {
  isOn: false,
  begin: (_name, parent) => (parent === '' || readTraceparent(parent) === null ? NONE : { traceparent: parent, end: noop }),
  stop: async () => {},
}

/** `program` is the name of the service in every span. */
export async function openTracing(
  settings: TracingSettings,
  deps: { readonly program: string; readonly version: string; readonly clock: Clock; readonly log: Log },
): Promise<Tracing> {
  if (settings.traceEndpoint === null && settings.traceFile === null) return noTracing
  const { createRecorder } = await import('./recorder.ts')
  return createRecorder(settings, deps)
}
