// The interface of jobs for the rest of the studio: create, cancel, read, follow. Unfinished jobs are held in memory; the tables serve
// restarts and lists.

import { asClient, type Client } from '#control-plane/clients/client.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Service } from '#shared/runtime/service.ts'
import { createAppend } from './append.ts'
import { createCosts } from './estimate.ts'
import { createJobFollowers, type FollowedEvent } from './events.ts'
import { ENDED, isSetAside, newJob } from './job.ts'
import type { JobType } from './job-type.ts'
import { canonicalJson, type Json } from './key.ts'
import { createReads, durableEvents } from './reads.ts'
import type { JobRecord } from './record.ts'
import { createFlights } from './run/flights.ts'
import { createJobRun } from './run/job-run.ts'
import { createLanes } from './run/lanes.ts'
import { createLiveJob, type LiveJob } from './run/live-job.ts'
import { createRecovery } from './run/recovery.ts'
import { createReservations, type Reservation } from './run/reservations.ts'
import { createRetry, type SetAside } from './run/retry.ts'
import { createStepRun, type Marks } from './run/step-run.ts'
import type { JobStore } from './store/job.store.ts'
import type { JobLists } from './store/list.store.ts'
import { endedView, type JobView, liveView } from './view.ts'

export type Jobs = ReturnType<typeof createJobs>
export type JobRequest = {
  readonly type: string
  readonly params: Json
  /** Details of the job in lists. */
  readonly meta: { readonly [name: string]: Json }
  readonly projectId?: string | null
  /** Default: the current client. */
  readonly madeBy?: ClientId
  /** Default: a new one. A new job may reuse the id of an ended one, and continues its event numbers. */
  readonly id?: string
  /** Made by `reserve` for the same type; it is used up. */
  readonly reservation?: Reservation
}
type Deps = {
  readonly store: JobStore
  readonly lists: JobLists
  readonly newId: () => string
  /** The maker is recorded before the job is stored. */
  readonly makers: Pick<Makers, 'record' | 'makerOf' | 'seesAll' | 'hasEnded'>
  readonly clock: Clock
  readonly log: Log
  /** Called after each durable change and progress report. `view` is expensive, so call it only for a reader. */
  readonly changed: (record: JobRecord, view: () => JobView) => void
  readonly storageFull: (failure: Failure) => void
  /** True if the last run ended by a fault of the process itself. */
  readonly wasFault: () => boolean
}

const PARAMS_CHARS = 1024 * 1024
const RECENT = 1_000

/** Long factory: the unfinished jobs, their lanes and their followers have one lifetime. */
export function createJobs({ store, lists, newId, makers, clock, log, changed, storageFull, wasFault }: Deps) {
  const types = new Map<string, JobType>()
  const live = new Map<string, LiveJob>()
  const marksOf = new Map<string, Marks>()
  const recent = new Set<string>() // ended since the start
  const aside: SetAside = new Map()
  const claimed = new Set<string>() // ids that are being created
  const reserve = createReservations({ types, live })
  const over = new AbortController()
  const flights = createFlights(clock)
  const costs = createCosts()
  const followers = createJobFollowers({
    eventsAfter: durableEvents({ lists, live }),
    isEnded: async (id) => ENDED.has(live.get(id)?.record().job.status ?? 'done'),
  })
  const viewOf = (job: LiveJob): JobView => liveView(job, marksOf.get(job.id) ?? new Map(), costs, clock)
  const lanes = createLanes({ run: (job) => asClient(job.client, () => run(job)), over: over.signal })
  const runStep = createStepRun({
    store,
    flights,
    lanes,
    clock,
    progressed: (job) => changed(job.record(), () => viewOf(job)),
    measured: costs.add,
  })
  const { runJob, cleanUp } = createJobRun({ runStep, leave: lanes.leave, clock, log, over: over.signal })
  const recovery = createRecovery({ types, store, makers, open, cleanUp, enqueue: lanes.add, forget, wasFault, over: over.signal })
  let recovered: Promise<void> = Promise.resolve()
  let nextSeq = store.lastSeq() + 1

  function open(type: JobType, client: Client, params: unknown, record: JobRecord): LiveJob {
    const job: LiveJob = createLiveJob(type, client, params, record, {
      store,
      followers,
      clock,
      log,
      storageFull,
      changed: (next) => changed(next, () => (ENDED.has(next.job.status) ? endedView(next) : viewOf(job))),
    })
    live.set(job.id, job)
    return job
  }

  function forget(job: LiveJob): void {
    if (!ENDED.has(job.record().job.status)) return
    live.delete(job.id)
    if (isSetAside(job.record().job)) aside.set(job.id, job)
    recent.add(job.id)
    if (recent.size > RECENT) recent.delete(recent.values().next().value!)
  }

  async function run(job: LiveJob): Promise<void> {
    const marks: Marks = new Map()
    marksOf.set(job.id, marks)
    await runJob(job, marks)
    marksOf.delete(job.id)
    forget(job)
  }

  async function create({ reservation, ...request }: JobRequest): Promise<JobView> {
    const place = reservation ?? reserve(request.type)
    try {
      return await createIn(place, request)
    } finally {
      place.giveBack()
    }
  }

  async function createIn({ client }: Reservation, request: Omit<JobRequest, 'reservation'>): Promise<JobView> {
    const { type: name, params, meta, projectId = null, madeBy = client.id, id = newId() } = request
    if (over.signal.aborted) throw new Failure('NOT_READY', 'The studio is stopping. Try again in a moment.')
    const text = canonicalJson(params)
    if (text.length > PARAMS_CHARS) throw new Failure('BODY_TOO_LARGE', 'The parameters of the job are larger than 1 MiB.')
    const known = parse(types.get(name), name, JSON.parse(text))
    const maker = { ...client, id: madeBy }
    // A request that had arrived before its person ended.
    if (makers.hasEnded(maker)) throw new Failure('FORBIDDEN', 'The access of the person who asked for this has ended.')
    if (live.has(id) || claimed.has(id)) throw new Failure('CONFLICT', `The job ${id.slice(0, 64)} has not ended yet.`)
    claimed.add(id)
    try {
      const previous = await store.get(id)
      makers.record('job', id, madeBy)
      const record = await store.write({
        record: {
          ...recordOf(id, name, clock.now()),
          seq: nextSeq++,
          projectId,
          source: client.source,
          params: text,
          meta: canonicalJson(meta),
          lastSeq: previous?.lastSeq ?? 0,
        },
        events: [],
        steps: [],
        result: null,
        discard: false,
        isFresh: previous !== null,
      })
      recent.delete(id)
      const job = open(known.type, maker, known.params, record)
      changed(record, () => viewOf(job))
      const view = viewOf(job)
      lanes.add(job)
      if (makers.hasEnded(maker)) await cancel(id)
      return view
    } finally {
      claimed.delete(id)
    }
  }

  async function cancel(id: string): Promise<void> {
    const job = live.get(id)
    if (!job) {
      if (recent.has(id)) return
      throw new Failure('NOT_FOUND', `No running job has the id ${id.slice(0, 64)}.`)
    }
    if (!lanes.isRunning(id)) await cleanUp(job)
    await job.change({ event: { kind: 'cancel' } })
    lanes.remove(job)
    job.abort.abort(new Failure('CANCELLED', 'The job was cancelled.'))
    if (!lanes.isRunning(id)) forget(job)
  }

  return {
    /** Every type is added before the start. */
    add(type: JobType): void {
      if (types.has(type.type)) throw new Error(`Two job types have the name ${type.type}.`)
      types.set(type.type, type)
    },
    types: (): readonly JobType[] => [...types.values()],
    /** Durable when it resolves. Throws NOT_FOUND, INVALID_TASK_PARAMS, BODY_TOO_LARGE, QUEUE_FULL, CONFLICT, STORAGE_FULL, NOT_READY. */
    create,
    /**
     * Reserves a place for a job whose inputs are stored before it is created: throws QUEUE_FULL before that. Give it back if no job is
     * created.
     */
    reserve,
    /**
     * Resolves when the cancel is durable; the work stops soon after. A job that ended since the start stays as it ended. Throws NOT_FOUND,
     * STORAGE_FULL.
     */
    cancel,
    retry: createRetry({ aside, live, recent, lists, lanes, reserve, forget, viewOf, makers, over: over.signal }),
    /** Jobs that were set aside and can be tried again. */
    setAside: (): JobRecord[] => [...aside.values()].flatMap(({ client, record }) => (makers.hasEnded(client) ? [] : [record()])),
    append: createAppend({ store, live, claimed, types, followers }),
    ...createReads({ lists, live, aside, viewOf }),
    /** Same as `JobFollowers.follow`. Throws NOT_FOUND for an unknown id. */
    async follow(id: string, after: number, signal: AbortSignal): Promise<AsyncGenerator<FollowedEvent>> {
      if (!live.has(id) && !(await lists.get(id))) throw new Failure('NOT_FOUND', `There is no job ${id.slice(0, 64)}.`)
      return followers.follow(id, after, signal)
    },
    /**
     * Pauses every job when the studio stops, before the callers of its tasks are answered: a step would take such an answer for the end of its
     * work, and its job would fail.
     */
    beginStop,
    /** True from `beginStop` on: clients that leave now do so because of the stop. */
    isStopping: () => over.signal.aborted,
    /** No waiting job begins from now on; `rest` resolves when no job runs but those that can do nothing now. */
    hold: lanes.hold,
    rest: lanes.rest,
    ...serviceOf(),
  }

  function beginStop(): void {
    if (over.signal.aborted) return
    over.abort(new Failure('NOT_READY', 'The studio is stopping.'))
    for (const { abort } of live.values()) abort.abort(over.signal.reason)
    followers.end()
  }

  function serviceOf(): Service {
    return {
      name: 'jobs',
      start() {
        const { count, done } = recovery.begin()
        if (count > 0) log.info({ jobs: count }, 'jobs of the last run are resumed')
        // Not awaited, because a full disk must not prevent the start of the studio.
        recovered = done
      },
      async stop() {
        beginStop()
        await recovered
        await lanes.settled()
      },
    }
  }
}

/** Throws NOT_FOUND for a type that does not exist, INVALID_TASK_PARAMS for parameters that its schema refuses. */
function parse(type: JobType | undefined, name: string, params: unknown): { readonly type: JobType; readonly params: unknown } {
  if (!type) throw new Failure('NOT_FOUND', `There is no job type ${name.slice(0, 64)}.`)
  const parsed = type.params.safeParse(params)
  if (parsed.success) return { type, params: parsed.data }
  throw new Failure('INVALID_TASK_PARAMS', `The parameters of the job are not valid: ${parsed.error.issues[0]?.message ?? ''}.`)
}

/** A job that is about to be created at `now` (epoch milliseconds). */
const recordOf = (id: string, type: string, now: number) => ({
  type,
  job: newJob(id),
  step: null,
  createdAt: now,
  updatedAt: now,
  finishedAt: null,
})
