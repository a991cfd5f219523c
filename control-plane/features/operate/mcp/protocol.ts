// One MCP session on the official SDK, which parses the messages, negotiates the version and writes the event streams. Only this file loads
// the SDK, and it is loaded with the first session.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { CallToolRequestSchema, type CallToolResult, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Log } from '#shared/runtime/log.ts'
import type { Message, RequestId } from './mcp.contract.ts'
import type { ToolRow } from './tools/tool.ts'

/** `signal`: aborts when the session ends. */
export type ToolRequest = {
  readonly tool: ToolRow
  readonly input: unknown
  readonly requestId: RequestId
  readonly signal: AbortSignal
  readonly report: ((progress: number, message: string) => void) | null
}
export type Protocol = {
  /** The answer to the messages of one HTTP request. */
  readonly answer: (messages: Message | readonly Message[], headers: Readonly<Record<string, string>>) => Promise<Response>
  /** Ends the streams and aborts the calls. */
  readonly close: () => Promise<void>
}
type Deps = {
  readonly sessionId: string
  readonly version: string
  readonly tools: readonly ToolRow[]
  readonly call: (request: ToolRequest) => Promise<CallToolResult>
  readonly log: Log
}

const INSTRUCTIONS =
  'Voice Studio turns text into speech and recordings into text on the machines of its owner. Call list_voices before you name a voice.'
/** Through proxies that close silent connections. */
const KEEP_ALIVE_MS = 15_000
const STEP = 0.001
/** The server asks clients for nothing, so it never validates an answer of theirs; the default validator would cost each session a megabyte. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'This server requests nothing.' }),
}

export async function openProtocol({ sessionId, version, tools, call, log }: Deps): Promise<Protocol> {
  const server = new Server(
    { name: 'voice-studio', title: 'Voice Studio', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator: NO_VALIDATOR },
  )
  // A client that has disconnected cannot be answered, which is no fault of the studio.
  server.onerror = (error) => log.debug({ err: String(error) }, 'an MCP message was not accepted or not delivered')
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(listed) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { requestId, signal, sendNotification }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name.slice(0, 64)}. tools/list lists the tools.`)
    const progressToken = params._meta?.progressToken
    let last = 0
    const report = (progress: number, message: string) => {
      last = Math.max(progress, last + STEP) // the protocol requires that it rises
      const notification = {
        method: 'notifications/progress' as const,
        params: { progressToken: progressToken!, progress: last, total: 1, message },
      }
      sendNotification(notification).catch(() => {}) // the call ends when its client disconnects
    }
    return call({ tool, input: params.arguments ?? {}, requestId, signal, report: progressToken === undefined ? null : report })
  })
  const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => sessionId, keepAliveMs: KEEP_ALIVE_MS })
  await server.connect(transport as Transport)
  return {
    answer: (parsedBody, headers) =>
      // The address is not used; the gate of the studio has checked the host and the origin.
      transport.handleRequest(new Request('http://localhost/mcp', { method: 'POST', headers }), { parsedBody }),
    close: () => server.close(),
  }
}

const listed = ({ name, title, description, input, output, readOnly }: ToolRow) => ({
  name,
  title,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input' }) as { type: 'object' },
  outputSchema: z.toJSONSchema(output) as { type: 'object' },
  annotations: { title, readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false },
})
