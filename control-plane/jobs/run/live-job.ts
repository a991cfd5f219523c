// One unfinished job in memory, and the only way to change it: decide on the record in memory, write everything in one transaction, then
// replace the record and notify followers. Changes of one job never overlap.
import { z } from 'zod'
import type { Client } from '#control-plane/clients/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { failureFrame, type JobFollowers, payloadOf } from '../events.ts'
import { ENDED, type Job, type JobEvent, type JobFault, moveJob } from '../job.ts'
import type { JobFrame, JobType, StepOutcomes, StepOutput } from '../job-type.ts'
import type { EventDraft, EventKind, JobRecord, StepPlace, StepRow, StoredResult } from '../record.ts'
import type { JobStore } from '../store/job.store.ts'

export type LiveJob = {
  readonly id: string
  readonly type: JobType
  readonly client: Client
  /** Parsed by the schema of the type. */
  readonly params: unknown
  readonly outputs: Map<string, StepOutput>
  readonly failures: Map<string, JobFault>
  /** The tasks that steps noted before a restart, by step name. */
  readonly noted: Map<string, string>
  readonly record: () => JobRecord
  /** Aborts with CANCELLED for a cancel, with NOT_READY when the studio stops. */
  readonly abort: AbortController
  /** One attempt. False if the table does not allow the event. Rejects with STORAGE_FULL if nothing was written. */
  readonly change: (draft: Draft) => Promise<boolean>
  /** Same as `change`, and retries while the disk is full. Rejects with the signal's reason. */
  readonly persist: (draft: Draft, signal?: AbortSignal) => Promise<boolean>
}
/** The parts of a change. Absent parts stay unchanged. */
export type Draft = {
  readonly event?: JobEvent
  readonly frames?: readonly { readonly kind: EventKind; readonly frame: JobFrame }[]
  readonly steps?: readonly StepRow[]
  readonly result?: StoredResult | null
  readonly place?: StepPlace
}
type Deps = {
  readonly store: Pick<JobStore, 'write'>
  readonly followers: Pick<JobFollowers, 'appended'>
  readonly clock: Clock
  readonly log: Log
  /** Called after each durable change. */
  readonly changed: (record: JobRecord) => void
  /** Called once when the disk becomes full while a job has pending writes. */
  readonly storageFull: (failure: Failure) => void
}
const RETRY_MS = 2_000

export function createLiveJob(type: JobType, client: Client, params: unknown, initial: JobRecord, deps: Deps): LiveJob {
  const { store, followers, clock, log, changed, storageFull } = deps
  let record = initial
  let last: Promise<unknown> = Promise.resolve()

  const outcomes = { outputs: new Map<string, StepOutput>(), failures: new Map<string, JobFault>() }
  const draftOf = (kind: EventKind, frame: JobFrame): EventDraft => ({ kind, payload: payloadOf(frame, type.framing ?? 'sse') })

  async function write({ event, frames = [], steps = [], result = null, place }: Draft): Promise<boolean> {
    const next = event ? moveJob(record.job, event) : { ok: !ENDED.has(record.job.status), job: record.job }
    if (!next.ok) return false
    const { status } = next.job
    const now = clock.now()
    const events = frames.map(({ kind, frame }) => draftOf(kind, frame))
    if (ENDED.has(status)) events.push(draftOf('terminal', lastFrame(type, params, outcomes, next.job)))
    record = await store.write({
      record: {
        ...record,
        job: next.job,
        updatedAt: now,
        finishedAt: ENDED.has(status) ? now : null,
        ...(place && { step: place }),
        ...(status === 'done' && type.result && { meta: merged(record.meta, type.result(params, outcomes)) }),
      },
      events,
      steps,
      result,
      discard: status === 'cancelled' && type.onCancel !== 'keep',
      isFresh: false,
      isReopened: event?.kind === 'retry',
    })
    if (events.length > 0) followers.appended(record.job.id)
    changed(record)
    return true
  }

  function change(draft: Draft): Promise<boolean> {
    const done = last.then(() => write(draft))
    last = done.catch(() => {})
    return done
  }

  return {
    id: initial.job.id,
    type,
    client,
    params,
    ...outcomes,
    noted: new Map(),
    record: () => record,
    abort: new AbortController(),
    change,
    async persist(draft, signal) {
      for (let tries = 0; ; tries++) {
        signal?.throwIfAborted()
        try {
          return await change(draft)
        } catch (error) {
          const failure = Failure.from(error)
          if (failure.code !== 'STORAGE_FULL') throw error
          if (tries === 0) storageFull(failure)
          log.warn({ job: initial.job.id, err: failure.message }, 'a job waits for free disk space')
          await clock.sleep(RETRY_MS, signal)
        }
      }
    },
  }
}

function lastFrame(type: JobType, params: unknown, outcomes: StepOutcomes, { id, status, failure }: Job): JobFrame {
  if (status === 'cancelled') return type.cancelledFrame?.(id, params) ?? { type: 'cancelled' }
  if (failure) return (type.errorFrame ?? failureFrame)(failure)
  return type.doneFrame?.(params, outcomes) ?? { type: 'done' }
}

const Meta = z.record(z.string(), z.unknown())
const merged = (meta: string, more: object): string => JSON.stringify({ ...Meta.parse(JSON.parse(meta)), ...more })
