// The state of the inbound server as its owner sees it.
import type { InboundView } from '#shared/protocol/agent-control.ts'
import type { ControllerKeys } from './controller-keys.ts'
import type { ControllerSessions } from './controller-sessions.ts'
import { isExposed, type ListeningAddress } from './listening-address.ts'

export const viewOf = (
  { enabled, bind, port }: ListeningAddress,
  state: {
    readonly running: boolean
    readonly startupError: string | null
    readonly fingerprint: string
    readonly keys: ControllerKeys
    readonly sessions: ControllerSessions
  },
): InboundView => ({
  enabled,
  running: state.running,
  bind,
  port,
  exposed: isExposed(bind),
  startup_error: state.startupError,
  tls_fingerprint: state.fingerprint,
  keys: state.keys.list().map((key) => ({
    key_id: key.id,
    label: key.label,
    created_at: key.createdAt / 1000,
    last_seen_at: key.lastSeenAt / 1000,
    last_seen_peer: key.lastSeenPeer,
    revoked: key.revokedAt !== null,
    worker_id: key.pin === null ? '' : key.id,
  })),
  sessions: state.sessions.sessions(),
  events: [...state.sessions.events()],
})
