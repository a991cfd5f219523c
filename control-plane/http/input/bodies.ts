// Which bodies are parsed. A route without a body ignores what a client sends as one: many send an empty body with a Content-Type.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '#shared/protocol/failure.ts'

type Asks = {
  /** Whether the contract of the request declares a body. */
  readonly readsBody: (request: FastifyRequest) => boolean
  readonly isPlainForm: (request: FastifyRequest) => boolean
}
/** Multipart forms have a parser of their own. */
export function parseBodies(app: FastifyInstance, { readsBody, isPlainForm }: Asks): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    readsBody(request) ? parseJson(request, body, done) : done(null),
  )
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    if (!readsBody(request)) return done(null)
    if (!isPlainForm(request)) return done(new Failure('BAD_REQUEST', 'This route does not accept this Content-Type.'))
    done(null, Object.fromEntries(new URLSearchParams(body)))
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    if (readsBody(request)) return done(new Failure('BAD_REQUEST', 'This route does not accept this Content-Type.'))
    payload.resume()
    done(null)
  })
}
