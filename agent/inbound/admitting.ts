// Decides which controllers may open a session: before TLS by the claimed name, and after it by the proven key.

import { noticesAbout } from '#agent/tenancy/notices.ts'
import type { ListenerDeps } from '#shared/link/port/listener.ts'
import type { AgentEndpointDeps } from '#shared/link/server/agent-endpoint.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { ControllerKeys } from './controller-keys.ts'
import type { ControllerSessions } from './controller-sessions.ts'

const REJECTED = {
  unknown: 'It uses no connection string of this machine.',
  revoked: 'Its connection string was revoked.',
  busy: 'It was disconnected less than a minute ago.',
} as const

export function admitting(
  keys: ControllerKeys,
  sessions: ControllerSessions,
  log: Log,
): { readonly admit: ListenerDeps['admit']; readonly onLink: NonNullable<AgentEndpointDeps['onLink']> } {
  /** Information for the owner only: a full disk must not refuse a controller. */
  function recordContact(keyId: string, peer: string): void {
    keys.recordContact(keyId, peer).catch((error: unknown) => {
      log.error({ err: String(error) }, 'the last contact of a controller could not be written')
    })
  }
  return {
    async admit({ workerId, address }) {
      const key = keys.get(workerId)
      const refusal =
        !key || key.pin === null ? 'unknown' : key.revokedAt !== null ? 'revoked' : sessions.cooldown(key.id) > 0 ? 'busy' : null
      if (refusal) sessions.rejected(key?.label ?? '', address, REJECTED[refusal])
      return refusal ?? 'ok'
    },
    onLink({ pin, address, cut }) {
      const key = keys.byPin(pin)
      // The name before the handshake was only a claim; the key decides.
      if (!key || sessions.cooldown(key.id) > 0) {
        sessions.rejected(key?.label ?? '', address, key ? REJECTED.busy : REJECTED.revoked)
        cut()
        return () => {}
      }
      const over = sessions.connected(key.id, key.label, address, cut)
      const notices = noticesAbout(key.label)
      log.info({ keyId: key.id, address, ...notices.connected }, 'a controller is connected')
      recordContact(key.id, address)
      return () => {
        log.info({ keyId: key.id, address, ...notices.disconnected }, 'a controller is gone')
        over()
      }
    },
  }
}
