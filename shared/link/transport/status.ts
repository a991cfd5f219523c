// Failures on the wire: the code is metadata beside the gRPC status, so that neither end parses messages.
import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import { saidCode } from '#shared/protocol/fields/peer-codes.ts'

const CODE_KEY = 'failure-code'
const REASON_KEY = 'failure-reason'
const MESSAGE_LENGTH = 2000

// For peers and tools without the failure table. Codes that are missing here become INTERNAL.
const STATUS: Partial<Record<FailureCode, status>> = {
  AUTH_FAILED: status.UNAUTHENTICATED,
  WORKER_REVOKED: status.PERMISSION_DENIED,
  FORBIDDEN: status.PERMISSION_DENIED,
  CONSENT_MISSING: status.PERMISSION_DENIED,
  UPGRADE_REQUIRED: status.FAILED_PRECONDITION,
  CONFLICT: status.ALREADY_EXISTS,
  NOT_FOUND: status.NOT_FOUND,
  STALE_EPOCH: status.ABORTED,
  STALE_ATTEMPT: status.ABORTED,
  CANCELLED: status.CANCELLED,
  BAD_REQUEST: status.INVALID_ARGUMENT,
  INVALID_TASK_PARAMS: status.INVALID_ARGUMENT,
  OPERATION_UNSUPPORTED: status.UNIMPLEMENTED,
  QUEUE_FULL: status.RESOURCE_EXHAUSTED,
  WORKER_AT_CAPACITY: status.RESOURCE_EXHAUSTED,
  INSUFFICIENT_MEMORY: status.RESOURCE_EXHAUSTED,
  NOT_READY: status.UNAVAILABLE,
  WORKER_DRAINING: status.UNAVAILABLE,
  TASK_DEADLINE_EXCEEDED: status.DEADLINE_EXCEEDED,
  EXECUTION_TIMEOUT: status.DEADLINE_EXCEEDED,
}

type VisibleFailure = { readonly code: FailureCode; readonly message: string; readonly reason: string }

/** The part of an error that a peer receives. The message of an unexpected one is not sent, because it may contain file names or inputs. */
export function visibleFailure(error: unknown): VisibleFailure {
  if (!(error instanceof Failure)) return { code: 'UNKNOWN', message: 'An unexpected fault at the other end. See its log.', reason: '' }
  const reason = (error.detail as { reason?: unknown } | undefined)?.reason
  return { code: error.code, message: error.message, reason: isWord(reason) ? reason : '' }
}
const isWord = (reason: unknown): reason is string => typeof reason === 'string' && /^[a-z-]{1,40}$/.test(reason)

/** The status to send. */
export function grpcStatusOf(error: unknown): StatusObject & Error {
  const { code, message, reason } = visibleFailure(error)
  const metadata = new Metadata()
  metadata.set(CODE_KEY, code)
  if (reason !== '') metadata.set(REASON_KEY, reason)
  return Object.assign(new Error(message), { code: STATUS[code] ?? status.INTERNAL, details: message, metadata })
}

// Codes for a status that the library produced without the peer.
const CODE: Partial<Record<status, FailureCode>> = {
  [status.UNAUTHENTICATED]: 'AUTH_FAILED',
  [status.PERMISSION_DENIED]: 'AUTH_FAILED',
  [status.UNAVAILABLE]: 'WORKER_DISCONNECTED',
  [status.DEADLINE_EXCEEDED]: 'WORKER_UNREACHABLE',
  [status.UNIMPLEMENTED]: 'UPGRADE_REQUIRED',
  [status.CANCELLED]: 'CANCELLED',
  [status.RESOURCE_EXHAUSTED]: 'RESULT_TOO_LARGE',
}

/** A failure that a peer reports, with one of the codes that it may say. `detail` is `{ reason }` if the reason is a word. */
export function saidFailure(said: { code: string; message: string; reason: string }, allowed: readonly FailureCode[], cause?: unknown) {
  const detail = isWord(said.reason) ? { reason: said.reason } : undefined
  return new Failure(saidCode(said.code, allowed), cleanLine(said.message.slice(0, MESSAGE_LENGTH)), { cause, detail })
}

/** Same as `saidFailure`, for a received status, which is also the peer's statement. */
export function failureOfGrpc(error: ServiceError, allowed: readonly FailureCode[]): Failure {
  const code = String(error.metadata?.get(CODE_KEY)[0] ?? '') || (CODE[error.code] ?? 'UNKNOWN')
  const reason = String(error.metadata?.get(REASON_KEY)[0] ?? '')
  return saidFailure({ code, message: error.details || error.message, reason }, allowed, error)
}
