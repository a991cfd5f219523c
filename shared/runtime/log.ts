// One logger for both programs. Secrets are redacted by name; audio and text are never passed to it.
import { isatty } from 'node:tty'
import { pino } from 'pino'
import { createLogText } from './log/log-text.ts'

export type Log = {
  readonly debug: (fields: object, message: string) => void
  readonly info: (fields: object, message: string) => void
  readonly warn: (fields: object, message: string) => void
  readonly error: (fields: object, message: string) => void
  readonly child: (fields: object) => Log
}
const STANDARD_ERROR = 2
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const SECRET = ['secret', 'token', 'joinCode', 'authorization', 'apiKey', 'connectionString', 'privateKey', 'key']
const redact = { paths: SECRET.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' }

export const LOG_FORMATS = ['json', 'text'] as const
type Options = {
  /** null: text on a terminal, otherwise JSON. */
  readonly format?: (typeof LOG_FORMATS)[number] | null
  /** Receives each line as JSON, redacted. */
  readonly tap?: (written: string) => void
}

/**
 * Writes to standard error, because standard output is for the output of commands. A line with the field `notice`, a sentence for the person
 * who started the program, is shown as text on a terminal; other lines only from the level of a warning on.
 */
export function createLog(level: LogLevel, program: string, { format = null, tap }: Options = {}): Log {
  const errors = pino.destination({ dest: STANDARD_ERROR, sync: true })
  const isText = (format ?? (isatty(STANDARD_ERROR) ? 'text' : 'json')) === 'text'
  const textOf = createLogText(level === 'debug')
  const write = (written: string) => {
    const shown = isText ? textOf(written) : written
    if (shown !== '') errors.write(shown)
    tap?.(written)
  }
  const options = { level, base: { program }, redact, timestamp: pino.stdTimeFunctions.isoTime }
  return pino(options, tap || isText ? { write } : errors) as unknown as Log
}

const noop = () => {}
export const silentLog: Log = { debug: noop, info: noop, warn: noop, error: noop, child: () => silentLog }
