// Reads the first bytes of a socket and pushes back the unused ones, so that TLS receives the stream unchanged.
import type { Socket } from 'node:net'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'

export const TLS_HANDSHAKE_BYTE = 0x16

/**
 * Resolves with the bytes read so far as soon as `enough` accepts them. Rejects with BAD_REQUEST after more than `maxBytes`, and with
 * WORKER_UNREACHABLE on a timeout or when the socket ended; the socket stays with its owner.
 */
function peek(socket: Socket, enough: (bytes: Buffer) => boolean, limits: { maxBytes: number; ms: number; clock: Clock }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0)
    const settle = (settled: () => void) => {
      cancelTimer()
      socket.off('readable', read).off('end', ended).off('close', ended).off('error', ended)
      settled()
    }
    const ended = () => settle(() => reject(new Failure('WORKER_UNREACHABLE', 'The connection was closed before any data arrived.')))
    const read = () => {
      for (let chunk = socket.read() as Buffer | null; chunk !== null; chunk = socket.read() as Buffer | null)
        bytes = Buffer.concat([bytes, chunk])
      if (bytes.length > 0 && enough(bytes)) return settle(() => resolve(bytes))
      if (bytes.length > limits.maxBytes) settle(() => reject(new Failure('BAD_REQUEST', 'The connection began with too many bytes.')))
    }
    const cancelTimer = limits.clock.after(limits.ms, () =>
      settle(() => reject(new Failure('WORKER_UNREACHABLE', 'The connection sent no data in time.'))),
    )
    // A destroyed socket emits no further events.
    if (socket.destroyed) return ended()
    socket.on('readable', read).on('end', ended).on('close', ended).on('error', ended)
  })
}

/** The first byte; it stays in the stream. */
export async function peekByte(socket: Socket, ms: number, clock: Clock): Promise<number> {
  const bytes = await peek(socket, () => true, { maxBytes: Number.POSITIVE_INFINITY, ms, clock })
  socket.unshift(bytes)
  return bytes[0]!
}

/** The bytes so far as soon as `enough` accepts them; they stay in the stream. */
export async function peekUntil(
  socket: Socket,
  enough: (bytes: Buffer) => boolean,
  limits: { maxBytes: number; ms: number; clock: Clock },
): Promise<Buffer> {
  const bytes = await peek(socket, enough, limits)
  socket.unshift(bytes)
  return bytes
}

/** One line of UTF-8 of at most `maxBytes` including its line feed, removed from the stream; returned without the line feed. */
export async function readLine(socket: Socket, limits: { maxBytes: number; ms: number; clock: Clock }): Promise<string> {
  const lineIn = (bytes: Buffer) => bytes.subarray(0, limits.maxBytes).indexOf(10)
  const bytes = await peek(socket, (read) => lineIn(read) >= 0, limits)
  const end = lineIn(bytes)
  if (end + 1 < bytes.length) socket.unshift(bytes.subarray(end + 1))
  return bytes.toString('utf8', 0, end)
}
