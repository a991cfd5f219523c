import { currentClient } from '#control-plane/clients/client.ts'
import { one, type Headers as Received } from '#control-plane/http/contract/caller.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { type Content, noContent } from '#control-plane/http/contract/respond.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { CLIENT_ID_CHARS } from './bindings/bindings.contract.ts'
import { mcpContracts } from './mcp.contract.ts'
import type { Mcp, McpAnswer } from './mcp.service.ts'

const SESSION = 'mcp-session-id'
/** Headers of a request that the SDK reads, and headers of its answer that a client needs. */
const FOR_SDK = ['accept', 'content-type', SESSION, 'mcp-protocol-version']
const FOR_CLIENT = [SESSION, 'x-accel-buffering']
const HOST = /^[\w.:[\]-]{1,260}$/

export const mcpRoutes = (mcp: Mcp): Route[] => [
  handle(mcpContracts.send, async ({ body: messages, headers, caller, signal, traceparent }) =>
    contentOf(
      await mcp.send({
        messages,
        sessionId: one(headers[SESSION]) ?? null,
        caller,
        headers: Object.fromEntries(FOR_SDK.flatMap((name) => (one(headers[name]) === undefined ? [] : [[name, one(headers[name])!]]))),
        signal,
        clientId: clientIdOf(headers),
        madeBy: currentClient().id,
        baseUrl: baseUrlOf(headers),
        traceparent,
      }),
    ),
  ),
  handle(mcpContracts.end, ({ headers, caller }) => {
    const id = one(headers[SESSION])
    if (id === undefined) throw new Failure('BAD_REQUEST', 'The header Mcp-Session-Id is missing.')
    mcp.end(id, caller)
    return noContent({})
  }),
]

const contentOf = ({ status, headers, body }: McpAnswer): Content => ({
  status,
  type: body === null ? '' : (headers.get('content-type') ?? 'application/json'),
  body: body ?? new Uint8Array(),
  cache: 'no-cache',
  headers: Object.fromEntries(FOR_CLIENT.map((name) => [name, headers.get(name)])),
})

/** A longer id cannot have a binding. */
function clientIdOf(headers: Received): string | null {
  const id = one(headers['x-svc-client-id'])
  return id && id.length <= CLIENT_ID_CHARS ? id : null
}

/** The address that the client used, for links in answers to this client. */
function baseUrlOf(headers: Received): string {
  const scheme = one(headers['x-forwarded-proto']) === 'https' ? 'https' : 'http'
  const host = one(headers['host']) ?? ''
  return `${scheme}://${HOST.test(host) ? host : 'localhost'}`
}
