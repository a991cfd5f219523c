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
  /** Fields with files. */
  readonly isForm: boolean
  /** Elements and fields of JSON, at any depth. */
  readonly values: number
}

function otherType({ isPlainForm, isForm }: BodyRule): Failure {
  const way = isPlainForm
    ? 'Send form fields, with the header Content-Type: application/x-www-form-urlencoded or multipart/form-data.'
    : isForm
      ? 'Send the fields as multipart/form-data.'
      : 'Send JSON, with the header Content-Type: application/json.'
  return new Failure('BAD_REQUEST', `This route does not accept this Content-Type. ${way}`)
}

/** Multipart forms have a parser of their own. A JSON text is measured before it is parsed: to parse millions of small values takes seconds. */
export function parseBodies(app: FastifyInstance, ruleOf: (request: FastifyRequest) => BodyRule): void {
  // It gives the text itself as the body.
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { readsBody, values } = ruleOf(request)
    if (!readsBody) return done(null)
    const limit = exceededBy(body, { depth: MAX_LEVELS, values })
    return limit === null ? parseJson(request, body.toString(), done) : done(wrongShape(limit, values))
  })
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    const rule = ruleOf(request)
    if (!rule.readsBody) return done(null)
    if (!rule.isPlainForm) return done(otherType(rule))
    done(null, Object.fromEntries(new URLSearchParams(body)))
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    const rule = ruleOf(request)
    if (rule.readsBody) return done(otherType(rule))
    payload.resume()
    done(null)
  })
}
