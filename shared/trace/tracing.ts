// Traces as both programs see them: a span is begun under the trace context of its parent, which is a text, so that it makes no
// difference whether the parent lives in this process. Without an exporter nothing is loaded, made or kept: a context that came in is
// handed on as it is, and that is all.
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { readTraceparent } from './traceparent.ts'

/** Ids, names of engines, codes, counts. Never text or audio of a task, never a secret. */
export type Attributes = Readonly<Record<string, string | number | boolean>>
export type SpanOptions = {
  readonly kind?: 'server' | 'client' | 'inside'
  /** Epoch milliseconds, when it began earlier than now. */
  readonly at?: number
  readonly attributes?: Attributes
}
export type Span = {
  /** What children and other processes are told; empty when there is no trace. */
  readonly traceparent: string
  /** Ends it, once; `failure` is the code of what went wrong, `at` epoch milliseconds when it ended earlier than now. */
  readonly end: (failure?: string | null, attributes?: Attributes, at?: number) => void
}
export type Tracing = {
  /** False: spans are not worth preparing anything for. */
  readonly isOn: boolean
  /** `parent` is a traceparent; anything else begins a new trace. */
  readonly begin: (name: string, parent: string, options?: SpanOptions) => Span
  /** Sends what is left, within two seconds. */
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
