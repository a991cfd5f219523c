// The only file that uses fastify: it mounts the routes, adds the version to every response and gives all errors one shape.
import { setImmediate as turn } from 'node:timers/promises'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, type RequestPayload } from 'fastify'
import { Failure, isFault } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { asClient, type Client } from '../clients/client.ts'
import { hasSeveralHosts, type Principal } from './access/caller.ts'
import { createClientOf } from './access/client-of.ts'
import type { AccessGate } from './access/gate.ts'
import type { Origins } from './access/origins.ts'
import { PIN_COOKIE } from './access/share-pin.ts'
import type { Contract } from './contract.ts'
import { strictReply } from './describe/strict-reply.ts'
import { answerRaw, fromServer, replyFor, unreadableRequest } from './errors.ts'
import type { Route } from './handle.ts'
import { parseBodies } from './input/bodies.ts'
import { FIELD_BYTES, formBytes, limitText, type OpenForm, readForm, UPLOAD_BYTES, type UploadDisk } from './input/form.ts'
import { parseInTurns } from './input/in-turns.ts'
import { shapeOf } from './input/shape.ts'
import { createIgnoredFields } from './input/unknown-fields.ts'
import { parseInput } from './input/validation.ts'
import { createConnectionLimiter } from './limits/connection-limiter.ts'
import type { ConnectionLimits } from './limits/connection-limits.ts'
import { createLargeBodies, type LargeBodies, USUAL_BODY_BYTES } from './limits/large-bodies.ts'
import { createMethodTable, methodsOf } from './methods.ts'
import { type Admit, type Folders, MOUNTED, mountFolders } from './mounted.ts'
import { withPublicError } from './public-error.ts'
import { createRequestIds, REQUEST_ID } from './request-id.ts'
import { type Content, isEncoded, sendContent, sendEncoded } from './respond.ts'
import { isSocketRequest, mountSockets, type SocketRoute } from './socket/socket.ts'
import { UNWATCHED, type Watch, type WatchedRequest } from './watch.ts'

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

export type ServerParts = {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  readonly access: { readonly gate: AccessGate; readonly origins: Pick<Origins, 'isAllowed' | 'isTrusted'> }
  readonly version: string
  readonly folders: Folders
  /** A private folder for uploads of running requests. The caller empties it before the start. */
  readonly uploadDisk: UploadDisk
  /** The same for films. */
  readonly filmDisk: UploadDisk
  /** Parses every JSON reply with its schema; for development and tests. */
  readonly checkReplies: boolean
  readonly limits: ConnectionLimits
  /** Resolves when the agent of this machine is connected, or need not be waited for any longer. */
  readonly untilLocal: (signal: AbortSignal) => Promise<void>
  readonly watch: Watch
  /** Receives the failures that `isFault` names, with the method and path of the contract. */
  readonly failed: (failure: Failure, route: string) => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}
/** No address of another server begins so. */
const WITH_SLASH = /^\/[A-Za-z0-9].*\/$/
/** How long the closing handshakes of sockets may take when the server stops. */
const SOCKET_CLOSE_MS = 1_000
/** Routes have no JSON schemas, because contracts are parsed here. Without these functions fastify loads its compilers: 110 modules. */
const refuseSchema = () => () => {
  throw new Error('A route must not have a JSON schema.')
}
const NO_COMPILERS = { buildValidator: refuseSchema, buildSerializer: refuseSchema }
/** In a JSON body, for a route without a limit of its own. */
const MOST_VALUES = 500_000

export async function createServer({
  routes,
  sockets,
  access: { gate, origins },
  version,
  folders,
  uploadDisk,
  filmDisk,
  checkReplies,
  limits,
  untilLocal,
  watch,
  failed,
  clock,
  random,
  log,
}: ServerParts): Promise<FastifyInstance> {
  const newId = createRequestIds(random)
  const connections = createConnectionLimiter({ limits, keepAliveMs: 65_000, shouldUpgrade: isSocketRequest, newId, clock, log })
  const app = fastify({
    bodyLimit: USUAL_BODY_BYTES,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: NO_COMPILERS },
    routerOptions: { maxParamLength: 2_048 }, // of the encoded value; the contracts limit the decoded one
    // MCP clients often end the address of a server with a slash. No other path has two forms.
    rewriteUrl: ({ url = '' }) => (url === '/mcp/' ? '/mcp' : url),
    serverFactory: (handler) => connections.serve(handler),
    genReqId: newId,
    clientErrorHandler: (error, socket) => answerRaw(socket, unreadableRequest(error), newId()),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply, { failed, log }), // for URLs that cannot be routed
  })
  // The first hook, so that refused requests are recorded as well.
  const watched = new WeakMap<FastifyRequest, WatchedRequest>()
  app.addHook('onRequest', (request, reply, next) => {
    const { id = 'none' } = request.routeOptions.config
    reply.header(REQUEST_ID, request.id)
    const { traceparent } = request.headers
    const watchedRequest = watch({
      route: id,
      path: request.routeOptions.url ?? '',
      method: request.method,
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    })
    watched.set(request, watchedRequest)
    if (watchedRequest.traceparent !== '') reply.header('traceparent', watchedRequest.traceparent)
    reply.raw.once('close', () => watchedRequest.done(reply.raw.writableFinished ? reply.raw.statusCode : 499))
    next()
  })
  app.addHook('onRequest', async ({ raw }) => {
    if (hasSeveralHosts(raw.rawHeaders)) throw new Failure('BAD_REQUEST', 'The request has more than one Host header.')
  })
  await app.register(cors, {
    delegator: (request, done) =>
      done(null, {
        origin: origins.isAllowed(request.headers.origin ?? '', request.headers.host ?? ''),
        credentials: true,
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        exposedHeaders: ['Content-Disposition', 'X-Svc-Backend'],
        strictPreflight: true,
      }),
  })
  await app.register(multipart, { limits: { fileSize: UPLOAD_BYTES, files: 2, fields: 64, fieldSize: FIELD_BYTES, parts: 66 } })

  app.addHook('onSend', async (request, reply) => {
    // Browsers must not guess a type: an uploaded or generated file could become a page of this origin.
    reply.headers({ 'X-Svc-Backend': version, 'X-Content-Type-Options': 'nosniff' })
    // Not the URL of the request, which may be written in other ways.
    if (request.routeOptions.url?.startsWith('/api/auth/')) reply.header('cache-control', 'no-store')
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, { failed, log }))
  parseBodies(app, ({ routeOptions: { config } }) => ({
    readsBody: config.readsBody === true,
    isPlainForm: config.isPlainForm === true,
    isForm: config.isForm === true,
    mayBePlain: config.mayBePlain === true,
    values: config.bodyValues ?? MOST_VALUES,
  }))
  const methodsAt = createMethodTable([...routes.map((route) => route.contract), ...MOUNTED])
  // Before the body is read, because nothing defines how to parse it.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404 || isMistaken(request)) return notFound(request, reply)
  })
  /** The router takes another path for one with a parameter: GET /preview/upload is no file with the name upload, nor is /preview/ one without a name. */
  const isMistaken = ({ routeOptions, url, method }: FastifyRequest): boolean => {
    if (!routeOptions.url?.includes(':')) return false
    const path = url.split('?')[0]!
    const methods = methodsAt(path)
    return methods.length === 0 ? path.endsWith('/') : !methods.includes(method)
  }
  const notFound = async (request: FastifyRequest, reply: FastifyReply) => {
    await gate('open', callerOf(request))
    const [path = '', search] = request.url.split('?')
    const methods = methodsAt(path)
    // Paths of this API end without a slash, and clients of others add one.
    const plain = path.replace(/\/$/, '')
    if (methods.length === 0 && WITH_SLASH.test(path) && methodsAt(plain).includes(request.method))
      return reply
        .code(307)
        .header('location', search === undefined ? plain : `${plain}?${search}`)
        .send()
    if (methods.length > 0 && !methods.includes(request.method)) {
      reply.header('allow', methods.join(', '))
      throw new Failure('METHOD_NOT_ALLOWED', `This path does not accept ${request.method}.`)
    }
    return reply.code(404).send(withPublicError(request.url, 'NOT_FOUND', { status: 404, body: { detail: 'Not Found' } }).body)
  }
  app.setNotFoundHandler(notFound) // for a file that does not exist, and OPTIONS that is not a preflight

  const watchedOf = (request: FastifyRequest) => watched.get(request) ?? UNWATCHED
  const principals = new WeakMap<FastifyRequest, Principal>()
  const clients = new WeakMap<FastifyRequest, Client>()
  const clientOf = createClientOf({ origins })
  const admit: Admit = (row) => async (request, reply) => {
    const { access, isSignIn = false, opensPage = false } = row
    const principal = await gate(access, { ...callerOf(request), isSignIn, opensPage })
    principals.set(request, principal)
    clients.set(request, await clientOf(principal, request.headers))
    if (principal.pinToken !== null) reply.header('set-cookie', `${PIN_COOKIE}=${principal.pinToken}; Path=/; HttpOnly; SameSite=Strict`)
    if (access !== 'open') connections.trust(request.socket)
  }
  const principalOf = (request: FastifyRequest) => principals.get(request)!
  const forClient: ForClient =
    (run) =>
    (request, ...rest) =>
      asClient(clients.get(request)!, () => run(request, ...rest))
  const largeBodies = createLargeBodies()
  for (const route of routes)
    mount(app, route, { admit, principalOf, forClient, largeBodies, checkReplies, uploadDisk, filmDisk, untilLocal, watchedOf })
  mountFolders(app, { folders, admit, pathOf })
  const mounted = mountSockets(app.server, { sockets, gate, clientOf, accepted: connections.trustWebSocket, newId, clock, log })
  app.addHook('preClose', async () => {
    mounted.beginStop()
    clock.after(SOCKET_CLOSE_MS, mounted.terminate)
  })
  return app
}

/** The path as fastify writes it: /workers/:worker_id. */
const pathOf = ({ path }: Contract): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** The same hook, which runs for the client of an admitted request. */
type ForClient = <A extends unknown[], T>(run: (request: FastifyRequest, ...rest: A) => T) => (request: FastifyRequest, ...rest: A) => T
type Mounting = {
  readonly admit: Admit
  readonly principalOf: (request: FastifyRequest) => Principal
  readonly forClient: ForClient
  readonly largeBodies: LargeBodies
  readonly checkReplies: boolean
  readonly uploadDisk: UploadDisk
  readonly filmDisk: UploadDisk
  readonly untilLocal: ServerParts['untilLocal']
  readonly watchedOf: (request: FastifyRequest) => WatchedRequest
}

function mount(app: FastifyInstance, { contract: row, run, before }: Route, mounting: Mounting): void {
  const { admit, principalOf, forClient, largeBodies, checkReplies, uploadDisk, filmDisk, untilLocal, watchedOf } = mounting
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
  app.route({
    method: methodsOf(row),
    url: pathOf(row),
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
      await refuseUnread(request, () =>
        before?.({ params: params && parseInput(params, request.params, 'path'), caller: principalOf(request) } as never),
      )
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
      const { signIn } = principalOf(request)
      const signedOut = () => disconnected.abort(new Failure('CANCELLED', 'The client was signed out.'))
      signIn?.ended.addEventListener('abort', signedOut)
      if (signIn?.ended.aborted) signedOut()
      reply.raw.once('close', () => {
        signIn?.ended.removeEventListener('abort', signedOut)
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
        if (row.bodyBytes !== undefined) await turn()
        answer = await serve(request, reply, form, disconnected.signal)
        if (request.method === 'HEAD') disconnected.abort(new Failure('CANCELLED', 'The client requested the headers only.'))
        isRead = json !== undefined || (answer as Content).readsUploads !== true || disconnected.signal.aborted
      } finally {
        if (isRead) await form?.close()
        else reply.raw.once('close', () => void form?.close())
      }
      if (!json) return sendContent(reply, answer as Content, watchedOf(request), rangeOf(request))
      reply.code(row.status ?? 200)
      if (isEncoded(answer)) return sendEncoded(reply, answer, checkReplies ? (document) => strictReply(json, document) : null)
      return reply.send(checkReplies ? strictReply(json, answer) : answer)
    }),
  })
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

/** Requests that were refused before their body was read. */
const unread = new WeakSet<FastifyRequest>()
async function refuseUnread(request: FastifyRequest, before: () => unknown): Promise<void> {
  try {
    await before()
  } catch (error) {
    unread.add(request)
    throw error
  }
}

/** Refuses a form that is announced to be longer than its files and fields may be. */
function refuseLonger({ headers }: FastifyRequest, files: number, fileBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > formBytes(files, fileBytes))
    throw new Failure('BODY_TOO_LARGE', `The body is too large for this form. A file of it may have ${limitText(fileBytes)}.`)
}

/** Failures that may leave most of a large body unread. */
const UNREAD_BODY: ReadonlySet<string> = new Set(['BODY_TOO_LARGE', 'QUEUE_FULL', 'STORAGE_FULL'])

/** Headers that describe the body that was to be sent. */
const OF_CONTENT = ['content-length', 'content-disposition', 'content-range', 'accept-ranges', 'etag', 'last-modified']

type Reports = Pick<ServerParts, 'failed' | 'log'>

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, { failed, log }: Reports): FastifyReply {
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
    if (isFault(failure.code)) {
      failed(failure, `${request.method} ${request.routeOptions.url ?? ''}`)
      log.error(fields, 'a request failed')
    } else log.info(fields, 'a request was refused')
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

const callerOf = ({ socket, method, headers, url }: FastifyRequest) => ({ connection: socket, method, headers, pin: pinOf(url) })

/** The PIN of a query; undefined without one. */
const pinOf = (url: string): string | undefined =>
  url.includes('pin=') ? (new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('pin') ?? undefined) : undefined
