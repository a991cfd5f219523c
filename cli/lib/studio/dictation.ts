// A dictation on the socket of the running studio, which goes on after a restart of the studio.
import { setTimeout as pause } from 'node:timers/promises'
import { LiveMessage } from '#control-plane/features/listening/dictation/live/messages.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMANDS_AGENT } from '#shared/protocol/version.ts'
import type { Environment } from '../command.ts'
import { holdSound } from '../sound/held-sound.ts'
import { studioAddress } from './address.ts'
import { readNow } from './api.ts'
import { isBack, sayOnce } from './restart.ts'

/** Bytes that wait to be sent, beyond which the sound waits. */
const WAITING_BYTES = 256 * 1024
const WAIT_MS = 20
const PIECE_BYTES = 64 * 1024
const SAMPLE_BYTES = 2
/** Length of the sound that is kept while the studio starts again. */
const KEPT_SECONDS = 60
/** A rest of the sound that is not worth another connection. */
const REST_SECONDS = 0.3
/** The code with which a studio closes that stops, and may start again. */
const RESTART = 1012
/** Longest time in which a studio that has started finds its recogniser, and the time between two tries. */
const [READY_MS, AGAIN_MS] = [60_000, 1_000]
/** The constructor of Node takes headers, which that of browsers does not. */
type Connect = new (url: string, options: { readonly headers: Readonly<Record<string, string>> }) => WebSocket

type Wanted = {
  readonly sound: AsyncIterable<Uint8Array>
  /** Hz of sound that is 16-bit PCM, which can be continued after a restart; null for another format. */
  readonly rate: number | null
  /** Query of the socket. */
  readonly query: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Reads the sound ahead of a connection, from its first `begin` on. `most`: bytes that are kept while there is no studio, the newest ones */
function readSound(sound: AsyncIterable<Uint8Array>, most: number) {
  const kept = holdSound(most)
  const state = { isBegun: false, isOver: false, failure: null as unknown, isSending: true }
  const reading = async () => {
    for await (const bytes of sound)
      for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
        kept.push(bytes.subarray(at, at + PIECE_BYTES))
        // A file comes faster than it is used; a microphone does not wait for a studio that is not there.
        while (state.isSending && !kept.isAllSent()) await pause(WAIT_MS)
      }
  }
  const read = async () => {
    if (state.isBegun) return
    state.isBegun = true
    await reading().catch((error: unknown) => {
      state.failure = error
    })
    state.isOver = true
  }
  return { kept, state, begin: () => void read() }
}
type Reading = ReturnType<typeof readSound>

/** Sends what is kept until the end of the sound, or of the socket. */
async function sent(socket: WebSocket, { kept, state }: Reading): Promise<void> {
  const isOpen = () => socket.readyState === WebSocket.OPEN
  while (isOpen()) {
    if (state.failure !== null) return socket.close()
    if (!kept.isAllSent() && socket.bufferedAmount <= WAITING_BYTES) socket.send(kept.take(PIECE_BYTES))
    else if (state.isOver && kept.isAllSent()) return socket.send('EOF')
    else await pause(WAIT_MS)
  }
}

/** `used`: bytes of the sound that the studio has used, null for all; `isReady`: whether it had a recogniser; `refusal`: an error that was left out */
type Ended = {
  readonly code: number
  readonly reason: string
  readonly used: number | null
  readonly isReady: boolean
  readonly refusal: LiveMessage | null
}

/** One connection. Returns how it ended. Errors before the studio is ready are left out while `isPatient`. */
async function* connected(
  env: Environment,
  { rate, query, signal }: Wanted,
  reading: Reading,
  used: number | null,
  isPatient: boolean,
): AsyncGenerator<LiveMessage, Ended> {
  const { isSecure, host, port, base } = studioAddress(env)
  const url = `${isSecure ? 'wss' : 'ws'}://${host.includes(':') ? `[${host}]` : host}:${port}${base}/ws/transcribe?${new URLSearchParams(query)}`
  const key = env['STUDIO_API_KEY']
  const socket = new (WebSocket as unknown as Connect)(url, {
    headers: { 'user-agent': COMMANDS_AGENT, ...(key && { authorization: `Bearer ${key}` }) },
  })
  const arrived: LiveMessage[] = []
  let wake = () => {}
  let closed: { readonly code: number; readonly reason: string } | null = null
  const end = (code: number, reason: string) => {
    closed ??= { code, reason }
    reading.state.isSending = false
    wake()
  }
  socket.onmessage = ({ data }) => {
    const message = LiveMessage.safeParse(JSON.parse(String(data)))
    if (message.success) arrived.push(message.data)
    wake()
  }
  socket.onclose = ({ code, reason }) => end(code, reason)
  socket.onerror = () => end(0, '')
  const stop = () => socket.close()
  signal.addEventListener('abort', stop, { once: true })
  let isOpen = false
  socket.onopen = () => {
    isOpen = true
    reading.kept.begin(used)
    reading.state.isSending = true
    reading.begin()
    void sent(socket, reading)
  }
  let isReady = false
  let seconds: number | null = null
  let refusal: LiveMessage | null = null
  try {
    for (;;) {
      for (const message of arrived.splice(0)) {
        if (message.type === 'status' && message.stage === 'ready') {
          isReady = true
          sayLost(reading, rate)
        }
        if (message.type === 'final' && message.used_s !== undefined) seconds = message.used_s
        if (message.type !== 'error' || isReady || !isPatient) yield message
        else refusal = message
      }
      if (closed !== null && arrived.length === 0) break
      if (arrived.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    }
    const { code, reason } = closed as { code: number; reason: string }
    const now = seconds === null || rate === null ? null : Math.round(seconds * rate) * SAMPLE_BYTES
    return { code, reason, isReady, refusal, used: !isOpen ? used : isReady ? now : 0 }
  } finally {
    signal.removeEventListener('abort', stop)
    socket.close()
  }
}

function sayLost({ kept }: Reading, rate: number | null): void {
  const lost = rate === null ? 0 : Math.round(kept.lost() / SAMPLE_BYTES / rate)
  if (lost > 0) sayOnce(`${lost} second${lost === 1 ? '' : 's'} of sound were lost while the studio was away.`)
}

/**
 * The messages until the last one. Throws NOT_READY without a studio, and for one that goes away before the end of the sound and does not come back.
 * A refusal of the studio is the last message.
 */
export async function* dictated(env: Environment, wanted: Wanted): AsyncGenerator<LiveMessage> {
  const { rate, signal } = wanted
  // A refusal, and a studio that is not there, have sentences here; a socket has none.
  await readNow(env, '/dictation/models')
  const reading = readSound(wanted.sound, rate === null ? PIECE_BYTES : rate * SAMPLE_BYTES * KEPT_SECONDS)
  let used: number | null = null
  for (let until = 0; ; ) {
    const ended: Ended = yield* connected(env, wanted, reading, used, performance.now() < until)
    signal.throwIfAborted()
    if (reading.state.failure) throw reading.state.failure
    used = ended.used
    if (ended.isReady) until = 0
    const isRestarted = ended.code === RESTART && rate !== null
    const { kept, state } = reading
    const isUsed = used === null ? kept.isAllSent() : kept.after(used) <= REST_SECONDS * SAMPLE_BYTES * (rate ?? 0)
    const isDone = state.isOver && isUsed
    if (isRestarted && !isDone && (await isBack(env, signal))) until = performance.now() + READY_MS
    else if (performance.now() < until) await pause(AGAIN_MS, undefined, { signal })
    else if (ended.refusal) return yield ended.refusal
    else if (isDone) return
    else throw new Failure('NOT_READY', `The dictation ended: ${ended.reason || 'the connection to the studio was lost.'}`)
  }
}
