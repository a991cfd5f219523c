// What a studio may read of this machine's log: the lines that are its own business, as the logger redacted them, and no word that an
// engine's process printed, because nobody has vetted it.
//
// An agent may have several masters. Each reads the lines that carry its mark, the field `master`, and those of the machine that say
// nothing but how its engines fare; any other line without a mark may name another master, or where that one is.

import { z } from 'zod'
import type { LogLine, LogsRequest } from '#shared/link/definitions.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { LOG_LIMITS, LogsMessage, parseMessage } from '#shared/protocol/messages.ts'
import type { Line, LineRing } from '#shared/runtime/line-ring.ts'

export type LogSource = (request: LogsRequest, signal: AbortSignal) => AsyncIterable<LogLine>

const FOLLOWERS = 8
const LEVELS: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** Fields of a line that is everybody's. */
const NEUTRAL: ReadonlySet<string> = new Set(['level', 'time', 'program', 'msg', 'group', 'pid', 'reason', 'line', 'lending', 'listening'])

export type LogLines = { readonly of: (master: string) => LogSource }

export const createLogLines = (ring: LineRing): LogLines => ({ of: (master) => sourceOf(ring, master) })

function sourceOf(ring: LineRing, master: string): LogSource {
  let following = 0
  const isShown = (fields: Record<string, unknown>) =>
    'master' in fields ? fields['master'] === master : Object.keys(fields).every((name) => NEUTRAL.has(name))

  return async function* read(request: LogsRequest, signal: AbortSignal) {
    const { last, follow } = parseMessage(LogsMessage, request, 'INVALID_TASK_PARAMS')
    const shown = (lines: readonly Line[]) =>
      lines.flatMap(({ text }) => {
        const fields = fieldsOf(text)
        return fields && isShown(fields) ? [lineOf(fields)] : []
      })
    let seq = ring.lastSeq
    if (last > 0) yield* shown(ring.after(0)).slice(-last)
    if (!follow) return
    if (following >= FOLLOWERS)
      throw new Failure('WORKER_AT_CAPACITY', `${FOLLOWERS} of yours are following the log of this machine already`)
    following++
    try {
      while (!signal.aborted) {
        const news = ring.after(seq)
        if (news.length === 0) {
          await ring.news(signal)
          continue
        }
        // A reader that was slower than the log has lost what the ring lost; it shall know.
        const missed = news[0]!.seq - seq - 1
        if (missed > 0) yield { at: 0, level: 'warn', message: `${missed} lines came too fast and are not shown`, fields_json: '{}' }
        seq = news.at(-1)!.seq
        yield* shown(news)
      }
    } finally {
      following--
    }
  }
}

export const noLogLines: LogSource = async function* () {}

const Fields = z.record(z.string(), z.unknown())

function fieldsOf(text: string): Record<string, unknown> | null {
  try {
    return Fields.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function lineOf({ level, time, msg, program: _program, master: _master, ...fields }: Record<string, unknown>): LogLine {
  // What an engine's process printed.
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
