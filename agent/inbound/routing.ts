// One service for all controllers: each call goes to the service of the controller whose key the caller has proven.
import { type AgentService, mapAgentMethods, type Peer, type ServedRun } from '#shared/link/rpc.ts'

type Answer = (request: unknown, peer: Peer) => unknown

/** `serviceOf` throws for a key that may no longer call. */
export function byPin(serviceOf: (pin: string) => AgentService): AgentService {
  return mapAgentMethods((name, { kind }) => {
    const answer = (request: unknown, peer: Peer) => (serviceOf(peer.pin)[name] as Answer)(request, peer)
    if (kind === 'run') return async (call: ServedRun) => serviceOf(call.peer.pin).run(call)
    if (kind === 'unary') return async (request: unknown, peer: Peer) => answer(request, peer)
    return async function* (request: unknown, peer: Peer) {
      yield* answer(request, peer) as AsyncIterable<unknown>
    }
  }) as unknown as AgentService
}
