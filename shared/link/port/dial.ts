// The agent dials its studio: it sends the preamble and waits until the studio accepts the session. TLS follows, with the agent as server.
import type { Socket } from 'node:net'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type Address, connectTo, formatAddress } from '../transport/address.ts'
import { readLine } from '../transport/peek.ts'
import { formatPreamble, PREAMBLE_LIMIT_BYTES, parseAnswer } from './preamble.ts'

/**
 * A socket for `AgentEndpoint.inject`. Rejects with WORKER_UNREACHABLE that contains the address, WORKER_REVOKED, AUTH_FAILED (unknown to
 * the studio) or NOT_READY (disabled or busy: try later, after `retryAfterSeconds` where it is set).
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
    // For any malformed answer, the user can only check the address.
    if (failure.code !== 'BAD_REQUEST' && failure.code !== 'WORKER_UNREACHABLE') throw failure
    throw new Failure('WORKER_UNREACHABLE', `No studio answers at ${formatAddress(address)}: ${failure.message}`, { cause: error })
  } finally {
    options.signal?.removeEventListener('abort', giveUp)
  }
}
