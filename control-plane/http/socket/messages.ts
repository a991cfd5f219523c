// The messages of one client, as an iterator that reads no further than its consumer. A client that sends faster than its messages are
// taken is slowed down by TCP: at most QUEUED_BYTES and one read of the connection are in memory.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'

/** A text message is a string. */
export type SocketMessage = string | Buffer
/** The part of a WebSocket that is used here. */
type Source = {
  readonly isPaused: boolean
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown
  pause(): void
  resume(): void
}
type Parts = {
  readonly clock: Clock
  /** Longest silence of the client while a message is awaited. */
  readonly idleMs: number
  readonly signal: AbortSignal
  /** Aborted when no more messages are wanted: the iterator ends after those that have arrived. */
  readonly last: AbortSignal
}

const QUEUED_BYTES = 256 * 1024
/** Small messages take more memory than their bytes. */
const QUEUED_MESSAGES = 64

/** Must be called before the first message can arrive. The iterator ends when the signal aborts, and throws REQUEST_TIMEOUT. */
export function messagesOf(socket: Source, { clock, idleMs, signal, last }: Parts): AsyncIterable<SocketMessage> {
  const queue: SocketMessage[] = []
  let bytes = 0
  let wake = () => {}

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (signal.aborted || last.aborted) return
    queue.push(isBinary ? data : data.toString('utf8'))
    bytes += data.length
    if (bytes >= QUEUED_BYTES || queue.length >= QUEUED_MESSAGES) socket.pause()
    wake()
  })
  const end = () => wake()
  signal.addEventListener('abort', end)
  last.addEventListener('abort', end)
  signal.addEventListener('abort', () => last.removeEventListener('abort', end))

  /** False when no message came in time. */
  const arrival = (): Promise<boolean> =>
    new Promise((resolve) => {
      const forget = clock.after(idleMs, () => resolve(false))
      wake = () => {
        forget()
        resolve(true)
      }
    })

  return {
    async *[Symbol.asyncIterator]() {
      while (!signal.aborted) {
        const message = queue.shift()
        if (message !== undefined) {
          bytes -= message.length
          yield message
          continue
        }
        if (last.aborted) return
        bytes = 0
        if (socket.isPaused) socket.resume()
        if (!(await arrival())) throw new Failure('REQUEST_TIMEOUT', `No message arrived for ${Math.round(idleMs / 1000)} seconds.`)
      }
    },
  }
}
