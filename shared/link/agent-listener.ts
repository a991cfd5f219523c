// The agent's listening end, for a studio that dials: on TCP, or on a path for the studio of the same machine.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type Acceptor, createAcceptor } from './acceptor.ts'
import type { AgentEndpoint } from './agent-endpoint.ts'
import { TLS_HANDSHAKE_BYTE } from './peek.ts'

export function createAgentListener(deps: {
  readonly endpoint: AgentEndpoint
  readonly log: Log
  readonly clock: Clock
  readonly limits?: { readonly maxWaiting?: number; readonly firstByteMs?: number }
}): Acceptor {
  return createAcceptor({
    maxWaiting: deps.limits?.maxWaiting ?? 64,
    firstByteMs: deps.limits?.firstByteMs ?? 5_000,
    clock: deps.clock,
    log: deps.log,
    async welcome(socket, firstByte) {
      if (firstByte !== TLS_HANDSHAKE_BYTE) throw new Failure('BAD_REQUEST', 'The connection did not begin with TLS.')
      deps.endpoint.inject(socket)
    },
  })
}
