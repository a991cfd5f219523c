import { z } from 'zod'
import { bytes, type Route } from '../../http/route.ts'
import type { Events } from './events.service.ts'

export type EventsParts = { readonly events: Events }

export const eventsRoutes = ({ events }: EventsParts): Route[] => [
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
