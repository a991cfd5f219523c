// Backups that the studio makes by itself, in the folder `backups` of its data folder, which may be a link or a mount. How old the newest one is
// follows from the files, so a start needs no other record, and a killed backup counts as none.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, isSystemError, privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import { BACKUP_SUFFIXES, unfinishedIn } from '#shared/runtime/unfinished.ts'
import type { ThreadAnswer, ThreadOrder } from './thread.ts'
import type { BackupReport } from './write.ts'

export type ScheduleChoice = {
  /** Days between two backups; 0 makes none. */
  readonly days: number
  /** Scheduled backups that stay, beside those that they need. */
  readonly keep: number
  /** Most of them have only what changed since the one before. */
  readonly incremental: boolean
  /** '' leaves the secrets out. */
  readonly passphrase: string
}
export type ScheduledBackups = ReturnType<typeof createScheduledBackups>
type Deps = {
  readonly dataDir: string
  readonly choice: () => ScheduleChoice
  readonly clock: Clock
  readonly log: Log
  /** Makes a backup; a thread by default. Resolves with what is in it. Rejects with the reason. */
  readonly make?: (order: ThreadOrder, signal: AbortSignal) => Promise<BackupReport | null>
}

const DAY_MS = 24 * 3600 * 1000
/** Also the time until a failed one is tried again. */
const LOOK_MS = 3600 * 1000
/** A start has other work. */
const FIRST_LOOK_MS = 2 * 60_000
/** The folder is read again for a question after this time. */
const FRESH_MS = 60_000
const SCHEDULED = /^scheduled-\d{8}T\d{6}Z(?:-changes)?\.zip$/
const ANY = /^(?:scheduled-\d{8}T\d{6}Z(?:-changes)?|studio-\d{8}T\d{6}Z)\.zip$/
/** A backup of this name needs the one before it, and so on to the last whole one. */
const CHANGES = '-changes.zip'
/** Every so many backups one is whole, so that a damaged one costs a week of days at most. */
const WHOLE_EVERY = 7
const hasChanges = (name: string): boolean => name.endsWith(CHANGES)

export function createScheduledBackups({ dataDir, choice, clock, log, make = inThread }: Deps) {
  const folder = join(dataDir, 'backups')
  const startedAt = clock.now()
  const stopping = new AbortController()
  const stopped = Promise.withResolvers<void>()
  let running: Promise<void> | null = null
  let cancel = () => {}
  let failures = 0
  let isFailed = false

  /** Time of the newest backup in epoch milliseconds; null without one. */
  let newest: number | null = null
  let measuring: Promise<void> | null = null
  let measuredAt = Number.NEGATIVE_INFINITY

  const named = async (pattern: RegExp): Promise<string[]> => {
    const names = await readdir(folder).catch(() => [])
    return names.filter((name) => pattern.test(name))
  }
  /** Backups that the owner made there count, too; those of the future, which a clock that was set back leaves, do not. */
  async function measure(): Promise<void> {
    const latest = clock.now() + LOOK_MS
    const found = await Promise.all((await named(ANY)).map((name) => stat(fileIn(folder, name)).catch(() => null)))
    const times = found.flatMap((stats) => (stats && stats.mtimeMs <= latest ? [stats.mtimeMs] : []))
    newest = times.length === 0 ? null : Math.max(...times)
  }
  /** One at a time. Does not reject. A disk that hangs keeps the last time. */
  function refresh(): Promise<void> {
    if (!measuring) {
      measuredAt = clock.mono()
      measuring = measure().finally(() => {
        measuring = null
      })
    }
    return measuring
  }
  function soon(): void {
    if (clock.mono() - measuredAt >= FRESH_MS) void refresh()
  }
  /**
   * Removes those of the future first: a new one must stay. Those of the future whose whole one is not of the future go, too: it is not certain which one
   * they need. `made`: the name of the new one, or a later one.
   */
  async function tidy(keep: number, made: string): Promise<void> {
    const names = (await named(SCHEDULED)).sort().reverse()
    const byAge = [...names.filter((name) => name <= made), ...names.filter((name) => name > made)]
    const isSure = (name: string) =>
      name <= made ||
      !hasChanges(
        withNeeded(
          name,
          names.filter((one) => one > made),
        ).at(-1)!,
      )
    const kept = new Set(
      byAge
        .filter(isSure)
        .slice(0, keep)
        .flatMap((name) => withNeeded(name, names)),
    )
    for (const name of byAge) if (!kept.has(name)) await rm(fileIn(folder, name), { force: true })
  }
  /** The backup that the next one builds on; null for a whole one. Those of a clock that was set back are no base, and neither is an owner's own. */
  async function baseFor(name: string): Promise<string | null> {
    const names = (await named(SCHEDULED)).sort().reverse()
    const [newest = null] = names
    if (newest === null || newest >= name || withNeeded(newest, names).length >= WHOLE_EVERY) return null
    return newest
  }
  async function back({ keep, passphrase, incremental }: ScheduleChoice): Promise<void> {
    const at = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
    const name = `scheduled-${at}.zip`
    const target = fileIn(folder, name)
    try {
      privateFolder(folder)
      const since = incremental ? await baseFor(name) : null
      const changes = since === null ? null : { since: fileIn(folder, since), target: fileIn(folder, name.replace('.zip', CHANGES)) }
      const order = { dataDir, target, passphrase: passphrase === '' ? null : passphrase, ...(changes && { changes }) }
      const report = await make(order, stopping.signal)
      isFailed = false
      const isOfChanges = changes !== null && (await stat(changes.target).catch(() => null)) !== null
      log.info({ target: isOfChanges ? changes.target : target, ...report }, 'the studio was backed up')
      await tidy(keep, name)
    } catch (error) {
      if (stopping.signal.aborted) return clear()
      failures++
      isFailed = true
      const reason = isSystemError(error) ? (error as NodeJS.ErrnoException).code : (error as Error).message
      log.error({ reason }, 'the scheduled backup failed; it is tried again in an hour')
    }
  }
  /** A thread that was stopped leaves what it made; it may be as large as the studio. Else the next start or backup removes it. */
  async function clear(): Promise<void> {
    try {
      await rm(unfinishedIn(dataDir, BACKUP_SUFFIXES.stage), { recursive: true, force: true })
      await rm(unfinishedIn(folder, BACKUP_SUFFIXES.archive), { force: true })
    } catch (error) {
      log.warn({ err: String(error) }, 'the rest of a stopped backup was not removed')
    }
  }
  async function lookNow(): Promise<void> {
    await Promise.race([refresh(), stopped.promise])
    const now = choice()
    if (stopping.signal.aborted || now.days === 0) return
    if (newest !== null && clock.now() - newest < now.days * DAY_MS) return
    await back(now)
    // Without what a question began to read before.
    await Promise.race([(measuring ?? Promise.resolve()).then(refresh), stopped.promise])
  }

  const backups = {
    name: 'scheduled backups',
    start(): void {
      const look = () => {
        if (stopping.signal.aborted) return
        void backups.look()
        cancel = clock.after(LOOK_MS, look)
      }
      cancel = clock.after(FIRST_LOOK_MS, look)
    },
    async stop(): Promise<void> {
      cancel()
      stopping.abort()
      stopped.resolve()
      await running
    },
    /** Makes a backup if one is due; one at a time. Does not reject. */
    look(): Promise<void> {
      running ??= lookNow().finally(() => {
        running = null
      })
      return running
    },
    /** Null while all is well, and without a schedule. */
    problem(): 'failed' | 'old' | null {
      const { days } = choice()
      if (days === 0) return null
      if (isFailed) return 'failed'
      soon()
      return clock.now() - (newest ?? startedAt) > 2 * days * DAY_MS ? 'old' : null
    },
    /** `intervalMs`: null without a schedule. `failures`: since the start. */
    state() {
      soon()
      const { days } = choice()
      return { lastSuccess: newest, intervalMs: days === 0 ? null : days * DAY_MS, failures }
    },
  }
  return backups
}

/** A backup with those that it needs, the newest first. `names`: all, newest first. */
function withNeeded(name: string, names: readonly string[]): string[] {
  const older = names.slice(names.indexOf(name))
  const whole = older.findIndex((one) => !hasChanges(one))
  return whole < 0 ? older : older.slice(0, whole + 1)
}

function inThread(order: ThreadOrder, signal: AbortSignal): Promise<BackupReport> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: order })
    worker.unref()
    signal.addEventListener('abort', () => void worker.terminate(), { once: true })
    worker.once('message', (answer: ThreadAnswer) => ('failure' in answer ? reject(new Error(answer.failure)) : resolve(answer.report)))
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread of the backup ended with ${code}.`)))
  })
}
