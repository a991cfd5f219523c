// Turns a failure into a response. Texts come from the failure table; the cause is logged and never sent.
import type { Socket } from 'node:net'
import { FAILURES, Failure, isRetryable } from '#shared/protocol/failure.ts'
import { STATUS_CODES } from '#shared/runtime/builtin/http.ts'
import { isDiskError, isStorageError } from '#shared/runtime/file.ts'
import { limitText } from '../input/form.ts'
import { unreadable } from '../input/validation.ts'
import { REQUEST_ID } from './request-id.ts'
import { noticeHeaders } from './respond.ts'

export type ErrorReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Record<string, unknown>
}

const WAIT_SECONDS = 30

export function replyFor(failure: Failure): ErrorReply {
  const { http } = FAILURES[failure.code]
  const { hint, needs } = failure
  // The missing model, and names and figures, for clients that have their own sentences.
  const values = { ...failure.values, ...(failure.retryAfterSeconds !== undefined && { seconds: failure.retryAfterSeconds }) }
  const facts = { code: failure.code, ...(needs && { needs }), ...(Object.keys(values).length > 0 && { values }) }
  const waits = http === 429 || http === 503
  const seconds = failure.retryAfterSeconds ?? (waits ? WAIT_SECONDS : null)
  const headers = {
    ...(seconds !== null && { 'retry-after': String(seconds) }),
    ...(waits && isRetryable(failure.code) && { 'x-svc-retryable': 'true' }),
    ...(failure.isRemote && noticeHeaders({ routing: 'remote_failed', reason: failure.message })),
  }
  // Some failures have a structured detail (validation list, task, missing model). All others send a sentence and a hint.
  if (failure.detail !== undefined) return { status: http, headers, body: { detail: failure.detail, ...facts } }
  const isUnexpected = failure.code === 'UNKNOWN'
  const body = {
    detail: messageFor(failure),
    ...(isUnexpected && { error_class: 'UNKNOWN' }),
    ...(hint !== '' && { hint }),
    ...facts,
  }
  return { status: http, headers, body }
}

/** Message for a client: the one of an unexpected error may contain paths. */
export const messageFor = ({ code, message }: Failure): string =>
  code === 'UNKNOWN' ? 'An unexpected error occurred in the studio.' : message

/** Maps errors of fastify, its plugins and the disk to failures. `bodyLimit`: bytes of the body that the route allows. */
export function fromServer(error: unknown, bodyLimit?: number): Failure {
  const { code, statusCode, message } = error as { code?: string; statusCode?: number; message?: string }
  if (error instanceof Failure) return error
  if (error instanceof SyntaxError || code === 'FST_ERR_CTP_INVALID_JSON_BODY' || code === 'FST_ERR_CTP_EMPTY_JSON_BODY')
    return unreadable(error as Error)
  if (
    code === 'FST_ERR_CTP_BODY_TOO_LARGE' ||
    code?.startsWith('FST_REQ_FILE_TOO_LARGE') ||
    code === 'FST_FILES_LIMIT' ||
    statusCode === 413
  )
    return new Failure('BODY_TOO_LARGE', `The body is larger than ${bodyLimit ? limitText(bodyLimit) : 'this route allows'}.`, {
      cause: error,
      ...(bodyLimit && { values: { limit: limitText(bodyLimit) } }),
    })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' || statusCode === 415 || statusCode === 406)
    return new Failure('BAD_REQUEST', 'This route does not accept this Content-Type.', { cause: error })
  // Their messages repeat the whole path.
  if (code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new Failure('NOT_FOUND', 'No id or name is as long as the one in this path.', { cause: error })
  if (code === 'FST_ERR_BAD_URL')
    return new Failure('BAD_REQUEST', 'The path is not a valid URL. Check its percent encoding.', { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new Failure('BAD_REQUEST', message ?? 'The request was refused.', { cause: error })
  // The message of the system names paths.
  if (isDiskError(error) || isStorageError(error))
    return new Failure('STORAGE_FULL', 'The studio could not write to its disk.', { cause: error })
  return Failure.from(error)
}

/** Answers on a connection that has no response object, and closes it. `id`: of the request. */
export function answerRaw(socket: Socket, failure: Failure, id: string): void {
  const { status, headers, body } = replyFor(failure)
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries({
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-length': Buffer.byteLength(text),
      [REQUEST_ID]: id,
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`),
  ]
  if (socket.writable) socket.write(`${lines.join('\r\n')}\r\n\r\n${text}`)
  socket.destroySoon()
}

/** The failure for a connection on which no request could be read. */
export function unreadableRequest({ code }: { readonly code?: string }): Failure {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Failure('REQUEST_TIMEOUT', 'The request did not arrive in time.')
  if (code === 'HPE_HEADER_OVERFLOW') return new Failure('HEADERS_TOO_LARGE', 'The headers of the request are longer than 16 KiB together.')
  return new Failure('BAD_REQUEST', 'The request is not valid HTTP.')
}
