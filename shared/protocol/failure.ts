// All failures of tasks and requests. HTTP status, retry and blame follow from the row; code never branches on messages.
import type { ModelNeed } from './fields/model-need.ts'
import { COMMAND } from './version.ts'

/** transient, timeout: retry elsewhere and charge the worker. capability, capacity: retry without a charge. terminal, protocol: no retry. */
export type FailureClass = 'transient' | 'capability' | 'capacity' | 'timeout' | 'terminal' | 'protocol'
type Row = {
  readonly class: FailureClass
  readonly http: number
  readonly hint: string
  /** A status of 500 or more for a request that the studio refuses because something is not set up or not there; it works as it should. */
  readonly isRefusal?: true
}

export const FAILURES = {
  WORKER_AT_CAPACITY: { class: 'capacity', http: 503, hint: 'The machine was busy. The task goes to the next free one.' },
  WORKER_UNREACHABLE: { class: 'capacity', http: 503, hint: 'The machine did not answer. Check that it is on and its agent is running.' },
  PINNED_WORKER_UNREACHABLE: {
    class: 'capacity',
    http: 503,
    hint: 'The chosen machine is offline, or the engine is not installed on it. Turn it on or install the engine, or choose local or auto.',
  },
  MODEL_NOT_INSTALLED: { class: 'capability', http: 409, hint: 'The engine is not installed. Install it on that machine.' },
  FILES_NOT_PRIVATE: {
    class: 'capability',
    http: 409,
    hint: 'Other users could change the program of this engine. Correct the owner and the access rights as described in the message.',
  },
  MODEL_NOT_DOWNLOADED: { class: 'capability', http: 409, hint: 'The model is not installed. Download it on that machine.' },
  MODEL_DIGEST_MISMATCH: {
    class: 'capability',
    http: 409,
    hint: 'The machine has another version of the model. Install the same version there, or choose another machine.',
  },
  INSUFFICIENT_MEMORY: {
    class: 'capability',
    http: 503,
    isRefusal: true,
    hint: 'The model does not fit into memory. Choose a smaller one or another machine.',
  },
  OPERATION_UNSUPPORTED: { class: 'capability', http: 400, hint: 'The engine does not support this operation. Choose another engine.' },
  NO_CAPABLE_WORKER: {
    class: 'capability',
    http: 503,
    isRefusal: true,
    hint: `No enrolled and approved machine can run this. ${COMMAND} workers shows the state of each.`,
  },
  INPUT_TRANSFER_UNSUPPORTED: {
    class: 'capability',
    http: 503,
    isRefusal: true,
    hint: 'The agent is too old to receive files. Update it.',
  },
  CONSENT_MISSING: {
    class: 'capability',
    http: 409,
    hint: `The machine is not approved. Approve it first with ${COMMAND} workers approve NAME.`,
  },
  ACCEPT_TIMEOUT: { class: 'timeout', http: 503, hint: 'The machine did not answer the offer in time. The task goes to another one.' },
  MODEL_LOAD_TIMEOUT: { class: 'timeout', http: 503, hint: 'Loading the model took too long. Try again once it is loaded.' },
  EXECUTION_TIMEOUT: { class: 'timeout', http: 503, hint: 'The task exceeded its time budget. Send less text at once.' },
  PROGRESS_LEASE_EXPIRED: { class: 'timeout', http: 503, hint: 'The machine stopped reporting progress. Check its log.' },
  RESULT_DELIVERY_TIMEOUT: { class: 'timeout', http: 503, hint: 'The result did not arrive in time. Check the network to the machine.' },
  INPUT_FETCH_TIMEOUT: {
    class: 'timeout',
    http: 503,
    hint: 'The input did not reach the machine in time. Check the network to the machine.',
  },
  TASK_DEADLINE_EXCEEDED: { class: 'timeout', http: 504, hint: 'The deadline passed before the task finished. Allow more time.' },
  INPUT_FETCH_FAILED: { class: 'transient', http: 502, hint: 'The input did not reach the machine. Check the network to the machine.' },
  INPUT_CORRUPT: { class: 'transient', http: 502, hint: 'The input arrived damaged. Send it again.' },
  INVALID_RESULT: { class: 'transient', http: 502, hint: 'The machine sent an invalid result. The task goes to another one.' },
  RESULT_UPLOAD_FAILED: { class: 'transient', http: 502, hint: 'The result did not arrive. Check the network to the machine.' },
  WORKER_FAILED: { class: 'transient', http: 502, hint: 'The engine failed on that machine. See its log.' },
  WORKER_REJECTED: {
    class: 'capability',
    http: 502,
    hint: 'The machine does not accept the request, and no other machine could be asked. Correct it as the machine says, or choose another machine.',
  },
  ENGINE_CRASHED: { class: 'transient', http: 502, hint: 'The engine process died. It is restarted for the next task.' },
  ENGINE_HUNG: {
    class: 'transient',
    http: 502,
    hint: 'The engine process stopped responding and was killed. It is restarted for the next task.',
  },
  NON_FINITE_OUTPUT: { class: 'transient', http: 502, hint: 'The engine produced invalid samples. Try another seed or precision.' },
  WORKER_DISCONNECTED: {
    class: 'transient',
    http: 503,
    hint: 'The link to the machine was lost and not restored in time. Check its network.',
  },
  WORKER_DRAINING: { class: 'capacity', http: 503, hint: 'The machine is stopping. The task goes to another one.' },
  SERVER_RESTART: { class: 'transient', http: 503, hint: 'The studio was restarted. Send the request again if it was not resumed.' },
  OFFSET_MISMATCH: { class: 'transient', http: 502, hint: 'A part of the result was missing. The task is tried again.' },
  SIZE_MISMATCH: { class: 'transient', http: 502, hint: 'The result size does not match the announced size. The task is tried again.' },
  DIGEST_MISMATCH: { class: 'transient', http: 502, hint: 'The result was damaged in transit. The task is tried again.' },
  UPLOAD_INCOMPLETE: { class: 'transient', http: 502, hint: 'The result ended early. The task is tried again.' },
  UNKNOWN: { class: 'transient', http: 500, hint: 'An unexpected fault occurred. See the log for details.' },
  INTERNAL: { class: 'terminal', http: 500, hint: 'A defect of the studio prevented this. Report it with the log of the studio.' },
  JOB_SET_ASIDE: {
    class: 'terminal',
    http: 500,
    hint: 'The input of the job is kept. Report the log of the studio, and try the job again after an update.',
  },
  RECOGNITION_FAILED: {
    class: 'terminal',
    http: 500,
    hint: 'The recording was not transcribed. The message gives the reason. Test an endpoint in the settings.',
  },
  INVALID_TASK_PARAMS: { class: 'terminal', http: 400, hint: 'The parameters are invalid. Correct those named in the message.' },
  MODEL_REF_REJECTED: {
    class: 'terminal',
    http: 400,
    hint: 'The model is not in the catalogue. Use an id of the catalogue, not a path or URL.',
  },
  RESULT_TOO_LARGE: { class: 'terminal', http: 502, hint: 'The result is too large. Send less at once.' },
  ARTIFACT_TOO_LARGE: { class: 'terminal', http: 413, hint: 'An artifact is larger than 1 GiB. Send less at once.' },
  INPUT_UNAVAILABLE: { class: 'terminal', http: 409, hint: 'The input was deleted. Send it again.' },
  CANCELLED: { class: 'terminal', http: 409, hint: 'The task was cancelled.' },
  WORKER_REMOVED: { class: 'capacity', http: 503, hint: 'The machine was removed. The task goes to another one.' },
  PINNED_WORKER_EXHAUSTED: {
    class: 'terminal',
    http: 503,
    isRefusal: true,
    hint: 'The chosen machine failed several times. Choose local or another machine.',
  },
  SESSION_EXPIRED: { class: 'protocol', http: 502, hint: 'The session has expired. The agent reconnects automatically.' },
  STALE_EPOCH: { class: 'protocol', http: 409, hint: 'A newer attempt is running. Wait for its result.' },
  STALE_ATTEMPT: { class: 'protocol', http: 409, hint: 'A newer attempt is running. Wait for its result.' },
  UPGRADE_REQUIRED: { class: 'protocol', http: 426, hint: 'The versions of the two programs differ too much. Update the older one.' },
  WORKER_REVOKED: { class: 'protocol', http: 403, hint: 'This machine was removed from the studio. Join again with a new code.' },
  AUTH_FAILED: { class: 'protocol', http: 401, hint: 'The peer could not prove its identity. Join again with a new code.' },
  // Failures of requests.
  INVALID_REQUEST: { class: 'terminal', http: 422, hint: 'The request is invalid. Correct the fields named in the message.' },
  BAD_REQUEST: { class: 'terminal', http: 400, hint: 'The request is invalid. Correct it as described in the message.' },
  NOT_FOUND: { class: 'terminal', http: 404, hint: 'It does not exist. Check its id, name or path.' },
  MODEL_NOT_FOUND: { class: 'terminal', http: 404, hint: 'No engine has this name. GET /v1/models lists the names that can be used now.' },
  METHOD_NOT_ALLOWED: { class: 'terminal', http: 405, hint: 'The Allow header lists the methods of this path.' },
  FORBIDDEN: { class: 'terminal', http: 403, hint: 'The request is not allowed. The message gives the reason.' },
  UNAUTHORIZED: { class: 'terminal', http: 401, hint: 'The API key is missing or wrong. Send it as a bearer token.' },
  OTHER_LOCAL_USER: {
    class: 'terminal',
    http: 403,
    hint: 'Send the API key of the studio, or run the program as the user who runs the studio.',
  },
  PIN_REQUIRED: {
    class: 'terminal',
    http: 401,
    hint: 'The PIN is missing or wrong. The studio shows it on its own machine while sharing is on.',
  },
  TOO_MANY_WRONG_PINS: { class: 'terminal', http: 429, hint: 'Check the PIN on the machine of the studio.' },
  TOO_MANY_WRONG_KEYS: { class: 'terminal', http: 429, hint: 'Check the API key. The right key works at once.' },
  CONFLICT: {
    class: 'terminal',
    http: 409,
    hint: 'The request conflicts with the current state. Resolve the conflict described in the message.',
  },
  IDEMPOTENCY_CONFLICT: { class: 'terminal', http: 409, hint: 'This idempotency key was used with another body. Use a new key.' },
  BODY_TOO_LARGE: { class: 'terminal', http: 413, hint: 'The request body is too large. Send a smaller one.' },
  HEADERS_TOO_LARGE: { class: 'terminal', http: 431, hint: 'Send fewer or shorter headers. A browser may hold old cookies for this host.' },
  REQUEST_TIMEOUT: { class: 'terminal', http: 408, hint: 'The request arrived too slowly. Check the network and send it again.' },
  QUEUE_FULL: { class: 'capacity', http: 429, hint: 'Too many requests are waiting. Try again later.' },
  QUOTA_EXCEEDED: {
    class: 'terminal',
    http: 429,
    hint: 'The owner of the studio can change the limits of a person.',
  },
  STORAGE_FULL: { class: 'terminal', http: 507, hint: 'The disk of the studio is full or not writable. Free some space.' },
  STORAGE_UNAVAILABLE: {
    class: 'capacity',
    http: 503,
    hint: 'The store of the audio files does not answer. Try again in a moment. Its operator checks the store and the network to it.',
  },
  LOG_UNREADABLE: {
    class: 'terminal',
    http: 500,
    hint: 'Check the owner and the access rights of the files in the folder logs of the data directory.',
  },
  VIDEO_FETCH_FAILED: {
    class: 'terminal',
    http: 500,
    isRefusal: true,
    hint: 'Video pages are read with yt-dlp. Install or update it with the media tools, or upload a recording instead.',
  },
  HOST_NOT_FOUND: {
    class: 'terminal',
    http: 502,
    isRefusal: true,
    hint: 'Check the address, and the connection of the studio to the Internet, or upload the file instead.',
  },
  DOWNLOAD_REFUSED: {
    class: 'terminal',
    http: 502,
    isRefusal: true,
    hint: 'Another server sent something that is not used. Choose another item, or ask its publisher to correct it.',
  },
  MEDIA_TYPE_UNSUPPORTED: {
    class: 'terminal',
    http: 415,
    hint: 'Files of this type are not accepted. Send one of those that the message names.',
  },
  REMOTE_SERVICE_FAILED: {
    class: 'terminal',
    http: 502,
    isRefusal: true,
    hint: 'A service on the network refused the request or did not answer. Check its address and key in the settings.',
  },
  LANGUAGE_MODEL_MISSING: {
    class: 'terminal',
    http: 503,
    isRefusal: true,
    hint: 'Choose a provider of language models in the settings, and turn on the skill that needs it.',
  },
  PROGRAM_MISSING: {
    class: 'terminal',
    http: 501,
    isRefusal: true,
    hint: 'Install the program that the message names on the machine of the studio.',
  },
  PROGRAM_FAILED: {
    class: 'transient',
    http: 500,
    hint: 'A program that the studio uses did not run as it should. The log of the studio gives the reason.',
  },
  PROGRAM_KILLED: {
    class: 'transient',
    http: 503,
    hint: 'A program of the studio was ended from outside, often for want of memory. Free some memory, then try again.',
  },
  NOT_READY: { class: 'capacity', http: 503, hint: 'The studio is starting or stopping. Try again in a moment.' },
  VOICE_UNAVAILABLE: {
    class: 'terminal',
    http: 503,
    isRefusal: true,
    hint: 'The voice is not available. Follow the message, then try again.',
  },
} as const satisfies Record<string, Row>

export type FailureCode = keyof typeof FAILURES
export const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(FAILURES, code)
const RETRYABLE: ReadonlySet<FailureClass> = new Set(['transient', 'capability', 'capacity', 'timeout'])
/** True if the studio or its machines failed, as opposed to the request, what is not set up, or a lack of free machines. */
export function isFault(code: FailureCode): boolean {
  const row: Row = FAILURES[code]
  return row.http >= 500 && row.class !== 'capacity' && row.isRefusal !== true
}
export const isRetryable = (code: FailureCode): boolean => RETRYABLE.has(FAILURES[code].class)

/** Their hints only say that the message says what to do, so clients do not receive them. */
const SAY_ALL: ReadonlySet<FailureCode> = new Set(['INVALID_REQUEST', 'BAD_REQUEST', 'NOT_FOUND', 'FORBIDDEN', 'CONFLICT'])
const usualHint = (code: FailureCode): string => (SAY_ALL.has(code) ? '' : FAILURES[code].hint)

/** Names and figures of a failure, for clients that have their own sentences: machine, engine, program, host, limit, seconds. */
export type FailureValues = Readonly<Record<string, string | number>>

type FailureDetails = {
  cause?: unknown
  detail?: unknown
  retryAfterSeconds?: number
  isRemote?: boolean
  hint?: string
  needs?: ModelNeed | undefined
  values?: FailureValues
}

/** The only error class between modules. The caller receives `detail` unchanged; `cause` goes only to the log. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly detail: unknown
  /** When a new attempt makes sense, if that is known; absent: the usual wait of the code. */
  readonly retryAfterSeconds: number | undefined
  /** The chosen borrowed machine failed. Clients then offer to use this machine. */
  readonly isRemote: boolean
  /** Action for the user: the usual sentence of the code, or a more exact one; empty if the message says it. */
  readonly hint: string
  /** The model that is missing; clients offer its installation. */
  readonly needs: ModelNeed | undefined
  /** Absent without any. */
  readonly values: FailureValues | undefined

  constructor(code: FailureCode, message: string, more: FailureDetails = {}) {
    super(message, { cause: more.cause })
    this.name = 'Failure'
    this.code = code
    this.detail = more.detail
    this.retryAfterSeconds = more.retryAfterSeconds
    this.isRemote = more.isRemote ?? false
    const hint = more.hint ?? usualHint(code)
    this.hint = hint === message ? '' : hint
    // An explained failure lacks what its cause lacks.
    this.needs = more.needs ?? (more.cause instanceof Failure ? more.cause.needs : undefined)
    this.values = more.values ?? (more.cause instanceof Failure && more.cause.code === code ? more.cause.values : undefined)
  }

  /** Returns a Failure unchanged; any other error becomes `code` with its message, and is kept as cause. */
  static from(error: unknown, code: FailureCode = 'UNKNOWN'): Failure {
    if (error instanceof Failure) return error
    return new Failure(code, error instanceof Error ? error.message : String(error), { cause: error })
  }
}
