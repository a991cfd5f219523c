// One line in each direction before TLS, on a connection that an agent opened. It is a hint: it selects the expected peer and spares a refused
// agent the handshake. Only the certificate authenticates the agent.
import { ID_PATTERN } from '#shared/pki/inspect.ts'
import { Failure } from '#shared/protocol/failure.ts'

export const PREAMBLE_LIMIT_BYTES = 80
export const PREAMBLE_FIRST_BYTE = 'S'.charCodeAt(0)
const PROTOCOL = 'SVA1'

/** `revoked` and `unknown` are permanent, the others temporary. */
export const SESSION_REFUSALS = ['revoked', 'unknown', 'disabled', 'busy', 'quarantined'] as const
export type SessionRefusal = (typeof SESSION_REFUSALS)[number]

export const formatPreamble = (workerId: string): string => `${PROTOCOL} ${workerId}\n`

/** The worker id, or null when the line is not a preamble. */
export function parsePreamble(line: string): string | null {
  const [protocol, workerId = '', ...rest] = line.split(' ')
  return protocol === PROTOCOL && rest.length === 0 && ID_PATTERN.test(workerId) ? workerId : null
}

/** The server name in the hello of a renewing machine: its claimed id, before any cryptography. */
export const renewalName = (workerId: string): string => `${workerId}${RENEWAL}`
const RENEWAL = '.renewal.studio'
export function renewingWorkerIn(serverName: string): string | null {
  const id = serverName.endsWith(RENEWAL) ? serverName.slice(0, -RENEWAL.length) : ''
  return ID_PATTERN.test(id) ? id : null
}

/** The longest wait that a port may ask for. It is unauthenticated, so it must not keep a machine away for long. */
export const LATER_LIMIT_SECONDS = 300
const LATER = /^SVA1 later ([1-9][0-9]{0,2})$/

export const formatAnswer = (answer: 'ok' | SessionRefusal): string => (answer === 'ok' ? `${PROTOCOL} ok\n` : `${PROTOCOL} no ${answer}\n`)
/** The port is at its limit. Programs from before this answer take it for the answer of another server and retry with backoff. */
export const formatLater = (seconds: number): string =>
  `${PROTOCOL} later ${Math.min(LATER_LIMIT_SECONDS, Math.max(1, Math.ceil(seconds)))}\n`

/**
 * Null when the studio accepts the session, otherwise the reason. `detail` is `{ reason }`. Only a port at its limit sets
 * `retryAfterSeconds`, from 1 to LATER_LIMIT_SECONDS.
 */
export function parseAnswer(line: string, address: string): Failure | null {
  if (line === `${PROTOCOL} ok`) return null
  const seconds = Number(LATER.exec(line)?.[1])
  if (seconds <= LATER_LIMIT_SECONDS)
    return new Failure('NOT_READY', 'The studio has too many connections at the moment. This machine tries again shortly.', {
      detail: { reason: 'later' },
      retryAfterSeconds: seconds,
    })
  const reason = SESSION_REFUSALS.find((word) => line === `${PROTOCOL} no ${word}`)
  if (!reason) return new Failure('WORKER_UNREACHABLE', `The server at ${address} is not a studio.`)
  return new Failure(REFUSALS[reason][0], REFUSALS[reason][1], { detail: { reason } })
}

const REFUSALS = {
  revoked: ['WORKER_REVOKED', 'The studio has removed this machine.'],
  unknown: ['AUTH_FAILED', 'The studio does not recognise this machine. Join again with a new code.'],
  disabled: ['NOT_READY', 'The studio has disabled this machine.'],
  busy: ['NOT_READY', 'The studio is busy.'],
  quarantined: ['NOT_READY', 'Two machines use the same key. The owner of the studio must approve one of them.'],
} as const
