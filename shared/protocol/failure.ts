// Every way a task or a request can fail is a row here. HTTP status, retry and blame follow from the row; nobody branches on text.

/** transient, timeout: retry elsewhere and charge the worker. capability, capacity: retry, charge nobody. terminal, protocol: no retry. */
export type FailureClass = 'transient' | 'capability' | 'capacity' | 'timeout' | 'terminal' | 'protocol'
type Row = { readonly class: FailureClass; readonly http: number; readonly hint: string }

export const FAILURES = {
  WORKER_AT_CAPACITY: { class: 'capacity', http: 503, hint: 'The machine was busy; the task goes to the next free one.' },
  WORKER_UNREACHABLE: { class: 'capacity', http: 503, hint: 'Check that the machine is on and its agent runs.' },
  PINNED_WORKER_UNREACHABLE: { class: 'capacity', http: 503, hint: 'The chosen machine is away. Wake it, or choose local or auto.' },
  MODEL_NOT_INSTALLED: { class: 'capability', http: 409, hint: 'Install the engine on that machine.' },
  MODEL_NOT_DOWNLOADED: { class: 'capability', http: 409, hint: 'Download the model on that machine.' },
  INSUFFICIENT_MEMORY: { class: 'capability', http: 503, hint: 'The model does not fit; choose a smaller one or another machine.' },
  OPERATION_UNSUPPORTED: { class: 'capability', http: 400, hint: 'The engine does not do this operation.' },
  NO_CAPABLE_WORKER: {
    class: 'capability',
    http: 503,
    hint: 'No enrolled and approved machine can run this. GET /workers tells why for each.',
  },
  INPUT_TRANSFER_UNSUPPORTED: { class: 'capability', http: 503, hint: 'The agent is too old to receive files; update it.' },
  CONSENT_MISSING: { class: 'capability', http: 409, hint: 'Approve the machine first: POST /workers/{id}/consent.' },
  ACCEPT_TIMEOUT: { class: 'timeout', http: 503, hint: 'The machine did not answer the offer in time.' },
  MODEL_LOAD_TIMEOUT: { class: 'timeout', http: 503, hint: 'Loading the model took too long; try again when it is warm.' },
  EXECUTION_TIMEOUT: { class: 'timeout', http: 503, hint: 'The work took longer than its budget; send less text at once.' },
  PROGRESS_LEASE_EXPIRED: { class: 'timeout', http: 503, hint: 'The machine stopped reporting progress.' },
  RESULT_DELIVERY_TIMEOUT: { class: 'timeout', http: 503, hint: 'The result did not arrive in time; check the link.' },
  INPUT_FETCH_TIMEOUT: { class: 'timeout', http: 503, hint: 'The input did not reach the machine in time; check the link.' },
  TASK_DEADLINE_EXCEEDED: { class: 'timeout', http: 504, hint: 'The deadline passed before the work was done; allow more time.' },
  INPUT_FETCH_FAILED: { class: 'transient', http: 502, hint: 'The input did not reach the machine.' },
  INPUT_CORRUPT: { class: 'transient', http: 502, hint: 'The input arrived damaged.' },
  INVALID_RESULT: {
    class: 'transient',
    http: 502,
    hint: 'The machine sent a result that cannot be used; the task goes to another machine.',
  },
  RESULT_UPLOAD_FAILED: { class: 'transient', http: 502, hint: 'The result did not arrive.' },
  WORKER_FAILED: { class: 'transient', http: 502, hint: 'The engine failed on that machine; its log says more.' },
  ENGINE_CRASHED: { class: 'transient', http: 502, hint: 'The engine process died; it is started again for the next task.' },
  ENGINE_HUNG: { class: 'transient', http: 502, hint: 'The engine process stopped answering and was killed.' },
  NON_FINITE_OUTPUT: { class: 'transient', http: 502, hint: 'The engine produced invalid samples; try another seed or precision.' },
  WORKER_DISCONNECTED: { class: 'transient', http: 503, hint: 'The link to the machine broke and it did not come back in time.' },
  WORKER_DRAINING: { class: 'capacity', http: 503, hint: 'The machine is stopping; the task goes elsewhere.' },
  SERVER_RESTART: { class: 'transient', http: 503, hint: 'The studio was restarted.' },
  OFFSET_MISMATCH: { class: 'transient', http: 502, hint: 'A part of the result was missing.' },
  SIZE_MISMATCH: { class: 'transient', http: 502, hint: 'The result has not the announced size.' },
  DIGEST_MISMATCH: { class: 'transient', http: 502, hint: 'The result was damaged on the way.' },
  UPLOAD_INCOMPLETE: { class: 'transient', http: 502, hint: 'The result ended early.' },
  UNKNOWN: { class: 'transient', http: 500, hint: 'An unexpected fault; the log has the details.' },
  INVALID_TASK_PARAMS: { class: 'terminal', http: 400, hint: 'Correct the parameters named in the message.' },
  MODEL_REF_REJECTED: { class: 'terminal', http: 400, hint: 'Name a model of the catalogue; paths and URLs are refused.' },
  RESULT_TOO_LARGE: { class: 'terminal', http: 502, hint: 'Send less at once.' },
  ARTIFACT_TOO_LARGE: { class: 'terminal', http: 413, hint: 'One artifact may have at most 1 GiB.' },
  INPUT_UNAVAILABLE: { class: 'terminal', http: 409, hint: 'The input is gone; send it again.' },
  CANCELLED: { class: 'terminal', http: 409, hint: 'The task was cancelled.' },
  WORKER_REMOVED: { class: 'capacity', http: 503, hint: 'The machine was removed; the task goes elsewhere.' },
  PINNED_WORKER_EXHAUSTED: { class: 'terminal', http: 503, hint: 'The chosen machine failed several times. Try local.' },
  SESSION_EXPIRED: { class: 'protocol', http: 502, hint: 'The agent connects again by itself.' },
  STALE_EPOCH: { class: 'protocol', http: 409, hint: 'A newer attempt is under way.' },
  STALE_ATTEMPT: { class: 'protocol', http: 409, hint: 'A newer attempt is under way.' },
  UPGRADE_REQUIRED: { class: 'protocol', http: 426, hint: 'Update the older of the two programs.' },
  WORKER_REVOKED: { class: 'protocol', http: 403, hint: 'This machine was removed from the studio; join again with a new code.' },
  AUTH_FAILED: { class: 'protocol', http: 401, hint: 'The peer is not who it should be; join again with a new code.' },
  // Of requests rather than of tasks.
  INVALID_REQUEST: { class: 'terminal', http: 422, hint: 'Correct the fields named in the message.' },
  BAD_REQUEST: { class: 'terminal', http: 400, hint: 'Correct the request as the message says.' },
  NOT_FOUND: { class: 'terminal', http: 404, hint: 'Check the id.' },
  FORBIDDEN: { class: 'terminal', http: 403, hint: 'This route answers the studio machine itself only.' },
  UNAUTHORIZED: { class: 'terminal', http: 401, hint: 'Send the API key as a bearer token.' },
  CONFLICT: { class: 'terminal', http: 409, hint: 'The message says what stands in the way.' },
  IDEMPOTENCY_CONFLICT: { class: 'terminal', http: 409, hint: 'This idempotency key was used with another body; use a new key.' },
  BODY_TOO_LARGE: { class: 'terminal', http: 413, hint: 'Send a smaller body.' },
  QUEUE_FULL: { class: 'capacity', http: 429, hint: 'Too much work is waiting; try again later.' },
  STORAGE_FULL: { class: 'terminal', http: 507, hint: 'The disk of the studio is full or not writable; free some space.' },
  NOT_READY: { class: 'capacity', http: 503, hint: 'The studio is starting or stopping; try again in a moment.' },
} as const satisfies Record<string, Row>

export type FailureCode = keyof typeof FAILURES
export const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(FAILURES, code)
const RETRYABLE: ReadonlySet<FailureClass> = new Set(['transient', 'capability', 'capacity', 'timeout'])
export const isRetryable = (code: FailureCode): boolean => RETRYABLE.has(FAILURES[code].class)

/** The one error class that crosses rooms. `detail` is shown to the caller as it is; `cause` only to the log. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly detail: unknown
  readonly headers: Readonly<Record<string, string>> | undefined

  constructor(code: FailureCode, message: string, more: { cause?: unknown; detail?: unknown; headers?: Record<string, string> } = {}) {
    super(message, { cause: more.cause })
    this.name = 'Failure'
    this.code = code
    this.detail = more.detail
    this.headers = more.headers
  }

  get hint(): string {
    return FAILURES[this.code].hint
  }

  /** The only normaliser: a Failure stays what it is, anything else becomes `code` with its text as cause. */
  static from(error: unknown, code: FailureCode = 'UNKNOWN'): Failure {
    if (error instanceof Failure) return error
    return new Failure(code, error instanceof Error ? error.message : String(error), { cause: error })
  }
}
