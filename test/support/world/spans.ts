// Reads the spans of a trace file.
import { existsSync, readFileSync } from 'node:fs'

export type SpanLine = {
  readonly service: string
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  /** Empty for the root span. */
  readonly parent: string
  /** The failure code. */
  readonly failure: string | null
  readonly attributes: Readonly<Record<string, unknown>>
}
type Valued = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }
const attributesOf = (list: readonly Valued[] = []) => Object.fromEntries(list.map(({ key, value }) => [key, Object.values(value)[0]]))

export function readSpans(path: string): SpanLine[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [{ resource, scopeSpans }] = JSON.parse(line).resourceSpans
      const [span] = scopeSpans[0].spans
      return {
        service: String(attributesOf(resource.attributes)['service.name']),
        name: span.name,
        traceId: span.traceId,
        spanId: span.spanId,
        parent: span.parentSpanId ?? '',
        failure: span.status.code === 2 ? span.status.message : null,
        attributes: attributesOf(span.attributes),
      }
    })
}
