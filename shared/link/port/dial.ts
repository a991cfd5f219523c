// The agent opens the connection to its studio: dial, say who calls, wait until the studio takes the session. TLS comes after, as server.
import type { Socket } from 'node:net'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type Address, connectTo, formatAddress } from '../transport/address.ts'
import { readLine } from '../transport/peek.ts'
import { formatPreamble, PREAMBLE_LIMIT_BYTES, parseAnswer } from './preamble.ts'

/**
 * A socket for `AgentEndpoint.inject`. Rejects with WORKER_UNREACHABLE naming the address, WORKER_REVOKED, AUTH_FAILED (not known there)
 * or NOT_READY (switched off or busy: try later).
 */
export async function dialStudio(
  address: Address,
  workerId: string,
  options: { readonly clock: Clock; readonly timeoutMs: number; readonly signal?: AbortSignal },
): Promise<Socket> {
  const socket = await connectTo(address, options)
  const giveUp = () => void socket.destroy()
  options.signal?.addEventListener('abort', giveUp, { once: true })
  try {
    socket.write(formatPreamble(workerId))
    const line = await readLine(socket, { maxBytes: PREAMBLE_LIMIT_BYTES, ms: options.timeoutMs, clock: options.clock })
    const refusal = parseAnswer(line, formatAddress(address))
    if (refusal) throw refusal
    return socket
  } catch (error) {
    socket.destroy()
    const failure = Failure.from(error)
    // Whatever was wrong with the line, what the user can check is the address.
    if (failure.code !== 'BAD_REQUEST' && failure.code !== 'WORKER_UNREACHABLE') throw failure
    throw new Failure('WORKER_UNREACHABLE', `No studio answers at ${formatAddress(address)}: ${failure.message}`, { cause: error })
  } finally {
    options.signal?.removeEventListener('abort', giveUp)
  }
}
