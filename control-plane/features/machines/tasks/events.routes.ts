import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { eventStream } from '#control-plane/http/contract/respond.ts'
import type { Activity } from './activity.service.ts'
import { eventsContracts } from './events.contract.ts'
import type { Events } from './events.service.ts'

export type EventsParts = { readonly events: Events; readonly activity: Activity }

export const eventsRoutes = ({ events, activity }: EventsParts): Route[] => [
  handle(eventsContracts.readActivity, ({ query }) => activity.read(query.days ?? null)),
  handle(eventsContracts.followEvents, ({ query, headers, signal }) => {
    const last = headers['last-event-id']
    return eventStream(events.follow(typeof last === 'string' ? last.slice(0, 64) : query.after, signal))
  }),
]
