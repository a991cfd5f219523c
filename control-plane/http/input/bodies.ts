// Decides which bodies are parsed. A route without a body ignores what a client sends as one: many send an empty body with a Content-Type.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Failure } from '#shared/protocol/failure.ts'
import { type JsonShape, scanJson } from '#shared/protocol/json.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { invalid, MAX_LEVELS, wrongShape } from './validation.ts'

/** Statement of a contract about the body of a request. */
type BodyRule = {
  /** The contract declares one. */
  readonly readsBody: boolean
  readonly isPlainForm: boolean
  /** Fields with files. */
  readonly isForm: boolean
  /** A client may leave all files of the form out, and send the rest as a form without files. */
  readonly mayBePlain: boolean
  /** Elements and fields of JSON, at any depth. */
  readonly values: number
}

function otherType({ isPlainForm, isForm }: BodyRule): Failure {
  const way = isPlainForm
    ? 'Send form fields, with the header Content-Type: application/x-www-form-urlencoded or multipart/form-data.'
    : isForm
      ? 'Send the fields as multipart/form-data.'
      : 'Send JSON, with the header Content-Type: application/json.'
  return invalid([{ type: 'content_type', loc: ['body'], msg: `This route does not accept this Content-Type. ${way}`, input: null }])
}

/** Bytes that are measured in one turn of the event loop. */
const SCAN_BYTES = 256 * 1024

async function inPieces<T>(body: Buffer, scan: (piece: Buffer) => T | null): Promise<T | null> {
  for (let at = 0; at < body.length; at += SCAN_BYTES) {
    const found = scan(body.subarray(at, at + SCAN_BYTES))
    if (found !== null) return found
    await nextTurn()
  }
  return null
}

/** Multipart forms have a parser of their own. A JSON text is measured before it is parsed: to parse millions of small values takes seconds. */
export function parseBodies(app: FastifyInstance, ruleOf: (request: FastifyRequest) => BodyRule): void {
  // It gives the text itself as the body.
  app.removeContentTypeParser('text/plain')
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const { readsBody, values } = ruleOf(request)
    if (!readsBody) return done(null)
    const finish = (limit: keyof JsonShape | null) =>
      limit === null ? parseJson(request, body.toString(), done) : done(wrongShape(limit, values))
    const scan = scanJson({ depth: MAX_LEVELS, values })
    if (body.length <= SCAN_BYTES) return finish(scan(body))
    inPieces(body, scan).then(finish, done)
  })
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', { parseAs: 'string' }, (request, body, done) => {
    const rule = ruleOf(request)
    if (!rule.readsBody) return done(null)
    if (!rule.isPlainForm && !rule.mayBePlain) return done(otherType(rule))
    done(null, Object.fromEntries(new URLSearchParams(body)))
  })
  app.addContentTypeParser('*', (request, payload, done) => {
    const rule = ruleOf(request)
    if (rule.readsBody) return done(otherType(rule))
    payload.resume()
    done(null)
  })
}
