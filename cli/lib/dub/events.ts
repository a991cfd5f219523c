// Server-sent events of the studio, with or without names.

import type { Readable } from 'node:stream'
import { z } from 'zod'
import { COMMAND } from '#shared/protocol/version.ts'
import { responseLines } from '../studio/api.ts'

const StudioEvent = z.looseObject({ type: z.string() })
export type StudioEvent = z.output<typeof StudioEvent>

/** Parses the stored text of an event. */
export const parsedEvent = (payload: string): StudioEvent => StudioEvent.parse(JSON.parse(payload.replace(/^data: /, '')))

/** An event with a name has it as its type. Comments are left out. `onId` gets the id of an event after the event. */
export async function* eventsIn(stream: Readable, onId: (id: string) => void = () => {}): AsyncGenerator<StudioEvent> {
  let name: string | null = null
  let id = ''
  for await (const line of responseLines(stream)) {
    if (line === '') {
      if (id !== '') onId(id)
      name = null
    } else if (line.startsWith('id:')) id = line.slice('id:'.length).trim()
    else if (line.startsWith('event:')) name = line.slice('event:'.length).trim()
    else if (line.startsWith('data:')) {
      const fields: unknown = JSON.parse(line.slice('data:'.length))
      yield StudioEvent.parse(name === null ? fields : { ...(fields as object), type: name })
    }
  }
}

/** The sentence of an event that reports a failure or a warning. */
export function sentenceOfEvent(event: StudioEvent): string {
  for (const key of ['message', 'detail', 'reason', 'error']) if (typeof event[key] === 'string' && event[key] !== '') return event[key]
  return `The studio gave no reason. Its log says more: ${COMMAND} logs`
}
