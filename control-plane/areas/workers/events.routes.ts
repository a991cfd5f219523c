import { z } from 'zod'
import { bytes, type Route, route } from '../../http/route.ts'
import type { Activity } from './activity.service.ts'
import type { Events } from './events.service.ts'

export type EventsParts = { readonly events: Events; readonly activity: Activity }
const Counted = z.object({ at: z.int(), done: z.int(), failed: z.int(), waiting: z.int() })
export type ActivityMinute = z.output<typeof Counted>

export const eventsRoutes = ({ events, activity }: EventsParts): Route[] => [
  route({
    id: 'workers.readActivity',
    method: 'GET',
    path: '/workers/activity',
    access: 'admin',
    summary: 'Ours: minute by minute, at most an hour back: how many tasks ended, and how many waited at most.',
    reply: z.object({ minutes: z.array(Counted) }).meta({ id: 'WorkerActivity' }),
    run: () => activity.read(),
  }),
  bytes({
    id: 'workers.followEvents',
    method: 'GET',
    path: '/workers/events',
    access: 'admin',
    summary: 'Ours: server-sent events of tasks and machines. Last-Event-ID, or after, resumes; "reset" means: read everything anew.',
    query: z.strictObject({ after: z.string().max(64).default('') }),
    media: ['text/event-stream'],
    run: ({ query, headers, signal }) => {
      const last = headers['last-event-id']
      return {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
        body: events.follow(typeof last === 'string' ? last.slice(0, 64) : query.after, signal),
      }
    },
  }),
]
