// Checks the events of a stream and the messages of a socket against their contract while the studio is developed and tested, as strict-reply.ts
// checks replies.
import type { z } from 'zod'
import { strictReply } from './strict-reply.ts'

/** Media types whose body is a sequence of JSON documents. */
export const STREAMS: readonly string[] = ['text/event-stream', 'application/x-ndjson']

type Body = AsyncIterable<Uint8Array | string>

/**
 * The pieces of `body`, unchanged. Throws before the piece that ends an event which `schema` does not describe. Data that is no JSON, such as the
 * `[DONE]` of a stream, is not checked.
 */
export async function* strictEvents(schema: z.ZodType, type: string, body: Body): AsyncGenerator<Uint8Array | string> {
  const separator = type === STREAMS[0] ? '\n\n' : '\n'
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body) {
    const events = (rest + (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }))).split(separator)
    rest = events.pop()!
    for (const event of events) checkText(schema, separator === '\n' ? event : dataOf(event))
    yield piece
  }
}

/** Throws for a text message that `schema` does not describe. Binary messages are sound. */
export function strictMessage<T extends string | Uint8Array>(schema: z.ZodType, message: T): T {
  if (typeof message === 'string') checkText(schema, message)
  return message
}

const dataOf = (event: string): string =>
  event
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
    .join('\n')

function checkText(schema: z.ZodType, text: string): void {
  if (/^[[{]/.test(text) && text !== '[DONE]') strictReply(schema, JSON.parse(text))
}
