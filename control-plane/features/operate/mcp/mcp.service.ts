// The MCP server: which session a request belongs to, which of its messages the SDK gets, and what ends a call.

import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createCalls } from './calls.ts'
import { type Message, type Messages, RequestId } from './mcp.contract.ts'
import { createSessions, type McpCaller, type McpSession, type OpenRequest } from './sessions.ts'
import type { ToolRow } from './tools/tool.ts'

type Deps = {
  readonly tools: readonly ToolRow[]
  readonly version: string
  readonly isEnabled: () => boolean
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}
type Context = Pick<OpenRequest, 'clientId' | 'madeBy' | 'baseUrl' | 'traceparent'>
export type McpRequest = {
  readonly messages: Messages
  /** The header Mcp-Session-Id; null without it. */
  readonly sessionId: string | null
  readonly caller: McpCaller
  /** Headers for the SDK: accepted types, session and version of the protocol. */
  readonly headers: Readonly<Record<string, string>>
  /** Aborts when the client disconnects or is signed out. */
  readonly signal: AbortSignal
} & Context
/** `body`: null for an answer without one. */
export type McpAnswer = { readonly status: number; readonly headers: Headers; readonly body: AsyncIterable<Uint8Array> | null }
export type Mcp = ReturnType<typeof createMcp>

const INVALID_REQUEST = -32_600
const NO_SESSION = -32_001

export function createMcp({ tools, version, isEnabled, clock, random, log }: Deps) {
  let isStopping = false
  const call = createCalls({ log })
  const sessions = createSessions({
    clock,
    random,
    openProtocol: async (sessionId, session) => {
      const { openProtocol } = await import('./protocol.ts')
      return openProtocol({ sessionId, version, tools, call: (request) => call(session(), request), log })
    },
  })

  function requireOn(): void {
    if (!isEnabled())
      throw new Failure('NOT_FOUND', `The MCP server is turned off. Turn it on with ${COMMAND} settings set mcp.enabled true.`)
    if (isStopping) throw new Failure('NOT_READY', 'The studio is stopping.')
  }

  /** Hands the messages to the SDK. Their ids are taken until the answer has been sent or the client has disconnected. */
  async function forward(session: McpSession, { messages, headers, signal, ...context }: McpRequest): Promise<McpAnswer> {
    session.usedAt = clock.mono()
    const forwarded = [messages].flat().filter((message) => !isCancellation(session, message))
    if (forwarded.length === 0) return { status: 202, headers: new Headers(), body: null }
    const ids = forwarded.flatMap(({ id, method }) => (id === undefined || method === undefined ? [] : [id]))
    if (new Set(ids).size < ids.length || ids.some((id) => session.requests.has(id)))
      return refused(400, INVALID_REQUEST, 'The id of a request is used by another one that was not answered yet.')

    const giveBack = sessions.takeRequests(ids.length)
    for (const id of ids) session.requests.set(id, openRequest(context, signal))
    const close = () => {
      giveBack()
      for (const id of ids) session.requests.delete(id)
      session.usedAt = clock.mono()
    }
    const response = await session.protocol.answer(Array.isArray(messages) ? forwarded : forwarded[0]!, headers).catch((error: unknown) => {
      close()
      throw error
    })
    return answerOf(response, signal, close)
  }

  return {
    /** Throws NOT_FOUND while the server is turned off, NOT_READY while the studio stops, QUEUE_FULL for too many sessions or requests of one client. */
    async send(request: McpRequest): Promise<McpAnswer> {
      requireOn()
      const { sessionId, messages, caller } = request
      if (sessionId !== null) {
        const session = sessions.find(sessionId, caller)
        return session ? forward(session, request) : noSession()
      }
      if (Array.isArray(messages) || messages.method !== 'initialize')
        return refused(400, INVALID_REQUEST, 'Send initialize first, and the header Mcp-Session-Id of its answer with every other request.')
      const session = await sessions.open(caller)
      try {
        const answer = await forward(session, request)
        if (answer.status !== 200) sessions.end(session)
        return answer
      } catch (error) {
        sessions.end(session)
        throw error
      }
    },
    /** Throws NOT_FOUND, also for the session of another client. */
    end(sessionId: string, caller: McpCaller): void {
      requireOn()
      const session = sessions.find(sessionId, caller)
      if (!session) throw new Failure('NOT_FOUND', 'This MCP session does not exist or has ended.')
      sessions.end(session)
    },
    endAll: sessions.endAll,
    stop(): void {
      isStopping = true
      sessions.endAll()
    },
  }
}

const Cancellation = z.object({ requestId: RequestId })

/** True for a cancellation, which takes effect here. That of an unknown or answered request has none. */
function isCancellation({ requests }: McpSession, { method, params }: Message): boolean {
  if (method !== 'notifications/cancelled') return false
  const { data } = Cancellation.safeParse(params)
  if (data) requests.get(data.requestId)?.cancel()
  return true
}

function openRequest({ clientId, madeBy, baseUrl, traceparent }: Context, signal: AbortSignal): OpenRequest {
  const own = new AbortController()
  const cancel = () => own.abort(new Failure('CANCELLED', 'The client cancelled the call.'))
  return { clientId, madeBy, baseUrl, traceparent, signal: AbortSignal.any([signal, own.signal]), cancel }
}

/** `close` is called once the body has been read, or will not be read. */
function answerOf({ status, headers, body }: Response, signal: AbortSignal, close: () => void): McpAnswer {
  if (body === null) {
    close()
    return { status, headers, body: null }
  }
  // A body that was never begun has no reader that could end it.
  const abandon = () => {
    close()
    if (!body.locked) void body.cancel()
  }
  if (signal.aborted) abandon()
  else signal.addEventListener('abort', abandon, { once: true })
  return { status, headers, body: readThrough(body, close) }
}

async function* readThrough(body: AsyncIterable<Uint8Array>, close: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } finally {
    close()
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** A refusal as JSON-RPC, which clients expect here. */
const refused = (status: number, code: number, message: string): McpAnswer => ({
  status,
  headers: new Headers({ 'content-type': 'application/json' }),
  body: once(Buffer.from(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }))),
})
const noSession = () => refused(404, NO_SESSION, 'This MCP session does not exist or has ended. Send initialize to begin another one.')
