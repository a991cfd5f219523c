// The class under which a report lists an error. It follows from the failure code and the system error, never from a message. Pure.
import type { Failure, FailureCode } from '#shared/protocol/failure.ts'

export const ERROR_CLASSES = [
  'GPU_OOM',
  'PYANNOTE_LICENSE_REQUIRED',
  'HF_AUTH_FAILED',
  'DISK_FULL',
  'FFMPEG_MISSING',
  'NETWORK_ERROR',
  'UNKNOWN',
] as const
export type ErrorClass = (typeof ERROR_CLASSES)[number]

const BY_CODE: Partial<Record<FailureCode, ErrorClass>> = {
  INSUFFICIENT_MEMORY: 'GPU_OOM',
  STORAGE_FULL: 'DISK_FULL',
  INPUT_FETCH_FAILED: 'NETWORK_ERROR',
  INPUT_FETCH_TIMEOUT: 'NETWORK_ERROR',
  RESULT_UPLOAD_FAILED: 'NETWORK_ERROR',
  RESULT_DELIVERY_TIMEOUT: 'NETWORK_ERROR',
  WORKER_DISCONNECTED: 'NETWORK_ERROR',
}
const BY_ERRNO: Readonly<Record<string, ErrorClass>> = {
  ENOSPC: 'DISK_FULL',
  EDQUOT: 'DISK_FULL',
  EROFS: 'DISK_FULL',
  ENOTFOUND: 'NETWORK_ERROR',
  EAI_AGAIN: 'NETWORK_ERROR',
  ECONNREFUSED: 'NETWORK_ERROR',
  ECONNRESET: 'NETWORK_ERROR',
  ETIMEDOUT: 'NETWORK_ERROR',
  ENETUNREACH: 'NETWORK_ERROR',
  EHOSTUNREACH: 'NETWORK_ERROR',
}
/** Causes of causes; a chain can be a ring. */
const MAX_CAUSES = 5

export function errorClassOf(error: unknown): ErrorClass {
  let one: unknown = error
  for (let level = 0; level < MAX_CAUSES && typeof one === 'object' && one !== null; level++) {
    const { code, cause } = one as Partial<Failure> & { readonly code?: string }
    const found = code === undefined ? undefined : (BY_CODE[code as FailureCode] ?? BY_ERRNO[code])
    if (found) return found
    one = cause
  }
  return 'UNKNOWN'
}
