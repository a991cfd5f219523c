// An engine of jobs on a real database that can be killed at any write: what follows in the killed one never happens.

import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { JobType } from '#control-plane/jobs/job-type.ts'
import { createJobs, type Jobs } from '#control-plane/jobs/jobs.ts'
import { createJobStore } from '#control-plane/jobs/store/job.store.ts'
import { createJobLists } from '#control-plane/jobs/store/list.store.ts'
import type { JobView } from '#control-plane/jobs/view.ts'
import type { Database } from '#control-plane/store/database.ts'
import { createGroupCommit } from '#control-plane/store/group-commit.ts'
import type { Journal } from '#control-plane/store/journal.ts'
import { openSqliteJournal } from '#control-plane/store/sqlite/journal.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import { silentLog } from '#shared/runtime/log.ts'
import { openTestDatabase } from '../starting/database.ts'
import { createFakeClock, type FakeClock, turn } from './fake-clock.ts'

export type KillPoint = {
  /** The how-manieth write of the run, from 1 on. */
  readonly write: number
  /** True if that write still reaches the disk. */
  readonly isWritten: boolean
}
export type JobWorld = {
  readonly jobs: Jobs
  readonly db: Database
  readonly clock: FakeClock
  /** Resolves when the run was killed. */
  readonly killed: Promise<void>
  readonly isDead: () => boolean
  readonly kill: () => void
  readonly writes: () => number
  readonly changes: JobView[]
  /** Resolves at the next change of a job. */
  readonly changed: () => Promise<void>
  readonly storageFull: Failure[]
  readonly close: () => void
}

const never = new Promise<never>(() => {})

export function openJobs(
  path: string,
  types: readonly JobType[],
  killAt: KillPoint | null = null,
  clock = createFakeClock(),
  wasFault = () => false,
): JobWorld {
  const db = openTestDatabase(path)
  // A killed process loses nothing that was written, so the sync only takes its time.
  const { state, journal } = openSqliteJournal({ db, sync: (done) => setImmediate(done, null) })
  // What a killed process has staged never reaches the disk.
  const commit: Journal['commit'] = (...batch) => {
    if (!isDead) journal.commit(...batch)
  }
  const commits = createGroupCommit({ journal: { ...journal, commit }, log: silentLog, clock })
  const store = createJobStore({ state, journal, commits, clock })
  const lists = createJobLists({ journal })
  const changes: JobView[] = []
  let change = Promise.withResolvers<void>()
  const storageFull: Failure[] = []
  let isDead = false
  let writes = 0
  let die = () => {}
  const killed = new Promise<void>((resolve) => {
    die = resolve
  })
  const kill = () => {
    isDead = true
    die()
  }
  const alive =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      isDead ? never : call(...args)
  const jobs = createJobs({
    store: {
      ...store,
      write: alive(async (change) => {
        const isLast = ++writes === killAt?.write
        if (isLast && !killAt?.isWritten) {
          kill()
          return never
        }
        const record = await store.write(change)
        if (isLast) kill()
        return isLast ? never : record
      }),
      result: alive(store.result),
      get: alive(store.get),
    },
    lists: { ...lists, page: alive(lists.page), events: alive(lists.events), get: alive(lists.get) },
    newId: () => String(++ids).padStart(16, '0'),
    makers: { record: () => {}, makerOf: () => OWNER_ID, seesAll: () => false },
    clock,
    log: silentLog,
    changed: (_record, view) => {
      if (isDead) return
      changes.push(view())
      change.resolve()
      change = Promise.withResolvers()
    },
    storageFull: (failure) => void storageFull.push(failure),
    wasFault,
  })
  for (const type of types) jobs.add(type)
  return {
    ...{ jobs, db, clock, killed, isDead: () => isDead, kill, writes: () => writes },
    ...{ changes, changed: () => change.promise, storageFull, close: () => db.close() },
  }
}
let ids = 0

/** The same, stopped and closed with the test. */
export function jobsFor(t: TestContext, types: readonly JobType[], path = ':memory:'): JobWorld {
  const world = openJobs(path, types)
  t.after(async () => {
    await world.jobs.stop()
    world.close()
  })
  return world
}

const LONGEST_MS = 300_000
const PAUSE_MS = 20
/** Resolves with the view of the job once it has ended; never for a world that was killed. */
export async function ended(world: JobWorld, id: string): Promise<JobView> {
  const until = performance.now() + LONGEST_MS
  while (performance.now() < until) {
    if (world.isDead()) return never
    const changed = world.changed()
    const view = await world.jobs.get(id)
    if (view && view.record.finishedAt !== null) {
      // The engine of jobs forgets the job after its last change.
      await turn()
      return world.isDead() ? never : ((await world.jobs.get(id)) ?? view)
    }
    // The last change may be reported before it can be read.
    const pause = new AbortController()
    await Promise.race([changed, world.killed, setTimeout(PAUSE_MS, undefined, { signal: pause.signal }).catch(() => {})])
    pause.abort()
  }
  throw new Error(`the job ${id} does not end`)
}
