// Requests that fetch cannot send (a custom Host, malformed bodies), and responses with their timing.
import { once } from 'node:events'
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as open } from 'node:http'
import type { Ending } from './process.ts'

export type Sent = {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string | Uint8Array
}
export type Arrived = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** From the call to the first byte of the body, and to its end, in milliseconds. */
  readonly firstMs: number
  readonly totalMs: number
  readonly json: () => any
}

/** Sends exactly these headers. The response may arrive before the body was sent. */
export async function request(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Arrived> {
  const startedAt = performance.now()
  const agent = new Agent({ keepAlive: true }) // like ordinary clients; closed after this call
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const call = open(url, { method, agent, headers: { ...length, ...headers } })
  const response = once(call, 'response') as Promise<[IncomingMessage]>
  call.end(body)
  const [answer] = await response
  call.on('error', () => {}) // the studio may close the connection before it has read everything
  const pieces: Buffer[] = []
  let firstMs = 0
  for await (const piece of answer) {
    firstMs ||= performance.now() - startedAt
    pieces.push(piece)
  }
  agent.destroy()
  const bytes = Buffer.concat(pieces)
  return {
    status: answer.statusCode!,
    headers: answer.headers,
    body: bytes,
    firstMs,
    totalMs: performance.now() - startedAt,
    json: () => JSON.parse(bytes.toString()),
  }
}

/** A multipart form; a Buffer becomes a file. */
export function form(fields: Readonly<Record<string, string | number | boolean | Buffer<ArrayBuffer>>>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (Buffer.isBuffer(value)) data.set(name, new Blob([value]), `${name}.wav`)
    else data.set(name, String(value))
  }
  return data
}

export type EventFrame = { readonly kind: string; readonly ts: number; readonly action?: string; readonly id?: string }

/** Follows /ws/events. Resolves when the socket is open; the list grows with each frame of this kind. */
export async function listenEvents(t: Ending, url: string, kind: string): Promise<EventFrame[]> {
  const socket = new globalThis.WebSocket(`${url.replace('http', 'ws')}/ws/events`)
  t.after(() => socket.close())
  const frames: EventFrame[] = []
  socket.onmessage = ({ data }) => {
    const frame = JSON.parse(data as string) as EventFrame
    if (frame.kind === kind) frames.push(frame)
  }
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  return frames
}
