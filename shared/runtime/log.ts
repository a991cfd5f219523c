// One logger for both programs. Secrets are redacted by name; audio and text are never passed to it.
import { pino } from 'pino'

export type Log = {
  readonly debug: (fields: object, message: string) => void
  readonly info: (fields: object, message: string) => void
  readonly warn: (fields: object, message: string) => void
  readonly error: (fields: object, message: string) => void
  readonly child: (fields: object) => Log
}
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const SECRET = ['secret', 'token', 'joinCode', 'authorization', 'apiKey', 'connectionString', 'privateKey', 'key']
const redact = { paths: SECRET.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' }

/**
 * Writes JSON lines to standard error, because standard output is for the output of commands. `tap` receives each line as written, redacted.
 */
export function createLog(level: LogLevel, program: string, tap?: (written: string) => void): Log {
  const errors = pino.destination({ dest: 2, sync: true })
  const write = (written: string) => {
    errors.write(written)
    tap?.(written)
  }
  const options = { level, base: { program }, redact, timestamp: pino.stdTimeFunctions.isoTime }
  return pino(options, tap ? { write } : errors) as unknown as Log
}

const noop = () => {}
export const silentLog: Log = { debug: noop, info: noop, warn: noop, error: noop, child: () => silentLog }
