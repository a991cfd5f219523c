// Answers failures: one shape for all errors, and a log line for those of the studio.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Failure, isFault } from '#shared/protocol/failure.ts'
import type { Log } from '#shared/runtime/log.ts'
import { fromServer, replyFor } from './errors.ts'
import { withPublicError } from './public-error.ts'
import { REQUEST_ID } from './request-id.ts'

/** Requests that were refused before their body was read. */
const unread = new WeakSet<FastifyRequest>()
/** Runs a check that comes before the body of the request is read. */
export async function refuseUnread(request: FastifyRequest, before: () => unknown): Promise<void> {
  try {
    await before()
  } catch (error) {
    unread.add(request)
    throw error
  }
}

/** Failures that may leave most of a large body unread. */
const UNREAD_BODY: ReadonlySet<string> = new Set(['BODY_TOO_LARGE', 'QUEUE_FULL', 'STORAGE_FULL'])

/** Headers that describe the body that was to be sent. */
const OF_CONTENT = ['content-length', 'content-disposition', 'content-range', 'accept-ranges', 'etag', 'last-modified']

type Reports = {
  /** Receives the failures that `isFault` names, with the method and path of the contract. */
  readonly failed: (failure: Failure, route: string) => void
  readonly log: Log
}

/** Faults that were reported: several requests may share one. */
const reported = new WeakSet<Failure>()

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, { failed, log }: Reports): FastifyReply {
  // Only files under /audio; a player that requests a range beyond the end expects exactly this reply.
  const { statusCode, headers: sent } = error as { statusCode?: number; headers?: Record<string, string> }
  if (statusCode === 416)
    return reply
      .code(416)
      .headers(sent ?? {}) // Content-Range with the size of the file
      .send({ detail: 'Range Not Satisfiable' })
  const failure = fromServer(error, request.routeOptions.bodyLimit)
  const { headers, ...refusal } = replyFor(failure)
  const { status, body } = withPublicError(request.url, failure.code, refusal)
  if (status >= 500) {
    const fields = {
      request: request.id,
      method: request.method,
      url: request.routeOptions.url,
      failure: failure.code,
      err: failure.message,
      cause: String(failure.cause ?? ''),
    }
    if (isFault(failure.code) && !reported.has(failure)) {
      reported.add(failure)
      failed(failure, `${request.method} ${request.routeOptions.url ?? ''}`)
      log.error(fields, 'a request failed')
    } else if (!isFault(failure.code)) log.info(fields, 'a request was refused')
  }
  // fastify closes the connection on a body that it does not read, and most clients then see a reset instead of this response. Keeping
  // the connection makes it read and drop the rest, within the request timeout.
  if (UNREAD_BODY.has(failure.code) || unread.has(request)) reply.removeHeader('connection')
  reply.header(REQUEST_ID, request.id) // the hooks have not seen a URL that cannot be routed
  // A body that fails before its first byte has set the headers of what it would have been.
  for (const name of OF_CONTENT) reply.removeHeader(name)
  if (reply.getHeader('cache-control') !== 'no-store') reply.removeHeader('cache-control')
  return reply.code(status).type('application/json; charset=utf-8').headers(headers).send(body)
}
