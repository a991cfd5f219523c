// Which bodies are parsed. A route without a body ignores what a client sends as one: many send an empty body with a Content-Type.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Failure } from '#shared/protocol/failure.ts'
import { exceededBy } from '#shared/protocol/json.ts'
import { MAX_LEVELS, wrongShape } from './validation.ts'

/** What a contract says about the body of a request. */
type BodyRule = {
  /** The contract declares one. */
  readonly readsBody: boolean
  readonly isPlainForm: boolean
  /** Elements and fields of JSON, at any depth. */
  readonly values: number
}

const otherType = () => new Failure('BAD_REQUEST', 'This route does not accept this Content-Type.')

/** Multipart forms have a parser of their own. A JSON text is measured before it is parsed: to parse millions of small values takes seconds. */
export function parseBodies(app: FastifyInstance, ruleOf: (request: FastifyRequest) => BodyRule): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { readsBody, values } = ruleOf(request)
    if (!readsBody) return done(null)
    const limit = exceededBy(body, { depth: MAX_LEVELS, values })
    return limit === null ? parseJson(request, body.toString(), done) : done(wrongShape(limit, values))
  })
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    const { readsBody, isPlainForm } = ruleOf(request)
    if (!readsBody) return done(null)
    if (!isPlainForm) return done(otherType())
    done(null, Object.fromEntries(new URLSearchParams(body)))
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    if (ruleOf(request).readsBody) return done(otherType())
    payload.resume()
    done(null)
  })
}
