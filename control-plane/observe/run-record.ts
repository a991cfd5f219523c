// Detects whether the last run of the studio ended by itself. A run leaves a file while it lasts; a start that finds one writes a crash
// record. The file holds the last activity, and is rewritten in place without fsync: a kill keeps what was written, a power cut may lose
// some seconds.
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '#shared/runtime/clock.ts'
import { writeAtomic } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Service } from '#shared/runtime/service.ts'
import type { Scrub } from './scrub.ts'

/** Times are epoch seconds. */
const Activity = z.object({ ts: z.number(), kind: z.string().max(100), detail: z.string().max(300).nullable() })
const Run = z.object({
  started_at: z.number(),
  alive_at: z.number(),
  version: z.string().max(64),
  last_activity: Activity.nullable(),
  /** The process ended itself with an error. False while it runs, and for a kill. */
  fault: z.boolean().default(false),
})
type Run = z.output<typeof Run>
export const CrashRecord = z.object({
  detected_at: z.number(),
  started_at: z.number().nullable(),
  /** The studio ended between these two times. */
  ended_between: z.tuple([z.number(), z.number()]),
  uptime_hint_s: z.number().nullable(),
  version: z.string().max(64),
  last_activity: Activity.nullable(),
  log_tail: z.array(z.string().max(32_768)).max(500),
})
export type CrashRecord = z.output<typeof CrashRecord>
const Acknowledged = z.object({ detected_at: z.number() })

type Deps = {
  readonly folder: string
  readonly version: string
  readonly scrub: Scrub
  /** The newest lines of the log of the last run. */
  readonly logTail: () => Promise<readonly string[]>
  readonly clock: Clock
  readonly log: Log
}
export type RunRecord = Service & {
  /** Stores the newest activity, at most every 10 ms. Never throws. */
  readonly note: (kind: string, detail: string) => void
  /** The newest record of this version, and whether the owner has seen it. Never throws. */
  readonly newest: () => { readonly record: CrashRecord | null; readonly acknowledged: boolean }
  /** Throws disk errors. */
  readonly acknowledge: () => void
  /** Call when the process ends itself with an error. Never throws. */
  readonly markFault: () => void
  /** True if the last run ended by a fault of the process itself; false for a kill, a power cut and an orderly end. */
  readonly wasFault: () => boolean
}

const CURRENT = 'run.json'
const SEEN = 'crash-seen.json'
const RECORD = /^crash-(\d{1,16})\.json$/
const KEPT = 3
/** Every state of the file has this length, so that a rewrite leaves nothing of the longer one before. */
const FILE_BYTES = 2_048
const NOTE_MS = 10
const ALIVE_MS = 30_000

export function createRunRecord({ folder, version, scrub, logTail, clock, log }: Deps): RunRecord {
  const seconds = () => clock.now() / 1000
  const inFolder = (name: string) => join(folder, name)
  let current: Run | null = null
  let lastWasFault = false
  let file: number | null = null
  let notedAt = Number.NEGATIVE_INFINITY
  let cancelNote: (() => void) | null = null
  let cancelAlive = () => {}

  function write(): void {
    notedAt = clock.mono()
    cancelNote = null
    if (!current || file === null) return
    current.alive_at = Math.max(current.alive_at, seconds())
    try {
      writeSync(file, JSON.stringify(current).padEnd(FILE_BYTES), 0)
    } catch {} // A full disk: the file keeps an older activity.
  }
  function stayAlive(): void {
    cancelAlive = clock.after(ALIVE_MS, () => {
      write()
      stayAlive()
    })
  }

  const ageKey = (at: number) => (at > seconds() * 1000 + 1 ? at - Number.MAX_SAFE_INTEGER : at)
  function records(): number[] {
    return (
      readdirSync(folder)
        .flatMap((name) => RECORD.exec(name)?.slice(1).map(Number) ?? [])
        // Those from the future were written before the clock was set back.
        .sort((a, b) => ageKey(b) - ageKey(a))
    )
  }

  async function writeCrash(run: Run | null): Promise<void> {
    const now = seconds()
    const alive = run === null ? now : Math.min(run.alive_at, now)
    const record: CrashRecord = {
      detected_at: now,
      started_at: run?.started_at ?? null,
      ended_between: [alive, now],
      uptime_hint_s: run && run.alive_at >= run.started_at ? Math.round(run.alive_at - run.started_at) : null,
      version: run?.version ?? version,
      last_activity: run?.last_activity ?? null,
      log_tail: (await logTail()).map(scrub),
    }
    writeAtomic(inFolder(`crash-${Math.round(now * 1000)}.json`), JSON.stringify(record))
    for (const old of records().slice(KEPT)) rmSync(inFolder(`crash-${old}.json`), { force: true })
    log.warn({ lastActivity: record.last_activity?.kind ?? null }, 'the studio did not end by itself the last time')
  }

  function newest(): { record: CrashRecord | null; acknowledged: boolean } {
    try {
      for (const at of records()) {
        const record = readJson(inFolder(`crash-${at}.json`), CrashRecord)
        if (record?.version !== version) continue
        const seen = readJson(inFolder(SEEN), Acknowledged)
        return { record, acknowledged: seen !== null && seen.detected_at === record.detected_at }
      }
    } catch {} // The folder cannot be read.
    return { record: null, acknowledged: true }
  }

  return {
    name: 'run-record',
    async start() {
      const path = inFolder(CURRENT)
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        if (readdirSync(folder).includes(CURRENT)) {
          const last = readJson(path, Run)
          lastWasFault = last?.fault ?? false
          await writeCrash(last)
        }
        current = { started_at: seconds(), alive_at: seconds(), version, last_activity: null, fault: false }
        file = openSync(path, 'w', 0o600)
        write()
        stayAlive()
      } catch (error) {
        log.warn({ err: String(error) }, 'this run could not be recorded, so an unexpected end will not be noticed')
      }
    },
    async stop() {
      cancelNote?.()
      cancelAlive()
      current = null
      if (file !== null) closeSync(file)
      file = null
      try {
        rmSync(inFolder(CURRENT), { force: true })
      } catch (error) {
        log.warn({ err: String(error) }, 'the record of this run could not be removed')
      }
    },
    note(kind, detail) {
      if (!current) return
      current.last_activity = { ts: seconds(), kind: kind.slice(0, 100), detail: detail.slice(0, 300) }
      if (clock.mono() - notedAt >= NOTE_MS) write()
      else cancelNote ??= clock.after(NOTE_MS, write)
    },
    newest,
    markFault() {
      if (!current) return
      current.fault = true
      write()
    },
    wasFault: () => lastWasFault,
    acknowledge() {
      const { record } = newest()
      if (record) writeAtomic(inFolder(SEEN), JSON.stringify({ detected_at: record.detected_at }))
    },
  }
}

/** Null for a missing or invalid file. */
function readJson<T>(path: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data ?? null
  } catch {
    return null
  }
}
