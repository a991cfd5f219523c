// Clients of `/v1/realtime`: the official one through TLS, which it insists on, and one that sends any message.
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { createServer } from 'node:tls'
import { WebSocket } from 'ws'
import { selfSigned } from '../services/self-signed.ts'
import type { Ending } from '../world/process.ts'
import type { World } from '../world/world.ts'

export type ServerEvent = {
  readonly type: string
  readonly event_id: string
  readonly item_id?: string
  readonly previous_item_id?: string | null
  readonly item?: { readonly id: string }
  readonly session?: any
  readonly error?: any
  readonly audio_start_ms?: number
  readonly transcript?: string
  readonly languages?: readonly { readonly code: string }[]
  readonly usage?: { readonly seconds: number }
}

/** The address of the studio behind TLS, which changes no byte. */
export async function behindTls(t: Ending, world: World): Promise<string> {
  const { key, certificate: cert } = selfSigned(['127.0.0.1'])
  const { port, hostname } = new URL(world.url)
  const server = createServer({ key, cert }, (client) => {
    const studio = connect(Number(port), hostname)
    client.on('error', () => studio.destroy()).pipe(studio)
    studio.on('error', () => client.destroy()).pipe(client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Collects events, and waits for the first one that fits. */
export function createEventList(closed: Promise<unknown>) {
  const received: ServerEvent[] = []
  const waiting = new Set<() => void>()
  let from = 0
  return {
    received,
    add(event: ServerEvent): void {
      received.push(event)
      for (const look of waiting) look()
    },
    /** The next event of the type, after the one that was last waited for; rejects when the socket closes before it. */
    next: (type: string): Promise<ServerEvent> =>
      new Promise((resolve, reject) => {
        const look = () => {
          const at = received.findIndex((event, index) => index >= from && event.type === type)
          if (at < 0) return
          from = at + 1
          waiting.delete(look)
          resolve(received[at]!)
        }
        waiting.add(look)
        look()
        void closed.then(() => reject(new Error(`closed before ${type}: ${JSON.stringify(received.slice(from))}`)))
      }),
  }
}

export async function connectRealtime(world: World, query = 'intent=transcription&model=tone', headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}/v1/realtime?${query}`, { headers })
  socket.on('error', () => {})
  const closed = once(socket, 'close') as Promise<[number, Buffer]>
  const events = createEventList(closed)
  socket.on('message', (data: Buffer) => events.add(JSON.parse(data.toString()) as ServerEvent))
  await Promise.race([once(socket, 'open'), closed])
  const send = (event: unknown) =>
    new Promise<void>((resolve) => socket.send(typeof event === 'string' ? event : JSON.stringify(event), () => resolve()))
  return {
    ...events,
    socket,
    closed,
    send,
    /** In events of 50 ms of PCM, as LiveKit sends them. */
    async speak(pcm: Buffer, piece = 2_400): Promise<void> {
      for (let at = 0; at < pcm.length; at += piece)
        await send({ type: 'input_audio_buffer.append', audio: pcm.subarray(at, at + piece).toString('base64') })
    },
  }
}
