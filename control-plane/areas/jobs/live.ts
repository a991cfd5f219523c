// The bus as clients of `/ws/events` see it.
import type { Bus } from '../../events/bus.ts'
import type { SocketRoute } from '../../http/socket/socket.ts'
import { eventsSocket } from './jobs.contract.ts'

/** More than the bus has places for its readers; a client without one is told so. */
const CONNECTIONS_PER_CLIENT = 100

/** `kind`, `ts` in epoch seconds, `action` and `id` as the specification says; further fields of the event come beside them. */
export const liveSocket = (bus: Pick<Bus, 'listen'>): SocketRoute => ({
  contract: eventsSocket,
  connectionsPerClient: CONNECTIONS_PER_CLIENT,
  receives: null,
  async *frames({ signal }) {
    for await (const event of bus.listen(signal)) {
      if (event.kind === 'ping') yield '{"kind":"ping"}'
      else {
        const { kind, at, ...named } = event
        const { fields, ...rest } = { fields: {}, ...named }
        yield JSON.stringify({ kind, ts: at / 1000, ...rest, ...fields })
      }
    }
  },
})
