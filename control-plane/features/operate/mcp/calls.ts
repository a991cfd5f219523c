// Runs the tools: parses the input, limits how many run, and turns failures into results that a language model can read.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { createPlaces } from '#control-plane/clients/places.ts'
import { fromServer, replyFor } from '#control-plane/http/contract/errors.ts'
import { publicError } from '#control-plane/http/contract/public-error.ts'
import { parseInput } from '#control-plane/http/input/validation.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { inSentences } from '#shared/protocol/fields/in-sentences.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { ToolRequest } from './protocol.ts'
import type { McpSession } from './sessions.ts'
import type { ToolAnswer, ToolRow } from './tools/tool.ts'

/** Calls that run tasks at once. The queue of the studio has its own limit. */
export const TASKS_PER_SESSION = 4
const TASKS_PER_CLIENT = 16

export function createCalls({ log }: { readonly log: Log }) {
  const places = createPlaces({ perClient: TASKS_PER_CLIENT, what: 'MCP calls that run tasks' })

  /** Throws QUEUE_FULL. */
  async function limited<T>(session: McpSession, { runsTask }: ToolRow, run: () => Promise<T>): Promise<T> {
    if (!runsTask) return run()
    if (session.tasks >= TASKS_PER_SESSION)
      throw new Failure('QUEUE_FULL', `${TASKS_PER_SESSION} calls of this session are running. Wait for one of them.`)
    return places.hold(async () => {
      session.tasks++
      try {
        return await run()
      } finally {
        session.tasks--
      }
    })
  }

  /** Never rejects. */
  return async (session: McpSession, { tool, input, requestId, signal: ended, report }: ToolRequest): Promise<CallToolResult> => {
    const request = session.requests.get(requestId)
    try {
      if (!request) throw new Failure('CANCELLED', 'The client disconnected.')
      const { clientId, madeBy, baseUrl, traceparent } = request
      const signal = AbortSignal.any([request.signal, ended])
      const parsed = parseInput(tool.input, input, 'body') as never
      return succeeded(
        await limited(session, tool, async () => tool.run(parsed, { clientId, madeBy, baseUrl, traceparent, signal, report })),
      )
    } catch (error) {
      const failure = fromServer(request?.signal.aborted ? request.signal.reason : error)
      if (failure.code === 'UNKNOWN')
        log.error({ tool: tool.name, err: failure.message, cause: String(failure.cause ?? '') }, 'an MCP tool failed')
      return failed(failure)
    }
  }
}

const succeeded = ({ fields, blocks = [] }: ToolAnswer): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(fields) }, ...blocks],
  structuredContent: fields,
})

function failed(failure: Failure): CallToolResult {
  const { message } = publicError(failure.code, replyFor(failure))
  const { hint } = failure
  return { content: [{ type: 'text', text: inSentences(message, !message.includes(hint) && hint) }], isError: true }
}
