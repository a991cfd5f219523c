import { z } from 'zod'
import { contract } from '../../http/contract.ts'

const Counted = z.object({ at: z.int(), done: z.int(), failed: z.int(), waiting: z.int() })
export type ActivityMinute = z.output<typeof Counted>

export const eventsContracts = {
  readActivity: contract({
    id: 'workers.readActivity',
    method: 'GET',
    path: '/workers/activity',
    access: 'admin',
    summary: 'Minute by minute, at most an hour back: how many tasks ended, and how many waited at most.',
    extension: true,
    reply: z.object({ minutes: z.array(Counted) }).meta({ id: 'WorkerActivity' }),
  }),
  followEvents: contract({
    id: 'workers.followEvents',
    method: 'GET',
    path: '/workers/events',
    access: 'admin',
    summary: 'Server-sent events of tasks and machines. Last-Event-ID, or after, resumes; "reset" means: read everything anew.',
    extension: true,
    query: z.strictObject({ after: z.string().max(64).default('') }),
    media: ['text/event-stream'],
  }),
}
