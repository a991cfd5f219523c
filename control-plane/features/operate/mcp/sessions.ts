// The sessions of MCP clients. They are in memory only: after a restart a client initializes again.

import { type Client, currentClient } from '#control-plane/clients/client.ts'
import { createPlaces, type Holding } from '#control-plane/clients/places.ts'
import type { Principal } from '#control-plane/http/contract/caller.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { RequestId } from './mcp.contract.ts'
import type { Protocol } from './protocol.ts'

/** A request that was not answered yet. */
export type OpenRequest = {
  /** Aborts when the client cancels the request, disconnects or is signed out. */
  readonly signal: AbortSignal
  readonly cancel: () => void
  readonly clientId: string | null
  readonly madeBy: ClientId
  readonly baseUrl: string
  readonly traceparent: string
}
export type McpSession = {
  readonly id: string
  /** The proof of the client that opened it; requests with another proof do not belong to it. */
  readonly owner: unknown
  readonly protocol: Protocol
  readonly requests: Map<RequestId, OpenRequest>
  /** The client that opened it, of whose sessions it is one. */
  readonly client: Client
  /** Running calls of tools that run tasks. */
  tasks: number
  /** Milliseconds on the monotonic clock. */
  usedAt: number
}
/** `session`: the session that the id belongs to; called with its first request at the earliest. */
type OpenProtocol = (id: string, session: () => McpSession) => Promise<Protocol>
export type McpCaller = Pick<Principal, 'signIn' | 'person' | 'ended' | 'credential' | 'name'>
type Deps = { readonly clock: Clock; readonly random: Random; readonly openProtocol: OpenProtocol }
export type Sessions = ReturnType<typeof createSessions>

export const SESSIONS_PER_CLIENT = 64
/** Requests of one client that were not answered, or whose answer was not read. An answer may have a megabyte of sound. */
const REQUESTS_PER_CLIENT = 32
const IDLE_MS = 30 * 60_000
const ID_BYTES = 16
const SWEEP_MS = 60_000

export function createSessions({ clock, random, openProtocol }: Deps) {
  const sessions = new Map<string, McpSession>()
  /** Functions that stop watching a credential when one of its sessions ends: it may outlive many sessions. */
  const watching = new Map<McpSession, () => void>()
  let stopSweep: (() => void) | null = null
  const places = createPlaces({ perClient: SESSIONS_PER_CLIENT, what: 'MCP sessions' })
  const held = new Map<McpSession, Holding>()
  const requests = createPlaces({ perClient: REQUESTS_PER_CLIENT, what: 'MCP requests that are not answered' })

  const isBusy = ({ requests }: McpSession) => requests.size > 0

  function end(session: McpSession): void {
    if (!sessions.delete(session.id)) return
    watching.get(session)?.()
    watching.delete(session)
    held.get(session)?.giveBack()
    held.delete(session)
    for (const request of session.requests.values()) request.cancel()
    void session.protocol.close()
    if (sessions.size > 0) return
    stopSweep?.()
    stopSweep = null
  }

  function sweep(): void {
    stopSweep = clock.after(SWEEP_MS, sweep)
    for (const session of [...sessions.values()]) if (!isBusy(session) && clock.mono() - session.usedAt >= IDLE_MS) end(session)
  }

  /**
   * A place for a session of the current client. Without one it ends sessions of its source, those that were idle for the longest time first, so no
   * client ends those of others. Throws QUEUE_FULL if all of them are being used.
   */
  function takePlace(): Holding {
    const client = currentClient()
    const holding = places.open(client)
    const idle = [...sessions.values()]
      .filter((session) => !isBusy(session) && session.client.source === client.source)
      .sort((one, other) => one.usedAt - other.usedAt)
    for (const session of idle) if (places.refusal(client)) end(session)
    holding.take()
    return holding
  }

  return {
    end,
    count: () => sessions.size,
    async open(caller: McpCaller): Promise<McpSession> {
      const place = takePlace()
      try {
        const id = random.hex(ID_BYTES)
        const session: McpSession = {
          id,
          owner: ownerOf(caller),
          client: currentClient(),
          protocol: await openProtocol(id, () => session),
          requests: new Map(),
          tasks: 0,
          usedAt: clock.mono(),
        }
        sessions.set(id, session)
        held.set(session, place)
        stopSweep ??= clock.after(SWEEP_MS, sweep)
        const { ended } = caller
        if (!ended) return session
        const signedOut = () => end(session)
        ended.addEventListener('abort', signedOut)
        watching.set(session, () => ended.removeEventListener('abort', signedOut))
        if (ended.aborted) end(session)
        return session
      } catch (error) {
        place.giveBack()
        throw error
      }
    },
    /** Takes places for requests of the current client until they are answered. Throws QUEUE_FULL. */
    takeRequests: (count: number): (() => void) => requests.take(count),
    /** Null if it does not exist, has ended, or belongs to a client with another proof. */
    find(id: string, caller: McpCaller): McpSession | null {
      const session = sessions.get(id)
      return session && session.owner === ownerOf(caller) ? session : null
    },
    endAll(): void {
      for (const session of [...sessions.values()]) end(session)
    },
  }
}

const ownerOf = ({ signIn, person, credential, name }: McpCaller): unknown =>
  signIn ?? (person ? `person ${person.keyId}` : `${name} ${credential}`)
