// The MCP server: JSON-RPC messages over streamable HTTP. There is no GET: the server starts no conversation, so it has nothing to stream.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'

/** Bytes of a request. Audio inside is base64, so a recording has at most three quarters of it. */
export const BODY_BYTES = 4 * 1024 * 1024
const MESSAGES = 16
const VALUES = 10_000
export const RequestId = z.union([z.string().max(128), z.int()])
export type RequestId = z.output<typeof RequestId>

/** The SDK parses the rest of a message. */
const Message = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: RequestId.optional(), method: z.string().max(128).optional() })
  .meta({ id: 'McpMessage' })
export type Message = z.output<typeof Message>
const Body = z.union([Message, z.array(Message).min(1).max(MESSAGES)]).meta({ id: 'McpMessages' })
export type Messages = z.output<typeof Body>

/** A refusal in the form of JSON-RPC. */
const refusal = {
  media: 'application/json',
  reply: z.looseObject({
    jsonrpc: z.literal('2.0'),
    error: z.looseObject({ code: z.int(), message: z.string() }),
    id: RequestId.nullable(),
  }),
}

export const mcpContracts = {
  send: contract({
    id: 'mcp.send',
    method: 'POST',
    path: '/mcp',
    access: 'consume',
    extension: true,
    summary: 'The MCP server for language-model agents: takes JSON-RPC messages of a session and streams the answers.',
    body: Body,
    bodyBytes: BODY_BYTES,
    bodyValues: VALUES,
    reads: ['x-svc-client-id'],
    events: Message,
    media: ['text/event-stream', 'application/json'],
    alsoAnswers: { 202: null, 400: refusal, 404: refusal, 406: refusal, 415: refusal },
  }),
  end: contract({
    id: 'mcp.end',
    method: 'DELETE',
    path: '/mcp',
    access: 'consume',
    extension: true,
    summary: 'Ends the MCP session that the header Mcp-Session-Id names, and cancels its calls.',
    status: 204,
    media: [],
  }),
}
