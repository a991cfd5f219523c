// Changes of tasks and machines, and their number by minute.
import { z } from 'zod'
import { Fleet, LiveWorker } from '#control-plane/features/machines/workers/workers.schema.ts'
import { contract, type EventsByName } from '#control-plane/http/contract/contract.ts'
import { WorkerTask } from './tasks.schema.ts'

const Counted = z.object({ at: z.int(), done: z.int(), failed: z.int(), waiting: z.int() })
export type ActivityMinute = z.output<typeof Counted>

/** The data of the events of GET /workers/events, by name. */
const FleetEvents = {
  task: WorkerTask,
  /** So many tasks changed at once that the list must be read again. */
  tasks: z.strictObject({ changed: z.int() }),
  worker: LiveWorker,
  'worker-gone': z.strictObject({ id: z.string() }),
  fleet: Fleet.omit({ workers: true }),
  /** Events were lost: everything must be read again. */
  reset: z.strictObject({ run: z.string(), seq: z.int() }),
} as const
export type FleetEvents = EventsByName<typeof FleetEvents>

export const eventsContracts = {
  readActivity: contract({
    id: 'workers.readActivity',
    method: 'GET',
    path: '/workers/activity',
    access: 'admin',
    summary:
      'Returns the number of finished and waiting tasks for each of the last 60 minutes, and with days for about a hundred spans of them.',
    extension: true,
    query: z.strictObject({ days: z.coerce.number().int().min(1).max(30).optional() }),
    reply: z
      .object({ minutes: z.array(Counted), spans: z.array(Counted).optional(), span_seconds: z.int().optional() })
      .meta({ id: 'WorkerActivity' }),
  }),
  followEvents: contract({
    id: 'workers.followEvents',
    method: 'GET',
    path: '/workers/events',
    access: 'admin',
    summary:
      'Streams server-sent events of tasks and machines. Last-Event-ID or after resumes; a reset event means that clients must reload.',
    extension: true,
    query: z.strictObject({ after: z.string().max(64).default('') }),
    reads: ['last-event-id'],
    events: FleetEvents,
    media: ['text/event-stream'],
  }),
}
