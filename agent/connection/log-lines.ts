// The part of this machine's log that a controller may read: redacted by the logger, and without the output of engine processes, which may
// contain anything.
//
// An agent may have several controllers. Each reads the lines with its own mark, the field `controller`, and unmarked lines that contain only
// fields about engines. Any other unmarked line may name another controller or its address.

import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { LOG_LIMITS, LogsMessage } from '#shared/protocol/messages.ts'
import type { LineRing, LogEntry } from '#shared/runtime/log/line-ring.ts'

export type LogSource = (request: Wire<'LogsRequest'>, signal: AbortSignal) => AsyncIterable<Wire<'LogLine'>>

const FOLLOWERS = 8
const LEVELS: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** Fields of an unmarked line that every controller may read. */
const NEUTRAL: ReadonlySet<string> = new Set([
  'level',
  'time',
  'program',
  'msg',
  'group',
  'pid',
  'reason',
  'line',
  'lending',
  'listening',
  'notice',
])

export type LogLines = { readonly of: (controller: string) => LogSource }

export const createLogLines = (ring: LineRing): LogLines => ({ of: (controller) => sourceOf(ring, controller) })

function sourceOf(ring: LineRing, controller: string): LogSource {
  let following = 0
  const isVisible = (fields: Record<string, unknown>) =>
    'controller' in fields ? fields['controller'] === controller : Object.keys(fields).every((name) => NEUTRAL.has(name))

  return async function* read(request: Wire<'LogsRequest'>, signal: AbortSignal) {
    const { last, follow } = parseMessage(LogsMessage, request, 'INVALID_TASK_PARAMS')
    const visible = (lines: readonly LogEntry[]) =>
      lines.flatMap(({ text }) => {
        const fields = fieldsOf(text)
        return fields && isVisible(fields) ? [lineOf(fields)] : []
      })
    let seq = ring.lastSeq
    if (last > 0) yield* visible(ring.after(0)).slice(-last)
    if (!follow) return
    if (following >= FOLLOWERS)
      throw new Failure('WORKER_AT_CAPACITY', `${FOLLOWERS} of your readers already follow the log of this machine.`)
    following++
    try {
      while (!signal.aborted) {
        const entries = ring.after(seq)
        if (entries.length === 0) {
          await ring.changed(signal)
          continue
        }
        // A reader that was slower than the log misses the lines that the ring dropped, and is informed.
        const missed = entries[0]!.seq - seq - 1
        if (missed > 0) yield { at: 0, level: 'warn', message: `${missed} lines came too fast and are not shown`, fields_json: '{}' }
        seq = entries.at(-1)!.seq
        yield* visible(entries)
      }
    } finally {
      following--
    }
  }
}

const Fields = z.record(z.string(), z.unknown())

function fieldsOf(text: string): Record<string, unknown> | null {
  try {
    return Fields.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function lineOf({
  level,
  time,
  msg,
  program: _program,
  controller: _controller,
  notice: _notice,
  ...fields
}: Record<string, unknown>): Wire<'LogLine'> {
  // Output of an engine process.
  if ('line' in fields) fields['line'] = '[stays on the machine]'
  const json = JSON.stringify(fields)
  const at = Date.parse(String(time))
  return {
    at: Number.isFinite(at) ? at : 0,
    level: LEVELS[Number(level)] ?? 'info',
    message: String(msg ?? '').slice(0, LOG_LIMITS.message),
    fields_json: json.length <= LOG_LIMITS.fields ? json : '{}',
  }
}
