// The id of a request: a header of its answer and a field of its log line, so that a user can name the request that failed.
import type { Random } from '#shared/runtime/random.ts'

export const REQUEST_ID = 'x-request-id'
export type NewRequestId = () => string
const BYTES = 12

export const createRequestIds =
  ({ hex }: Pick<Random, 'hex'>): NewRequestId =>
  () =>
    `req_${hex(BYTES)}`
