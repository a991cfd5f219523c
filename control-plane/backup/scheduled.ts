// Backups that the studio makes by itself, in the folder `backups` of its data folder, which may be a link or a mount. How old the newest one is
// follows from the files, so a start needs no other record, and a killed backup counts as none.
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn, isSystemError, privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { ThreadAnswer, ThreadOrder } from './thread.ts'

export type ScheduleChoice = {
  /** Days between two backups; 0 makes none. */
  readonly days: number
  /** Scheduled backups that stay. */
  readonly keep: number
  /** '' leaves the secrets out. */
  readonly passphrase: string
}
export type ScheduledBackups = ReturnType<typeof createScheduledBackups>
type Deps = {
  readonly dataDir: string
  readonly choice: () => ScheduleChoice
  readonly clock: Clock
  readonly log: Log
  /** Makes a backup; a thread by default. Rejects with the reason. */
  readonly make?: (order: ThreadOrder, signal: AbortSignal) => Promise<void>
}

const DAY_MS = 24 * 3600 * 1000
/** Also the time until a failed one is tried again. */
const LOOK_MS = 3600 * 1000
/** A start has other work. */
const FIRST_LOOK_MS = 2 * 60_000
const SCHEDULED = /^scheduled-\d{8}T\d{6}Z\.zip$/
const ANY = /^(?:scheduled|studio)-\d{8}T\d{6}Z\.zip$/

export function createScheduledBackups({ dataDir, choice, clock, log, make = inThread }: Deps) {
  const folder = join(dataDir, 'backups')
  const startedAt = clock.now()
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let cancel = () => {}
  let failures = 0
  let isFailed = false

  const named = (pattern: RegExp): string[] => {
    try {
      return readdirSync(folder).filter((name) => pattern.test(name))
    } catch {
      return []
    }
  }
  /** Epoch milliseconds; null without a backup. Backups that the owner made there count, too. */
  function newest(): number | null {
    const times = named(ANY).map((name) => statSync(fileIn(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0)
    return times.length === 0 ? null : Math.max(...times)
  }
  function tidy(keep: number): void {
    for (const name of named(SCHEDULED).sort().reverse().slice(keep)) rmSync(fileIn(folder, name), { force: true })
  }
  async function back({ keep, passphrase }: ScheduleChoice): Promise<void> {
    const at = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '')
    const target = fileIn(folder, `scheduled-${at}.zip`)
    try {
      privateFolder(folder)
      await make({ dataDir, target, passphrase: passphrase === '' ? null : passphrase }, stopping.signal)
      isFailed = false
      log.info({ target }, 'the studio was backed up')
      tidy(keep)
    } catch (error) {
      if (stopping.signal.aborted) return
      failures++
      isFailed = true
      const reason = isSystemError(error) ? (error as NodeJS.ErrnoException).code : (error as Error).message
      log.error({ reason }, 'the scheduled backup failed; it is tried again in an hour')
    }
  }
  function isDue(days: number): boolean {
    const last = newest()
    // A clock that was set back makes a file of the future.
    return days > 0 && (last === null || Math.abs(clock.now() - last) >= days * DAY_MS)
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
      await running
    },
    /** Makes a backup if one is due; one at a time. Does not reject. */
    look(): Promise<void> {
      const now = choice()
      if (!running && isDue(now.days))
        running = back(now).finally(() => {
          running = null
        })
      return running ?? Promise.resolve()
    },
    /** Null while all is well, and without a schedule. */
    problem(): 'failed' | 'old' | null {
      const { days } = choice()
      if (days === 0) return null
      if (isFailed) return 'failed'
      return clock.now() - (newest() ?? startedAt) > 2 * days * DAY_MS ? 'old' : null
    },
    /** `intervalMs`: null without a schedule. `failures`: since the start. */
    state: () => ({ lastSuccess: newest(), intervalMs: choice().days === 0 ? null : choice().days * DAY_MS, failures }),
  }
  return backups
}

function inThread(order: ThreadOrder, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: order })
    worker.unref()
    signal.addEventListener('abort', () => void worker.terminate(), { once: true })
    worker.once('message', (answer: ThreadAnswer) => ('failure' in answer ? reject(new Error(answer.failure)) : resolve()))
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread of the backup ended with ${code}.`)))
  })
}
