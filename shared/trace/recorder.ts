// Tracing with the OpenTelemetry SDK, loaded only when an exporter is configured. It uses no global state, so two studios in one process do
// not interfere.
import { ROOT_CONTEXT, type SpanContext, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { createFileExporter } from './file-exporter.ts'
import { readTraceparent, writeTraceparent } from './traceparent.ts'
import type { Attributes, Span, SpanOptions, Tracing, TracingSettings } from './tracing.ts'

type Deps = { readonly program: string; readonly version: string; readonly clock: Clock; readonly log: Log }
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, inside: SpanKind.INTERNAL }
const BATCH = { scheduledDelayMillis: 500, maxQueueSize: 4096, maxExportBatchSize: 512, exportTimeoutMillis: 10_000 }
const STOP_MS = 2_000
const VALUE_LENGTH = 512

export function createRecorder({ traceEndpoint, traceFile }: TracingSettings, { program, version, clock, log }: Deps): Tracing {
  const exporters: SpanExporter[] = []
  if (traceEndpoint !== null) exporters.push(new OTLPTraceExporter({ url: traceEndpoint, timeoutMillis: BATCH.exportTimeoutMillis }))
  if (traceFile !== null) exporters.push(createFileExporter(traceFile))
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `voice-studio-${program}`, 'service.version': version }),
    spanLimits: { attributeValueLengthLimit: VALUE_LENGTH, attributeCountLimit: 32 },
    spanProcessors: exporters.map((exporter) => new BatchSpanProcessor({ ...BATCH, exporter: logFailures(exporter, log) })),
  })
  const tracer = provider.getTracer('voice-studio', version)

  function begin(name: string, parent: string, { kind = 'inside', at, attributes = {} }: SpanOptions = {}): Span {
    const parentContext = readTraceparent(parent)
    const context: SpanContext | null = parentContext && {
      traceId: parentContext.traceId,
      spanId: parentContext.spanId,
      traceFlags: parentContext.flags,
      isRemote: kind === 'server',
    }
    const under = context ? trace.setSpanContext(ROOT_CONTEXT, context) : ROOT_CONTEXT
    const span = tracer.startSpan(
      name,
      { kind: KINDS[kind], ...(at !== undefined && { startTime: at }), attributes, root: context === null },
      under,
    )
    const { traceId, spanId, traceFlags } = span.spanContext()
    let over = false
    return {
      traceparent: writeTraceparent({ traceId, spanId, flags: traceFlags }),
      end(failure = null, more: Attributes = {}, endedAt) {
        if (over) return
        over = true
        span.setAttributes(more)
        if (failure !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: failure }).setAttribute('error.type', failure)
        span.end(endedAt)
      },
    }
  }

  return {
    isOn: true,
    begin,
    async stop() {
      const timeout = new AbortController()
      const over = clock.sleep(STOP_MS, timeout.signal).catch(() => {})
      await Promise.race([provider.shutdown().catch(() => {}), over])
      timeout.abort()
    },
  }
}

/** Logs when exports start to fail and when they recover, once each, because a dead collector would fill the log. */
function logFailures(exporter: SpanExporter, log: Log): SpanExporter {
  let failing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !failing)
          log.warn({ err: result.error?.message ?? '', spans: spans.length }, 'spans could not be exported and are lost')
        if (!failed && failing) log.info({}, 'spans are exported again')
        failing = failed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  }
}
