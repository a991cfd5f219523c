// Checks the events of a stream and the messages of a socket against their contract while the studio is developed and tested, as strict-reply.ts
// checks replies.
import { z } from 'zod'
import type { NamedEvents } from '../contract/contract.ts'
import { strictReply } from './strict-reply.ts'

/** Media types whose body is a sequence of JSON documents. */
export const STREAMS: readonly string[] = ['text/event-stream', 'application/x-ndjson']

type Body = AsyncIterable<Uint8Array | string>

/**
 * The pieces of `body`, unchanged. Throws before the piece that ends an event which `events` does not describe. Data that is no JSON, such as the
 * `[DONE]` of a stream, is not checked.
 */
export async function* strictEvents(events: z.ZodType | NamedEvents, type: string, body: Body): AsyncGenerator<Uint8Array | string> {
  const separator = type === STREAMS[0] ? '\n\n' : '\n'
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of body) {
    const whole = (rest + (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }))).split(separator)
    rest = whole.pop()!
    for (const event of whole) {
      const data = separator === '\n' ? event : fieldOf(event, 'data')
      if (isJson(data)) checkText(schemaOf(events, event), data)
    }
    yield piece
  }
}

/** Throws for a text message that `schema` does not describe. Binary messages are sound. */
export function strictMessage<T extends string | Uint8Array>(schema: z.ZodType, message: T): T {
  if (typeof message === 'string' && isJson(message)) checkText(schema, message)
  return message
}

/** True for events that have names. */
export const haveNames = (events: z.ZodType | NamedEvents | undefined): events is NamedEvents =>
  events !== undefined && !(events instanceof z.ZodType)

/** The schema of the data of this event. Throws for an event whose name the contract does not have. */
function schemaOf(events: z.ZodType | NamedEvents, event: string): z.ZodType {
  if (!haveNames(events)) return events
  const name = fieldOf(event, 'event')
  const schema = Object.hasOwn(events, name) ? events[name] : undefined
  if (!schema) throw new Error(`The stream has an event named '${name}', which its contract does not describe.`)
  return schema
}

const fieldOf = (event: string, field: 'data' | 'event'): string =>
  event
    .split('\n')
    .flatMap((line) => (line.startsWith(`${field}:`) ? [line.slice(field.length + 1).trimStart()] : []))
    .join('\n')

const isJson = (text: string): boolean => /^[[{]/.test(text) && text !== '[DONE]'
const checkText = (schema: z.ZodType, json: string): unknown => strictReply(schema, JSON.parse(json))
