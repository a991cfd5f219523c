// The frames of the Wyoming protocol: a line of JSON with two lengths, then as many bytes of JSON and of sound. Pure.
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'

export type WyomingEvent = {
  readonly type: string
  /** Fields of the line and of the JSON after it. Not checked yet. */
  readonly data: Readonly<Record<string, unknown>>
  readonly payload: Buffer
}

const LINE_BYTES = 64 * 1024
const DATA_BYTES = 512 * 1024
const PAYLOAD_BYTES = 1024 * 1024
const NEWLINE = 0x0a
const NOTHING = Buffer.alloc(0)

const Data = z.record(z.string(), z.unknown())
const length = (most: number) => z.int().min(0).max(most).nullish()
const Line = z.object({
  type: z.string().min(1).max(64),
  data: Data.nullish(),
  data_length: length(DATA_BYTES),
  payload_length: length(PAYLOAD_BYTES),
})
type Line = z.output<typeof Line>

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function lineOf(bytes: Buffer): Line {
  const { success, data, error } = Line.safeParse(jsonOf(bytes))
  if (success) return data
  const field = error.issues[0]!.path.join('.')
  const wrong = field === '' ? 'it is not a JSON object' : `its field ${field} is invalid`
  throw new Failure('BAD_REQUEST', `The line of an event cannot be read: ${wrong}.`)
}

function dataOf({ data, data_length: length }: Line, body: Buffer): WyomingEvent['data'] {
  if (!length) return data ?? {}
  const { success, data: more } = Data.safeParse(jsonOf(body.subarray(0, length)))
  if (!success) throw new Failure('BAD_REQUEST', 'The data of an event is not a JSON object.')
  return { ...data, ...more }
}

/** Reads events from bytes that arrive in any pieces. */
export function createEventReader() {
  let parts: Buffer[] = []
  let size = 0
  let line: Line | null = null

  function add(bytes: Buffer): void {
    parts.push(bytes)
    size += bytes.length
  }
  function whole(): Buffer {
    const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = []
    size = 0
    return all
  }
  /** The bytes after the line; null while it has not ended. */
  function readLine(bytes: Buffer): Buffer | null {
    const end = bytes.indexOf(NEWLINE)
    add(end < 0 ? bytes : bytes.subarray(0, end))
    if (size > LINE_BYTES) throw new Failure('BAD_REQUEST', `The line of an event is longer than ${LINE_BYTES / 1024} KiB.`)
    if (end < 0) return null
    line = lineOf(whole())
    return bytes.subarray(end + 1)
  }

  return {
    /** True while the rest of an event is awaited. */
    isWithin: (): boolean => size > 0 || line !== null,
    /** The events that are complete. Throws BAD_REQUEST, after which nothing can be read any more. */
    *push(bytes: Buffer): Generator<WyomingEvent> {
      for (let rest: Buffer | null = bytes; rest !== null && (rest.length > 0 || line !== null); ) {
        if (line === null) {
          rest = readLine(rest)
          continue
        }
        const { type, data_length, payload_length }: Line = line
        const missing = (data_length ?? 0) + (payload_length ?? 0) - size
        if (missing > 0) add(rest.subarray(0, missing))
        if (rest.length < missing) return
        rest = rest.subarray(missing)
        const body = whole()
        const data = dataOf(line, body)
        line = null
        yield { type, data, payload: body.subarray(data_length ?? 0) }
      }
    },
  }
}

/** The bytes of an event. */
export function bytesOfEvent(type: string, data: Readonly<Record<string, unknown>> = {}, payload: Uint8Array = NOTHING): Buffer {
  const json = Buffer.from(Object.keys(data).length > 0 ? JSON.stringify(data) : '')
  const line = {
    type,
    ...(json.length > 0 && { data_length: json.length }),
    ...(payload.length > 0 && { payload_length: payload.length }),
  }
  return Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), json, payload])
}
