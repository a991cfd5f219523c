// Clients of one studio at different addresses of this machine, and the programs that their requests start.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request as open } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { WebSocket } from 'ws'
import type { Ending } from '../world/process.ts'
import type { World } from '../world/world.ts'

type Answer = { readonly status: number; readonly headers: IncomingMessage['headers']; readonly body: Buffer }
type Body = FormData | string | Uint8Array | Record<string, unknown>
export type Neighbour = ReturnType<typeof neighbourAt>

/** A client at `address`, any of 127.0.0.0/8, that sends `headers` with every request. */
export function neighbourAt(t: Ending, world: Pick<World, 'url'>, address: string, headers: Record<string, string> = {}) {
  const { hostname: host, port } = new URL(world.url)
  const over = new AbortController()
  t.after(() => over.abort())

  /** Rejects when the studio closes the connection, and when `signal` aborts. */
  async function send(method: string, path: string, body?: Body, more: Record<string, string> = {}, signal?: AbortSignal): Promise<Answer> {
    const encoded = await encodedOf(body)
    const call = open({
      ...{ host, port, method, path, localAddress: address, agent: false },
      signal: signal ? AbortSignal.any([signal, over.signal]) : over.signal,
      headers: { ...headers, ...encoded.headers, ...more },
    })
    const response = once(call, 'response') as Promise<[IncomingMessage]>
    call.end(encoded.bytes)
    const [answer] = await response
    call.on('error', () => {}) // the studio may close the connection before it has read everything
    return { status: answer.statusCode!, headers: answer.headers, body: await buffer(answer) }
  }

  return {
    send,
    post: (path: string, body?: Body, signal?: AbortSignal) => send('POST', path, body, {}, signal),
    /** An open socket, or one that the studio has closed: then with the code and the reason. */
    async socket(path: string): Promise<{ readonly socket: WebSocket; readonly refused: readonly [number, string] | null }> {
      const socket = new WebSocket(`ws://${host}:${port}${path}`, { headers, localAddress: address })
      t.after(() => socket.terminate())
      socket.on('error', () => {})
      let refused: readonly [number, string] | null = null
      const closed = new Promise<void>((resolve) => {
        socket.on('close', (code: number, reason: Buffer) => {
          refused = [code, String(reason)]
          resolve()
        })
      })
      const isOpen = await Promise.race([once(socket, 'open').then(() => true), closed.then(() => false)])
      if (!isOpen) return { socket, refused }
      // A refusal follows the handshake at once; the answer to a ping follows the refusal.
      const answered = new Promise<void>((resolve) => socket.once('pong', () => resolve()))
      socket.ping()
      await Promise.race([answered, closed])
      return { socket, refused }
    },
  }
}

async function encodedOf(
  body: Body | undefined,
): Promise<{ readonly headers: Record<string, string>; readonly bytes: Uint8Array | undefined }> {
  if (body === undefined) return { headers: {}, bytes: undefined }
  if (body instanceof FormData) {
    const form = new Response(body)
    const bytes = new Uint8Array(await form.arrayBuffer())
    return { headers: { 'content-type': form.headers.get('content-type')!, 'content-length': String(bytes.length) }, bytes }
  }
  const bytes = body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return { headers: { 'content-type': 'application/json', 'content-length': String(bytes.length) }, bytes }
}

/** Process ids of the programs that `pid` runs and whose command line contains `text`. */
export function programsOf(pid: number, text: string): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes(text))
  } catch {
    return [] // one has ended meanwhile
  }
}
