// The engine of jobs and the bus of events, connected.

import { createBus } from '#control-plane/events/bus.ts'
import { rowOf } from '#control-plane/features/base/jobs/jobs.service.ts'
import { ENDED } from '#control-plane/jobs/job.ts'
import { createJobs } from '#control-plane/jobs/jobs.ts'
import type { JobRecord } from '#control-plane/jobs/record.ts'
import { createJobStore } from '#control-plane/jobs/store/job.store.ts'
import { createJobLists } from '#control-plane/jobs/store/list.store.ts'
import { createJobSweep } from '#control-plane/jobs/sweep.ts'
import type { OpenedStore } from '#control-plane/store/open.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import { Failure, isFault } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'

type Deps = Pick<OpenedStore, 'state' | 'journal' | 'commits'> & {
  readonly makers: Pick<Makers, 'record' | 'makerOf' | 'seesAll'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Receives the failures of jobs that the studio or its machines caused. */
  readonly failed: (failure: Failure, where: string) => void
  /** True if the last run ended by a fault of the process itself. */
  readonly wasFault: () => boolean
}
const ID_BYTES = 8

export function openJobs({ state, journal, commits, makers, clock, random, log, failed, wasFault }: Deps) {
  const bus = createBus({ clock })
  const lists = createJobLists({ journal })
  const jobs = createJobs({
    store: createJobStore({ state, journal, commits, clock }),
    lists,
    newId: () => random.hex(ID_BYTES),
    makers,
    clock,
    log,
    changed(record, view) {
      const { type, job } = record
      if (job.failure && isFault(job.failure.code)) failed(new Failure(job.failure.code, job.failure.message), `job ${type}`)
      bus.publish({
        kind: 'job',
        action: actionOf(record),
        id: record.job.id,
        fields: () => ({ job: rowOf(view()) }),
        isTerminal: ENDED.has(record.job.status),
      })
    },
    storageFull: ({ message, hint }) =>
      bus.publish({ kind: 'notice', action: 'raised', id: 'storage-full', fields: () => ({ message, hint }) }),
    wasFault,
  })
  return { bus, jobs, jobSweep: createJobSweep({ lists, clock, log }) }
}

function actionOf({ job, createdAt, updatedAt }: JobRecord): string {
  if (ENDED.has(job.status)) return 'ended'
  return job.status === 'pending' && createdAt === updatedAt ? 'created' : 'updated'
}
