// Jobs and their events as clients of the specification know them (section 4.6). Moments are epoch seconds.
import { z } from 'zod'
import { contract, type SocketContract } from '#control-plane/http/contract/contract.ts'
import { booleanText } from '#control-plane/http/input/boolean-text.ts'
import { NeedView } from '#shared/protocol/fields/model-need.ts'

const Step = z.object({ name: z.string(), ordinal: z.int(), total: z.int() }).meta({ id: 'JobStep' })
const Row = z
  .object({
    id: z.string(),
    type: z.string(),
    project_id: z.string().nullable(),
    status: z.enum(['pending', 'running', 'done', 'failed', 'cancelled']),
    created_at: z.number(),
    updated_at: z.number(),
    finished_at: z.number().nullable(),
    error: z.string().nullable(),
    // JSON text and not an object.
    meta_json: z.string(),
    // Extensions: the step that began last, the part that is done (0 to 1) and the seconds that are left, null while unknown.
    step: Step.nullable(),
    progress: z.number().nullable(),
    seconds_left: z.int().nullable(),
    // Extension: true for a job that was set aside because the studio ended while it ran. It can be tried again.
    set_aside: z.boolean(),
    // Extension: a limit of the person who made the job holds it now, and when it continues, as a sentence.
    held_by: z.string().exactOptional(),
    // Extension: its names and figures, those of the failure QUOTA_EXCEEDED, for clients with sentences of their own.
    held_values: z.record(z.string(), z.union([z.string(), z.number()])).exactOptional(),
    // Extensions of a job that failed: the code of the failure, and the model that is missing, known until the studio ends.
    code: z.string().exactOptional(),
    needs: NeedView.exactOptional(),
  })
  .meta({ id: 'Job' })
export type JobRow = z.output<typeof Row>

const Counts = z
  .object({ pending: z.int(), running: z.int(), done: z.int(), failed: z.int(), cancelled: z.int() })
  .meta({ id: 'JobCounts' })

/** A number outside the range is moved to its nearest end, as the specification says. */
const clamped = (otherwise: number, low: number, high: number) =>
  z.coerce
    .number()
    .int()
    .default(otherwise)
    .transform((value) => Math.min(high, Math.max(low, value)))
const text = (max: number) =>
  z
    .string()
    .max(max)
    .optional()
    .transform((value) => value || null)
const afterSeq = z.coerce.number().int().default(0)
const JobPath = z.strictObject({ job_id: z.string().max(128) })
const TaskPath = z.strictObject({ task_id: z.string().max(128) })
const filter = { project_id: text(64), type: text(64), q: text(200) }
const access = 'consume' as const
const ofJob = { kind: 'job', param: 'job_id' } as const
const ofTask = { kind: 'job', param: 'task_id' } as const

export const eventsSocket: SocketContract = {
  id: 'jobs.followChanges',
  path: '/ws/events',
  access: 'consume',
  forReaders: true,
  summary: 'Tells which objects of the studio changed.',
  messages:
    'The studio sends JSON with kind, ts in epoch seconds, action and id, and {"kind":"ping"} in between. Messages of clients are ignored.',
}

export const jobsContracts = {
  list: contract({
    id: 'jobs.list',
    method: 'GET',
    path: '/jobs',
    access,
    summary:
      'Jobs, newest first. `active` means pending or running. Extensions: type, q, and before, the id of the last job of the page before.',
    query: z.object({ status: text(32), limit: clamped(100, 1, 500), before: text(128), ...filter }),
    reply: z.array(Row),
  }),
  count: contract({
    id: 'jobs.count',
    method: 'GET',
    path: '/jobs/counts',
    access,
    summary: 'How many jobs there are in each status, with the filters of the list.',
    extension: true,
    query: z.object(filter),
    reply: Counts,
  }),
  read: contract({
    id: 'jobs.read',
    method: 'GET',
    path: '/jobs/{job_id}',
    access,
    of: ofJob,
    summary: 'One job.',
    params: JobPath,
    reply: Row,
  }),
  listEvents: contract({
    id: 'jobs.listEvents',
    method: 'GET',
    path: '/jobs/{job_id}/events',
    access,
    of: ofJob,
    summary: 'The stored events of a job, ascending. The newest 500 of each job are kept.',
    params: JobPath,
    query: z.object({ after_seq: afterSeq, limit: clamped(500, 1, 2000) }),
    reply: z
      .object({ job: Row, events: z.array(z.object({ seq: z.int(), created_at: z.number(), payload: z.string() })) })
      .meta({ id: 'JobEvents' }),
  }),
  cancel: contract({
    id: 'jobs.cancel',
    method: 'POST',
    path: '/tasks/cancel/{task_id}',
    access,
    of: ofTask,
    summary: 'Cancels a job. One that has ended since the start of the studio stays as it ended.',
    params: TaskPath,
    reply: z.object({ cancelled: z.literal(true), task_id: z.string() }),
  }),
  retry: contract({
    id: 'jobs.retry',
    method: 'POST',
    path: '/jobs/{job_id}/retry',
    access,
    of: { kind: 'job', param: 'job_id' },
    summary:
      'Runs a job again that was set aside because the studio ended while it ran. Its finished steps are kept. 409 for any other job.',
    extension: true,
    params: JobPath,
    reply: Row,
  }),
}

/** `events`: those of every type of job, which are declared where the types are. */
export const followContract = (events: readonly z.ZodType[]) =>
  contract({
    id: 'jobs.follow',
    method: 'GET',
    path: '/tasks/stream/{task_id}',
    access,
    of: ofTask,
    summary:
      'Server-sent events of a job: the stored ones after after_seq, then live until it ends. Extension: with ids=true frames carry their number.',
    params: TaskPath,
    query: z.object({ after_seq: afterSeq, ids: booleanText().default(false) }),
    reads: ['last-event-id'],
    events: z.union(events).meta({ id: 'JobEvent' }),
    media: ['text/event-stream'],
  })
export type FollowContract = ReturnType<typeof followContract>
