// Which bodies are parsed. A route without a body ignores what a client sends as one: many send an empty body with a Content-Type.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '#shared/protocol/failure.ts'

/** `readsBody`: whether the contract of the request declares a body. Forms have a parser of their own. */
export function parseBodies(app: FastifyInstance, readsBody: (request: FastifyRequest) => boolean): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) =>
    readsBody(request) ? parseJson(request, body, done) : done(null),
  )
  app.addContentTypeParser('*', (request, payload, done) => {
    if (readsBody(request)) return done(new Failure('BAD_REQUEST', 'This route does not accept this Content-Type.'))
    payload.resume()
    done(null)
  })
}
