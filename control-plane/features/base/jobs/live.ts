// The bus as clients of `/ws/events` see it.

import { currentViewer } from '#control-plane/clients/client.ts'
import type { Bus } from '#control-plane/events/bus.ts'
import type { BusKind } from '#control-plane/events/event.ts'
import type { SocketRoute } from '#control-plane/http/socket/socket.ts'
import type { Makers } from '#control-plane/store/sqlite/made-by.ts'
import type { MadeKind } from '#shared/protocol/access/client.ts'
import { eventsSocket } from './jobs.contract.ts'

/** More than the bus has places for its readers; a client without one is told so. */
const CONNECTIONS_PER_CLIENT = 100
/** Events about objects that only their maker and the owner see. */
const PRIVATE: Readonly<Partial<Record<BusKind, MadeKind>>> = {
  generation_history: 'take',
  export_history: 'export',
  projects: 'project',
  dub_history: 'dub',
  job: 'job',
}

/** `kind`, `ts` in epoch seconds, `action` and `id` as the specification says; further fields of the event come beside them. */
export const liveSocket = (bus: Pick<Bus, 'listen'>, makers: Pick<Makers, 'isForeign' | 'isHidden'>): SocketRoute => ({
  contract: eventsSocket,
  connectionsPerClient: CONNECTIONS_PER_CLIENT,
  receives: null,
  async *frames({ signal }) {
    const viewer = currentViewer()
    for await (const event of bus.listen(signal)) {
      const kind = event.kind === 'ping' || event.kind === 'reset' ? undefined : PRIVATE[event.kind]
      if (viewer !== null && kind && 'id' in event && event.id !== undefined && makers.isForeign(kind, event.id, viewer)) continue
      if (event.kind === 'profiles' && event.id !== undefined && makers.isHidden('voice', event.id)) continue
      if (event.kind === 'ping') yield '{"kind":"ping"}'
      else {
        const { kind, at, ...named } = event
        const { fields, ...rest } = { fields: {}, ...named }
        yield JSON.stringify({ kind, ts: at / 1000, ...rest, ...fields })
      }
    }
  },
})
