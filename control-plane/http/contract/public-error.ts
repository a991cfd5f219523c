// The errors of the public API, which its routes send beside `detail`, and of one route whose clients read a sentence in `error`. Pure.
import { FAILURES, type FailureCode } from '#shared/protocol/failure.ts'
import type { ErrorReply } from './errors.ts'

export type PublicError = {
  readonly message: string
  readonly type: string
  /** The wrong field; null unless there is one. */
  readonly param: string | null
  readonly code: string
}
/** One entry of a validation list, or another structured detail. */
type Detail = { readonly loc?: readonly unknown[]; readonly msg?: unknown; readonly message?: unknown; readonly error?: unknown }

/** Its clients expect `{error: string}`. */
const WITH_SENTENCE = '/dub/translate'

type Refusal = Pick<ErrorReply, 'status' | 'body'>

/** The answer to a failed request to `url`: with the error object, and 400 for an invalid field, if the route belongs to the public API. */
export function withPublicError(url: string, code: FailureCode, { status, body }: Refusal): Refusal {
  if (url.startsWith('/v1/')) {
    const reply = { status: status === 422 ? 400 : status, body }
    return { ...reply, body: { ...body, error: publicError(code, reply) } }
  }
  const isWithSentence = url.split('?', 1)[0] === WITH_SENTENCE
  return { status, body: isWithSentence ? { ...body, error: publicError(code, { status, body }).message } : body }
}

export function publicError(code: FailureCode, { status, body: { detail } }: Refusal): PublicError {
  const [first, ...others] = (Array.isArray(detail) ? detail : [detail]) as [unknown, ...unknown[]]
  const { loc, msg, message: told, error } = (typeof first === 'object' && first !== null ? first : {}) as Detail
  const param = loc && loc.length > 1 ? loc.slice(1).join('.') : null
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  const texts = [typeof msg === 'string' ? `${param === null ? '' : `${param}: `}${msg}${more}` : null, told, first]
  return {
    message: texts.find((text): text is string => typeof text === 'string') ?? FAILURES[code].hint,
    type: typeOf(status),
    param,
    code: typeof error === 'string' ? error : code.toLowerCase(),
  }
}

/** The types that clients of the public API know. */
function typeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return 'rate_limit_error'
  return status >= 500 ? 'server_error' : 'invalid_request_error'
}
