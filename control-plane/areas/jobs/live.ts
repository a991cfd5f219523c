// The bus as clients of `/ws/events` see it.
import type { Bus } from '../../events/bus.ts'
import type { SocketRoute } from '../../http/socket/socket.ts'

/** `kind`, `ts` in epoch seconds, `action` and `id` as the specification says; further fields of the event come beside them. */
export const liveSocket = (bus: Pick<Bus, 'listen'>): SocketRoute => ({
  path: '/ws/events',
  access: 'consume',
  async *frames(signal) {
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
