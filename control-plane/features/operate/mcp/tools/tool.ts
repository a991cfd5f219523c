// The parts of a tool, and the shape of its answer.
import type { ContentBlock } from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import type { ClientId } from '#shared/protocol/access/client.ts'

/** The parts that a tool may use of the HTTP request that called it. */
export type ToolContext = {
  /** The header X-Svc-Client-Id; null without it. */
  readonly clientId: string | null
  /** Maker of what the call makes. */
  readonly madeBy: ClientId
  /** Address at which the client reaches the studio, such as http://127.0.0.1:3900. */
  readonly baseUrl: string
  /** Aborts when the client cancels the call, disconnects or is signed out, and when the session ends. */
  readonly signal: AbortSignal
  /** W3C trace context; empty when the request is not traced. */
  readonly traceparent: string
  /** Reports 0 to 1 and what is being done; null if the client did not ask for it. */
  readonly report: ((progress: number, message: string) => void) | null
}
export type ToolAnswer<Fields = Readonly<Record<string, unknown>>> = {
  /** The result, as JSON. */
  readonly fields: Fields
  /** Audio and links beside it. */
  readonly blocks?: readonly ContentBlock[]
}
export type ToolRow = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodType
  /** Schema of the fields of a result. */
  readonly output: z.ZodType
  /** It changes nothing, so a client may call it without asking its user. */
  readonly readOnly: boolean
  /** It runs a task on a machine, so the number of concurrent calls is limited. */
  readonly runsTask?: true
  /** Throws a Failure, which the client gets as the text of the result. */
  readonly run: (input: never, context: ToolContext) => ToolAnswer | Promise<ToolAnswer>
}
type Definition<In extends z.ZodType, Out extends z.ZodType> = Omit<ToolRow, 'input' | 'output' | 'run'> & {
  readonly input: In
  readonly output: Out
  readonly run: (input: z.output<In>, context: ToolContext) => ToolAnswer<z.input<Out>> | Promise<ToolAnswer<z.input<Out>>>
}

/** Checks at compile time that `run` takes what `input` parses, and returns what `output` says. */
export const tool = <In extends z.ZodType, Out extends z.ZodType>(row: Definition<In, Out>): ToolRow => row as ToolRow
