// Reading, following and clearing the logs of this machine.
import { existsSync, readdirSync, truncateSync } from 'node:fs'
import { createPlaces } from '#control-plane/clients/places.ts'
import type { CrashLog } from '#control-plane/observe/crash-log.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { RollingFile } from '#shared/runtime/log/rolling-file.ts'
import { followLog, placeOf } from './follow-log.ts'
import { type Tail, tailOf } from './log-tail.ts'

type Deps = {
  readonly logFile: Pick<RollingFile, 'path' | 'clear'>
  readonly crashLog: Pick<CrashLog, 'path' | 'clear'>
  /** Folder of the logs. */
  readonly folder: string
  readonly clock: Pick<Clock, 'sleep'>
}
export type SystemLogs = ReturnType<typeof createSystemLogs>

const TAIL = { least: 10, most: 2_000, usual: 200 }
const FOLLOWERS_PER_CLIENT = 16
/** Names under which a desktop shell or a service manager may write the output of the studio into the folder of the logs. */
const SHELL_LOGS = ['shell.log', 'stdout.log']

/** From the text of the query; a text that is no number means the usual count. */
export function tailCount(text: string | undefined): number {
  const count = /^-?\d{1,9}$/.test(text ?? '') ? Number(text) : TAIL.usual
  return Math.min(TAIL.most, Math.max(TAIL.least, count))
}

export function createSystemLogs({ logFile, crashLog, folder, clock }: Deps) {
  const over = new AbortController()
  const places = createPlaces({ perClient: FOLLOWERS_PER_CLIENT, what: 'connections that follow logs' })
  const candidates = SHELL_LOGS.map((name) => fileIn(folder, name))
  const shellLog = (): string | undefined => candidates.find((path) => existsSync(path))

  async function read(path: string, count: number): Promise<Tail | null> {
    try {
      return await tailOf(path, count)
    } catch (cause) {
      throw new Failure('LOG_UNREADABLE', `The log cannot be read (${reasonOf(cause)}).`, { cause })
    }
  }

  return {
    /** Throws LOG_UNREADABLE. */
    async read(count: number) {
      const log = await read(logFile.path, count)
      const crash = log ? null : await read(crashLog.path, count)
      const { lines, total } = log ?? crash ?? { lines: [], total: 0 }
      return { lines, path: crash ? crashLog.path : logFile.path, exists: (log ?? crash) !== null, total_lines: total }
    },
    /** Never throws; the reply contains the problem. */
    async readShell(count: number) {
      const path = shellLog()
      const missing = { lines: [], path: null, exists: false, total_lines: 0, candidates }
      if (path === undefined) return missing
      try {
        const found = await tailOf(path, count)
        return found ? { lines: found.lines, path, exists: true, total_lines: found.total } : missing
      } catch (error) {
        return { lines: [], path, exists: true, total_lines: 0, error: `The log cannot be read (${reasonOf(error)}).` }
      }
    },
    /** Server-sent events from the current end on. Throws NOT_FOUND without a log, NOT_READY when its size cannot be read, QUEUE_FULL. */
    async follow(source: string, intervalSeconds: number, signal: AbortSignal): Promise<AsyncGenerator<string>> {
      const path = source === 'tauri' ? shellLog() : logFile.path
      if (path === undefined) throw new Failure('NOT_FOUND', 'There is no such log.')
      const from = await placeOf(path).catch((cause: NodeJS.ErrnoException) => {
        if (cause.code === 'ENOENT') throw new Failure('NOT_FOUND', 'There is no such log yet.')
        throw new Failure('NOT_READY', `The log cannot be read (${reasonOf(cause)}).`, { cause })
      })
      const ended = AbortSignal.any([signal, over.signal])
      return places.during(ended, async function* () {
        // Sends the headers at once; the next line may take long.
        yield ': open\n\n'
        for await (const lines of followLog({ path: path!, intervalMs: intervalSeconds * 1000, clock }, from, ended))
          yield `data: ${JSON.stringify(lines)}\n\n`
      })
    },
    /** Throws LOG_UNREADABLE. */
    clear() {
      try {
        logFile.clear()
        crashLog.clear()
      } catch (cause) {
        throw new Failure('LOG_UNREADABLE', `The log cannot be cleared (${reasonOf(cause)}).`, { cause })
      }
      return { cleared: true }
    },
    /** Throws LOG_UNREADABLE. */
    clearShell() {
      const present = existsSync(folder) ? readdirSync(folder) : []
      const paths = SHELL_LOGS.filter((name) => present.includes(name)).map((name) => fileIn(folder, name))
      try {
        for (const path of paths) truncateSync(path)
      } catch (cause) {
        throw new Failure('LOG_UNREADABLE', `The log cannot be cleared (${reasonOf(cause)}).`, { cause })
      }
      return { cleared: paths, failed: 0 }
    },
    /** Ends every stream when the studio stops. */
    end: () => over.abort(),
  }
}

const reasonOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error)
