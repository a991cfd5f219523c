// Traces an attempt on this machine, under the attempt's span of the studio: loading, running, and one span per step that produced audio.
// A step is the output between two progress reports, such as a sentence. Spans never carry its text.
import type { HeaderMessage } from '#shared/protocol/run-messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Span, Tracing } from '#shared/trace/tracing.ts'
import type { WorkEvent } from './probe.ts'

export type AttemptSpans = {
  readonly record: (event: WorkEvent) => void
  /** `code` of the failure; null on success. */
  readonly end: (code: string | null) => void
}
const MAX_STEPS = 200
const noSpans: AttemptSpans = { record: () => {}, end: () => {} }

export function openAttemptSpans(tracing: Tracing, clock: Clock, header: HeaderMessage): AttemptSpans {
  if (!tracing.isOn) return noSpans
  const { task_id, attempt_id, engine, model, operation } = header
  const attributes = {
    'studio.task.id': task_id,
    'studio.attempt.id': attempt_id,
    'studio.engine': engine,
    'studio.model': model,
    'studio.operation': operation,
  }
  const work = tracing.begin('work', header.traceparent, { kind: 'server', attributes })
  let phase: Span | null = null
  let stepFrom = 0
  let steps = 0
  let sound = { part: 0, bytes: 0 }

  const enter = (name: 'load' | 'run', more: Record<string, string> = {}) => {
    phase?.end()
    phase = tracing.begin(name, work.traceparent, { attributes: more })
    stepFrom = clock.now()
  }
  const closeStep = () => {
    if (sound.bytes > 0 && phase && steps++ < MAX_STEPS)
      tracing
        .begin('step', phase.traceparent, { at: stepFrom, attributes: { 'studio.part': sound.part, 'studio.bytes': sound.bytes } })
        .end()
    stepFrom = clock.now()
    sound = { part: 0, bytes: 0 }
  }

  return {
    record(event) {
      switch (event.kind) {
        case 'loading':
          return enter('load', { 'studio.detail': event.detail })
        case 'running':
          return enter('run')
        case 'audio':
          if (sound.bytes > 0 && event.part !== sound.part) closeStep()
          sound = { part: event.part, bytes: sound.bytes + event.bytes.length }
          return
        case 'text':
        case 'progress':
        case 'result':
          closeStep()
      }
    },
    end(code) {
      phase?.end(code)
      work.end(code, { 'studio.steps': steps })
    },
  }
}
