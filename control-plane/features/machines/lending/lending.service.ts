// Lending by this machine, and who may use it. The agent of this machine decides; the studio calls it over its private socket.

import { type Connections, endpointOf } from '#control-plane/trust/connections.ts'
import type { AgentControl, InboundView, IssuedKey, LendingView } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { ConnectionView, LendingReply } from './lending.schema.ts'

type Deps = {
  readonly agent: AgentControl
  readonly connections: Connections
  readonly dialler: {
    readonly redial: (endpoint: string) => Promise<void>
    readonly end: (endpoint: string) => Promise<void>
    readonly state: (endpoint: string) => { readonly connected: boolean; readonly lastError: string }
  }
  readonly isRunning: () => boolean
  readonly isReady: (workerId: string) => boolean
  /** Revokes the worker, requeues its tasks and closes its connection. */
  readonly removeWorker: (workerId: string) => Promise<unknown>
  readonly createKey: () => Promise<string>
}
export type LendingService = ReturnType<typeof createLendingService>

const shown = ({ enabled, connected, enrolled, endpoint, last_error, pinned, ...more }: LendingView): LendingReply => ({
  worker_mode: enabled,
  running: connected,
  enrolled,
  endpoint,
  last_error,
  env_pinned: pinned,
  worker_id: more.worker_id,
  studio_name: more.studio_name,
  draining: more.draining,
  held: more.held,
})

export function createLendingService({ agent, connections, dialler, isRunning, isReady, removeWorker, createKey }: Deps) {
  const list = (): ConnectionView[] =>
    connections.all().map((connection) => {
      const endpoint = endpointOf(connection)
      const { connected, lastError } = dialler.state(endpoint)
      const isUp = connected && isReady(connection.workerId)
      return { endpoint, connected: isUp, worker_id: connection.workerId, last_error: lastError }
    })

  return {
    status: async (): Promise<LendingReply> => shown(await agent.status({})),
    join: async (token: string): Promise<LendingReply> => shown(await agent.join({ code: token.trim() }).catch(asConflict)),
    lend: async (enabled: boolean): Promise<LendingReply> => shown(await agent.lend({ enabled }).catch(asConflict)),

    inbound: async (): Promise<InboundView & { connections: ConnectionView[] }> => ({ ...(await agent.inbound({})), connections: list() }),
    listen: (request: { enabled: boolean; bind: string; port: number }): Promise<InboundView> => agent.listen(request),
    issueKey: (label: string): Promise<IssuedKey> => agent.issueKey({ label }),
    revokeKey: (keyId: string): Promise<InboundView> => agent.revokeKey({ key_id: keyId }),
    disconnect: (sessionId: string): Promise<InboundView> => agent.disconnect({ session_id: sessionId }),

    /** Returns before the connection is established; the list shows its state. */
    async connect(text: string): Promise<{ endpoint: string; connections: ConnectionView[] }> {
      if (!isRunning()) throw new Failure('CONFLICT', 'Remote workers are turned off. Turn them on first on the Machines page.')
      const keyPem = await createKey()
      const endpoint = endpointOf(await pasted(connections.paste(text, keyPem)))
      await dialler.redial(endpoint)
      return { endpoint, connections: list() }
    },
    /** Ends the connection and removes the worker, which is unreachable without it. */
    async disconnectFrom(endpoint: string): Promise<{ connections: ConnectionView[] }> {
      const connection = connections.get(endpoint)
      if (connection) {
        await dialler.end(endpoint)
        await connections.remove(endpoint)
        const isElsewhere = connections.all().some(({ workerId }) => workerId === connection.workerId)
        if (connection.workerId !== '' && !isElsewhere) await removeWorker(connection.workerId)
      }
      return { connections: list() }
    },
  }
}

/** A refusal of the agent becomes CONFLICT with its message. An agent that is not reachable keeps its own failure. */
function asConflict(error: unknown): never {
  const failure = Failure.from(error)
  if (failure.code === 'NOT_READY' || failure.code === 'UNKNOWN') throw failure
  throw new Failure('CONFLICT', failure.message, { cause: error })
}

/** Keeps the message and drops the detail, which names the cause for programs. */
async function pasted<T>(pasting: Promise<T>): Promise<T> {
  try {
    return await pasting
  } catch (error) {
    const failure = Failure.from(error)
    throw new Failure(failure.code, failure.message, { cause: error })
  }
}
