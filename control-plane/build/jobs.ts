// The engine of jobs and the bus of events, connected.

import { rowOf } from '../areas/jobs/jobs.service.ts'
import { createBus } from '../events/bus.ts'
import { ENDED } from '../jobs/job.ts'
import { createJobs } from '../jobs/jobs.ts'
import type { JobRecord } from '../jobs/record.ts'
import { createJobStore } from '../jobs/store/job.store.ts'
import { createJobLists } from '../jobs/store/list.store.ts'
import { createJobSweep } from '../jobs/sweep.ts'
import type { Database } from '../store/database.ts'
import type { World } from './platform.ts'

const ID_BYTES = 8

export function openJobs({ clock, random, log }: Pick<World, 'clock' | 'random' | 'log'>, db: Database) {
  const bus = createBus({ clock })
  const lists = createJobLists({ db })
  const jobs = createJobs({
    store: createJobStore({ db, clock }),
    lists,
    newId: () => random.hex(ID_BYTES),
    clock,
    log,
    changed: (record, view) =>
      bus.publish({
        kind: 'job',
        action: actionOf(record),
        id: record.job.id,
        data: () => ({ job: rowOf(view()) }),
        isTerminal: ENDED.has(record.job.status),
      }),
    storageFull: ({ message, hint }) =>
      bus.publish({ kind: 'notice', action: 'raised', id: 'storage-full', data: () => ({ message, hint }) }),
  })
  return { bus, jobs, jobSweep: createJobSweep({ lists, clock, log }) }
}

function actionOf({ job, createdAt, updatedAt }: JobRecord): string {
  if (ENDED.has(job.status)) return 'ended'
  return job.status === 'pending' && createdAt === updatedAt ? 'created' : 'updated'
}
