// Records each request for both the metrics and the traces.
import type { Clock } from '#shared/runtime/clock.ts'
import type { Tracing } from '#shared/trace/tracing.ts'
import type { Metrics } from './metrics.ts'

type RequestStart = { readonly route: string; readonly path: string; readonly method: string; readonly traceparent: string | undefined }
type Deps = {
  readonly metrics: Metrics
  readonly tracing: Tracing
  /** Receives each request that changes something, for the record of this run. */
  readonly note: (kind: string, detail: string) => void
  readonly clock: Clock
}
/** Requested all the time by machines: they would hide every other trace. */
const UNTRACED: ReadonlySet<string> = new Set(['system.health', 'system.readMetrics'])

export const createRequestWatch =
  ({ metrics, tracing, note, clock }: Deps) =>
  ({ route, path, method, traceparent = '' }: RequestStart) => {
    const from = clock.mono()
    if (method !== 'GET' && method !== 'HEAD') note(route, `${method} ${path}`)
    const seconds = () => (clock.mono() - from) / 1000
    const span = UNTRACED.has(route)
      ? null
      : tracing.begin(route, traceparent, {
          kind: 'server',
          attributes: { 'http.request.method': method, 'http.route': path },
        })
    return {
      traceparent: span?.traceparent ?? '',
      firstByte: () => metrics.firstByte(route, seconds()),
      done(status: number): void {
        metrics.request(route, method, status, seconds())
        span?.end(status >= 500 || status === 499 ? String(status) : null, { 'http.response.status_code': status })
      },
    }
  }
