// The failure codes that another program may say. A code decides the HTTP status, the retry and the blame, and a peer chooses its codes
// freely: any other code is a failure of the peer itself.
import { z } from 'zod'
import type { FailureCode } from '../failure.ts'

/** Codes with which an agent may decline an offer: the task is as good as before, and goes elsewhere. */
const DECLINES = [
  'WORKER_AT_CAPACITY',
  'WORKER_DRAINING',
  'NOT_READY',
  'CONSENT_MISSING',
  'MODEL_NOT_INSTALLED',
  'MODEL_NOT_DOWNLOADED',
  'MODEL_DIGEST_MISMATCH',
  'FILES_NOT_PRIVATE',
  'INSUFFICIENT_MEMORY',
  'OPERATION_UNSUPPORTED',
] as const satisfies readonly FailureCode[]

export const isDecline = (code: FailureCode): code is (typeof DECLINES)[number] => DECLINES.some((each) => each === code)

/** Faults of its own that an agent may name. */
const FAULTS = [
  'WORKER_FAILED',
  'ENGINE_CRASHED',
  'ENGINE_HUNG',
  'NON_FINITE_OUTPUT',
  'INPUT_CORRUPT',
  'INPUT_FETCH_FAILED',
  'INPUT_FETCH_TIMEOUT',
] as const satisfies readonly FailureCode[]

/** Claims that the request is wrong. The studio has validated it, so the word of one machine is no proof: see attempt-receiver.ts. */
const CLAIMS = [
  'INVALID_TASK_PARAMS',
  'MODEL_REF_REJECTED',
  'RESULT_TOO_LARGE',
  'ARTIFACT_TOO_LARGE',
  'RECOGNITION_FAILED',
] as const satisfies readonly FailureCode[]
export type RequestClaim = (typeof CLAIMS)[number]
export const isClaim = (code: FailureCode): code is RequestClaim => CLAIMS.some((claim) => claim === code)
/** True if the request was rejected: by this machine, by two others, or by the only one that could be asked. */
export const isRejection = (code: FailureCode): boolean => code === 'WORKER_REJECTED' || isClaim(code)

/** Codes of an attempt. The studio compares the last two with its own state. */
export const ATTEMPT_CODES = [...DECLINES, ...FAULTS, ...CLAIMS, 'CANCELLED', 'TASK_DEADLINE_EXCEEDED'] as const
export type AttemptCode = (typeof ATTEMPT_CODES)[number]
/** Codes of an installation. */
export const INSTALL_CODES = [
  'MODEL_REF_REJECTED',
  'STORAGE_FULL',
  'INPUT_FETCH_FAILED',
  'INPUT_CORRUPT',
  'BAD_REQUEST',
  'NOT_FOUND',
  'CONFLICT',
  'CONSENT_MISSING',
  'WORKER_FAILED',
  'WORKER_DISCONNECTED',
  'CANCELLED',
] as const satisfies readonly FailureCode[]
/** Codes with which an agent may answer a request of the owner: a response of the studio may have the status of one of these. */
export const REPLY_CODES: readonly FailureCode[] = [
  ...DECLINES,
  'WORKER_FAILED',
  'INVALID_TASK_PARAMS',
  'MODEL_REF_REJECTED',
  'RESULT_TOO_LARGE',
  'NOT_FOUND',
  'CONFLICT',
  'CANCELLED',
  'UPGRADE_REQUIRED',
  'WORKER_DISCONNECTED',
  'WORKER_UNREACHABLE',
]
/** Codes with which an agent may end the call of an attempt. UNKNOWN: the attempt may go on without the call. */
export const RUN_CODES: readonly FailureCode[] = [...REPLY_CODES, 'STALE_EPOCH', 'STALE_ATTEMPT', 'UNKNOWN']
/** Codes of the issuer of certificates, a studio or a machine that listens. */
export const ENROLMENT_CODES: readonly FailureCode[] = [
  'AUTH_FAILED',
  'WORKER_REVOKED',
  'UPGRADE_REQUIRED',
  'BAD_REQUEST',
  'INVALID_TASK_PARAMS',
  'CONFLICT',
  'NOT_FOUND',
  'QUEUE_FULL',
  'NOT_READY',
  'STORAGE_FULL',
  'WORKER_DISCONNECTED',
  'WORKER_UNREACHABLE',
  'CANCELLED',
  'UNKNOWN',
]

/** The code that a peer said, or WORKER_FAILED for one that it may not say. */
export const saidCode = <Code extends FailureCode>(code: string, allowed: readonly Code[]): Code | 'WORKER_FAILED' =>
  allowed.find((each) => each === code) ?? 'WORKER_FAILED'

/** A failure code of a message: parsed as `saidCode`. */
export const codeField = <Code extends FailureCode>(allowed: readonly Code[]) =>
  z
    .string()
    .regex(/^[A-Z_]{1,64}$/)
    .transform((code): Code | 'WORKER_FAILED' => saidCode(code, allowed))
