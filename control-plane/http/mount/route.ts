// Mounts a route: what a request passes from the access check to the answer.

import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import { refuseUnread } from '../contract/answer-error.ts'
import type { Principal } from '../contract/caller.ts'
import type { Contract } from '../contract/contract.ts'
import type { Route } from '../contract/handle.ts'
import { type Content, isEncoded, sendContent, sendEncoded } from '../contract/respond.ts'
import type { WatchedRequest } from '../contract/watch.ts'
import { STREAMS, strictEvents } from '../describe/strict-events.ts'
import { strictHeaders, strictReply } from '../describe/strict-reply.ts'
import { formBytes, limitText, type OpenForm, readForm, UPLOAD_BYTES, type UploadDisk } from '../input/form.ts'
import { parseInTurns } from '../input/in-turns.ts'
import { shapeOf } from '../input/shape.ts'
import { createIgnoredFields } from '../input/unknown-fields.ts'
import { parseInput } from '../input/validation.ts'
import type { LargeBodies } from '../limits/large-bodies.ts'
import { fastifyPath, methodsOf } from './methods.ts'
import type { Admit, ForClient, RequireMaker } from './mounting.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the contract. */
    id?: string
    /** The contract declares a body. */
    readsBody?: boolean
    isPlainForm?: boolean
    isForm?: boolean
    /** All of its files may be left out. */
    mayBePlain?: boolean
    /** The most values in it. */
    bodyValues?: number
  }
}

export type Mounting = {
  readonly admit: Admit
  readonly requireMaker: RequireMaker
  readonly principalOf: (request: FastifyRequest) => Principal
  readonly forClient: ForClient
  readonly largeBodies: LargeBodies
  readonly checkReplies: boolean
  readonly uploadDisk: UploadDisk
  readonly filmDisk: UploadDisk
  /** Resolves when the agent of this machine is connected, or need not be waited for any longer. */
  readonly untilLocal: (signal: AbortSignal) => Promise<void>
  readonly watchedOf: (request: FastifyRequest) => WatchedRequest
}

/** Mounts one route: access, limits and parsing before its handler, and its answer after. */
export function mountRoute(app: FastifyInstance, { contract: row, run, before }: Route, mounting: Mounting): void {
  const { admit, requireMaker, principalOf, forClient, largeBodies, checkReplies, uploadDisk, filmDisk, untilLocal, watchedOf } = mounting
  const { params, query, body, reply: json } = row
  const parseBody = row.bodyBytes === undefined ? parseInput : parseInTurns
  const disk = row.spooledFilm ? filmDisk : row.form ? uploadDisk : null
  const fileBytes = row.fileBytes ?? disk?.fileBytes ?? UPLOAD_BYTES
  const isList = (name: string) => body !== undefined && shapeOf(body).under(name)?.isList === true
  // Clients of the public API expect that a text in place of a number is refused.
  const reading = row.path.startsWith('/v1/') ? 'strict' : 'lenient'
  const serve = async (request: FastifyRequest, reply: FastifyReply, form: OpenForm | null, signal: AbortSignal): Promise<unknown> => {
    const ignored = createIgnoredFields()
    const ignore = (path: string) => {
      if (ignored.add(path)) reply.header('x-svc-ignored-fields', ignored.header())
    }
    if (!query) for (const name of Object.keys(request.query as object)) if (name !== PIN) ignore(name)
    const input = {
      params: params && parseInput(params, request.params, 'path'),
      query: query && parseInput(query, request.query, 'query', ignore),
      body: body && (await parseBody(body, form ? form.fields : request.body, 'body', ignore, reading)),
      uploads: form?.uploads ?? {},
      headers: request.headers,
      caller: principalOf(request),
      signal,
      traceparent: watchedOf(request).traceparent,
    }
    if (row.waitsForLocal) await untilLocal(signal)
    return run(input as never)
  }
  const checkFirst = forClient(async (request) => {
    if (row.of) requireMaker(row.of.kind, String((request.params as Record<string, unknown>)[row.of.param]))
    await refuseUnread(request, () =>
      before?.({ params: params && parseInput(params, request.params, 'path'), caller: principalOf(request) } as never),
    )
  })
  app.route({
    method: methodsOf(row),
    url: fastifyPath(row),
    config: {
      id: row.id,
      readsBody: body !== undefined,
      isPlainForm: row.isPlainForm === true,
      isForm: row.form !== undefined,
      mayBePlain: row.form?.every((name) => row.mayOmit?.includes(name)) === true,
      ...(row.bodyValues !== undefined && { bodyValues: row.bodyValues }),
    },
    ...(row.bodyBytes !== undefined && { bodyLimit: row.bodyBytes }),
    onRequest: async (request, reply) => {
      await admit(row)(request, reply)
      await checkFirst(request)
      if (row.form) refuseLonger(request, row.form.length, fileBytes)
    },
    ...(row.bodyBytes !== undefined && {
      preParsing: forClient(async (request, reply: FastifyReply, body: RequestPayload) =>
        largeBodies.counted(body, request.headers, reply.raw),
      ),
    }),
    handler: forClient(async (request, reply) => {
      // The hooks before this have waited: a client that left meanwhile sends no 'close' any more.
      if (reply.raw.destroyed) throw new Failure('CANCELLED', 'The client disconnected.')
      const disconnected = new AbortController()
      const { ended } = principalOf(request)
      const signedOut = () => disconnected.abort(new Failure('CANCELLED', 'The client was signed out.'))
      ended?.addEventListener('abort', signedOut)
      if (ended?.aborted) signedOut()
      reply.raw.once('close', () => {
        ended?.removeEventListener('abort', signedOut)
        if (!reply.raw.writableFinished) disconnected.abort(new Failure('CANCELLED', 'The client disconnected.'))
      })
      const files = row.form ?? (row.isPlainForm && request.isMultipart() ? [] : undefined)
      // The budget of large bodies also counts forms whose text fields are large.
      const isLarge = () => largeBodies.enter(reply.raw)
      const options = { fileNames: files ?? [], disk, fileBytes, mayOmit: row.mayOmit, isList, isLarge }
      const form = files ? (plainForm(request) ?? (await readForm(request, options))) : null
      let answer: unknown
      let isRead = true
      try {
        if (row.fileBytes !== undefined) isLarge()
        // To parse a large body and to check it take a turn of the event loop each.
        if (row.bodyBytes !== undefined) await nextTurn()
        answer = await serve(request, reply, form, disconnected.signal)
        if (request.method === 'HEAD') disconnected.abort(new Failure('CANCELLED', 'The client requested the headers only.'))
        isRead = json !== undefined || (answer as Content).readsUploads !== true || disconnected.signal.aborted
      } finally {
        if (isRead) await form?.close()
        else reply.raw.once('close', () => void form?.close())
      }
      if (!json)
        return sendContent(
          reply,
          checkReplies ? strictContent(row, answer as Content) : (answer as Content),
          watchedOf(request),
          rangeOf(request),
        )
      reply.code(row.status ?? 200)
      if (isEncoded(answer)) return sendEncoded(reply, answer, checkReplies ? (document) => strictReply(json, document) : null)
      return reply.send(checkReplies ? strictReply(json, answer) : answer)
    }),
  })
}

/** The content with its events checked. Throws for a header that the contract does not name. */
function strictContent(row: Contract, content: Content): Content {
  strictHeaders(row, content)
  const { type, body } = content
  if (!row.events || !STREAMS.includes(type) || !(Symbol.asyncIterator in body)) return content
  return { ...content, body: strictEvents(row.events, type, body) }
}

/** A form without files, which the parser of bodies has read; null for any other request. */
const plainForm = ({ body, headers, routeOptions }: FastifyRequest): OpenForm | null =>
  routeOptions.config.mayBePlain && headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    ? { fields: body as OpenForm['fields'], uploads: {}, close: async () => {} }
    : null

/** A parameter of any query, which the access check reads. */
const PIN = 'pin'

/** Only GET has ranges. */
const rangeOf = ({ method, headers }: FastifyRequest): string | undefined => (method === 'GET' ? headers.range : undefined)

/** Refuses a form that is announced to be longer than its files and fields may be. */
function refuseLonger({ headers }: FastifyRequest, files: number, fileBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > formBytes(files, fileBytes))
    throw new Failure('BODY_TOO_LARGE', `The body is too large for this form. A file of it may have ${limitText(fileBytes)}.`, {
      values: { limit: limitText(fileBytes) },
    })
}
