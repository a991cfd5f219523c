// MCP clients of the studio: the client of the official SDK, and plain JSON-RPC for requests that it would not send.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Ending } from '../world/process.ts'
import type { World } from '../world/world.ts'

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
export const MCP_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A connected client of the SDK; closed with the test. */
export async function connectMcp(t: Ending, world: Pick<World, 'url'>, headers: Record<string, string> = {}, path = '/mcp') {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(path, world.url), { requestInit: { headers } })
  await client.connect(transport as Transport)
  t.after(() => client.close())
  return { client, transport }
}

export const textOf = ({ content }: Pick<CallToolResult, 'content'>): string => {
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}

/** The data of each server-sent event. */
export const eventsIn = (body: string): any[] =>
  body.split('\n').flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice('data: '.length))] : []))

/** Opens a session with plain requests, and resolves with its headers. */
export async function openSession(world: Pick<World, 'send'>, headers: Record<string, string> = {}): Promise<Record<string, string>> {
  const reply = await world.send('POST', '/mcp', INITIALIZE, { ...MCP_HEADERS, ...headers })
  const id = reply.headers.get('mcp-session-id')
  if (reply.status !== 200 || id === null) throw new Error(`no session: ${reply.status} ${reply.body}`)
  return { ...MCP_HEADERS, ...headers, 'mcp-session-id': id }
}
