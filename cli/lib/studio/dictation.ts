// A dictation on the socket of the running studio.
import { setTimeout as pause } from 'node:timers/promises'
import { LiveMessage } from '#control-plane/features/listening/dictation/live/messages.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMANDS_AGENT } from '#shared/protocol/version.ts'
import type { Environment } from '../command.ts'
import { studioAddress } from './address.ts'
import { readNow } from './api.ts'

/** Bytes that wait to be sent, beyond which the sound waits. */
const WAITING_BYTES = 256 * 1024
const WAIT_MS = 20
const PIECE_BYTES = 64 * 1024
/** The constructor of Node takes headers, which that of browsers does not. */
type Connect = new (url: string, options: { readonly headers: Readonly<Record<string, string>> }) => WebSocket

type Wanted = {
  readonly sound: AsyncIterable<Uint8Array>
  /** Query of the socket. */
  readonly query: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** The messages until the last one. Throws NOT_READY without a studio, and what the studio says when the dictation fails. */
export async function* dictated(env: Environment, { sound, query, signal }: Wanted): AsyncGenerator<LiveMessage> {
  // A refusal, and a studio that is not there, have sentences here; a socket has none.
  await readNow(env, '/dictation/models')
  const { isSecure, host, port, base } = studioAddress(env)
  const url = `${isSecure ? 'wss' : 'ws'}://${host.includes(':') ? `[${host}]` : host}:${port}${base}/ws/transcribe?${new URLSearchParams(query)}`
  const key = env['STUDIO_API_KEY']
  const socket = new (WebSocket as unknown as Connect)(url, {
    headers: { 'user-agent': COMMANDS_AGENT, ...(key && { authorization: `Bearer ${key}` }) },
  })
  const arrived: LiveMessage[] = []
  let wake = () => {}
  let closed: string | null = null
  let failed: unknown = null
  const end = (reason: string) => {
    closed ??= reason
    wake()
  }
  socket.onmessage = ({ data }) => {
    const message = LiveMessage.safeParse(JSON.parse(String(data)))
    if (message.success) arrived.push(message.data)
    wake()
  }
  socket.onclose = ({ reason }) => end(reason)
  socket.onerror = () => end('')
  const stop = () => socket.close()
  signal.addEventListener('abort', stop, { once: true })
  socket.onopen = () =>
    void sent(socket, sound).catch((error: unknown) => {
      failed = error
      socket.close()
    })
  try {
    for (;;) {
      for (const message of arrived.splice(0)) yield message
      if (closed !== null && arrived.length === 0) break
      if (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    }
    signal.throwIfAborted()
    if (failed) throw failed
    if (closed) throw new Failure('NOT_READY', `The dictation ended: ${closed}`)
  } finally {
    signal.removeEventListener('abort', stop)
    socket.close()
  }
}

async function sent(socket: WebSocket, sound: AsyncIterable<Uint8Array>): Promise<void> {
  const isOpen = () => socket.readyState === WebSocket.OPEN
  for await (const bytes of sound)
    for (let at = 0; at < bytes.length && isOpen(); at += PIECE_BYTES) {
      socket.send(new Uint8Array(bytes.subarray(at, at + PIECE_BYTES)))
      while (isOpen() && socket.bufferedAmount > WAITING_BYTES) await pause(WAIT_MS)
    }
  if (isOpen()) socket.send('EOF')
}
