// The server of the API on fastify: the hooks of every request, and the routes, folders and sockets.
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { asClient, type Client } from '#control-plane/clients/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { ClientOf } from './access/client-of.ts'
import type { AccessGate } from './access/gate.ts'
import type { Origins } from './access/origins.ts'
import { PIN_COOKIE } from './access/share-pin.ts'
import { cutAtEnd } from './close.ts'
import { answerError } from './contract/answer-error.ts'
import { type BasePath, requireFreeBase } from './contract/base-path.ts'
import { hasSeveralHosts, type Principal } from './contract/caller.ts'
import type { Contract } from './contract/contract.ts'
import { answerRaw, unreadableRequest } from './contract/errors.ts'
import type { Route } from './contract/handle.ts'
import { withPublicError } from './contract/public-error.ts'
import { createRequestIds, REQUEST_ID } from './contract/request-id.ts'
import { UNWATCHED, type Watch, type WatchedRequest } from './contract/watch.ts'
import { parseBodies } from './input/bodies.ts'
import { FIELD_BYTES, UPLOAD_BYTES, type UploadDisk, USUAL_FILES } from './input/form.ts'
import { createConnectionLimiter } from './limits/connection-limiter.ts'
import type { ConnectionLimits } from './limits/connection-limits.ts'
import { createLargeBodies, USUAL_BODY_BYTES } from './limits/large-bodies.ts'
import type { NewWork } from './limits/new-work.ts'
import { type Folders, MOUNTED, mountFolders } from './mount/folders.ts'
import { createMethodTable } from './mount/methods.ts'
import type { Admit, ForClient, RequireMaker } from './mount/mounting.ts'
import { mountRoute } from './mount/route.ts'
import type { PathScreen } from './path-screen.ts'
import { isSocketRequest, mountSockets, type SocketRoute, type Sockets } from './socket/socket.ts'

export type ServerParts = {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  readonly access: { readonly gate: AccessGate; readonly clientOf: ClientOf; readonly origins: Pick<Origins, 'isAllowed'> }
  /** Throws FORBIDDEN for an object that another client than the current one made. */
  readonly requireMaker: RequireMaker
  readonly version: string
  readonly base: BasePath
  readonly folders: Folders
  /** Replaces the folders of this machine in what callers without the right to administer read. */
  readonly pathScreen: PathScreen
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
  readonly work: NewWork
  /** Receives the failures that `isFault` names, with the method and path of the contract. */
  readonly failed: (failure: Failure, route: string) => void
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}
/** No address of another server begins so. */
const WITH_SLASH = /^\/[A-Za-z0-9].*\/$/
/** Milliseconds for the closing handshakes of sockets when the server stops. */
const SOCKET_CLOSE_MS = 1_000
/** Routes have no JSON schemas, because contracts are parsed here. Without these functions fastify loads its compilers: 110 modules. */
const refuseSchema = () => () => {
  throw new Error('A route must not have a JSON schema.')
}
const NO_COMPILERS = { buildValidator: refuseSchema, buildSerializer: refuseSchema }
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
/** The contract that asks for the end of work. */
const FINISH = 'system.finish'
/** In a JSON body, for a route without a limit of its own. */
const MAX_VALUES = 500_000

export async function createServer({
  routes,
  sockets,
  access: { gate, clientOf, origins },
  requireMaker,
  version,
  base,
  folders,
  pathScreen,
  uploadDisk,
  filmDisk,
  checkReplies,
  limits,
  untilLocal,
  watch,
  work,
  failed,
  clock,
  random,
  log,
}: ServerParts): Promise<FastifyInstance> {
  requireFreeBase(
    base,
    [...routes, ...MOUNTED.map((contract) => ({ contract })), ...sockets].map(({ contract }) => contract.path),
  )
  const newId = createRequestIds(random)
  const connections = createConnectionLimiter({ limits, keepAliveMs: 65_000, shouldUpgrade: isSocketRequest, newId, clock, log })
  const app = fastify({
    bodyLimit: USUAL_BODY_BYTES,
    forceCloseConnections: 'idle',
    exposeHeadRoutes: false,
    return503OnClosing: false, // ours says when to come again
    schemaController: { compilersFactory: NO_COMPILERS },
    routerOptions: { maxParamLength: 2_048 }, // of the encoded value; the contracts limit the decoded one
    // MCP clients often end the address of a server with a slash. No other path has two forms.
    rewriteUrl: ({ url = '' }) => {
      const path = base.removedFrom(url)
      return path === '/mcp/' ? '/mcp' : path
    },
    serverFactory: (handler) => connections.serve(handler),
    genReqId: newId,
    clientErrorHandler: (error, socket) => answerRaw(socket, unreadableRequest(error), newId()),
    frameworkErrors: (error, request, reply) => answerError(error, request, reply, { failed, log }), // for URLs that cannot be routed
  })
  const watchedOf = watchRequests(app, watch)
  app.addHook('onRequest', async ({ raw }) => {
    if (hasSeveralHosts(raw.rawHeaders)) throw new Failure('BAD_REQUEST', 'The request has more than one Host header.')
  })
  countWork(app, work)
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
  await app.register(multipart, { limits: { fileSize: UPLOAD_BYTES, files: USUAL_FILES, fields: 64, fieldSize: FIELD_BYTES, parts: 66 } })

  app.addHook('onSend', async (request, reply, payload) => {
    const location = reply.getHeader('location')
    if (typeof location === 'string') reply.header('location', base.addedTo(location))
    // Browsers must not guess a type: an uploaded or generated file could become a page of this origin.
    reply.headers({ 'X-Svc-Backend': version, 'X-Content-Type-Options': 'nosniff' })
    // Not the URL of the request, which may be written in other ways.
    if (request.routeOptions.url?.startsWith('/api/auth/')) reply.header('cache-control', 'no-store')
    if (typeof payload !== 'string' || !pathScreen.names(payload) || (await principals.get(request)?.mayAdminister())) return payload
    return pathScreen.hidden(payload)
  })
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, { failed, log }))
  parseBodies(app, ({ routeOptions: { config } }) => ({
    readsBody: config.readsBody === true,
    isPlainForm: config.isPlainForm === true,
    isForm: config.isForm === true,
    mayBePlain: config.mayBePlain === true,
    values: config.bodyValues ?? MAX_VALUES,
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
    await gate('open', { ...callerOf(request), isReading: true })
    const [path = '', search] = request.url.split('?')
    if (base.isBare(request.url)) return reply.code(307).header('location', base.slashed(request.url)).send()
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

  const principals = new WeakMap<FastifyRequest, Principal>()
  const clients = new WeakMap<FastifyRequest, Client>()
  const admit: Admit = (row) => async (request, reply) => {
    const caller = callerOf(request)
    const principal = await gate(row.access, { ...caller, ...askedOf(row, request.method) })
    principals.set(request, principal)
    clients.set(request, await clientOf(principal, { ...caller, access: row.access }))
    if (principal.pinToken !== null)
      reply.header('set-cookie', `${PIN_COOKIE}=${principal.pinToken}; Path=${base.cookiePath}; HttpOnly; SameSite=Strict`)
    if (principal.person && principal.ended) cutAtEnd(reply.raw, principal.ended, clock)
    if (row.access !== 'open') connections.trust(request.socket)
  }
  const principalOf = (request: FastifyRequest) => principals.get(request)!
  const forClient: ForClient =
    (run) =>
    (request, ...rest) =>
      asClient(clients.get(request)!, () => run(request, ...rest))
  const largeBodies = createLargeBodies()
  for (const route of routes)
    mountRoute(app, route, {
      admit,
      requireMaker,
      principalOf,
      forClient,
      largeBodies,
      checkReplies,
      uploadDisk,
      filmDisk,
      untilLocal,
      watchedOf,
    })
  mountFolders(app, { folders, admit, requireMaker, forClient })
  const socketParts = { sockets, checkReplies, base, gate, clientOf, newId, work, clock, log }
  const mounted = mountSockets(app.server, { ...socketParts, accepted: connections.trustWebSocket })
  app.addHook('preClose', () => beforeClose(mounted, clock))
  return app
}

async function beforeClose(sockets: Sockets, clock: Clock): Promise<void> {
  sockets.beginStop()
  clock.after(SOCKET_CLOSE_MS, sockets.terminate)
  // The port closes right after a look for new connections: the system resets those that no one has accepted.
  await nextTurn()
}

/** Reading goes on during an update, so that pages and jobs can be followed to their end. */
function countWork(app: FastifyInstance, work: NewWork): void {
  app.addHook('onRequest', async ({ method, routeOptions }, reply) => {
    // A connection that is kept would be closed when the server stops, perhaps while its next request is on its way.
    if (work.refusal() !== null) reply.header('connection', 'close')
    if (!READING.has(method) && routeOptions.config.id !== FINISH) reply.raw.once('close', work.begin())
  })
}

/** The first hook, so that refused requests are recorded as well. Returns the record of a request. */
function watchRequests(app: FastifyInstance, watch: Watch): (request: FastifyRequest) => WatchedRequest {
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
  return (request) => watched.get(request) ?? UNWATCHED
}

const callerOf = ({ socket, method, headers, url }: FastifyRequest) => ({ connection: socket, method, headers, pin: pinOf(url) })

/** The facts about the route that access is decided from. */
const askedOf = ({ isSignIn, opensPage, forReaders }: Contract, method: string) => ({
  isSignIn: isSignIn === true,
  opensPage: opensPage === true,
  isReading: forReaders === true || READING.has(method),
})

/** The PIN of a query; undefined without one. */
const pinOf = (url: string): string | undefined =>
  url.includes('pin=') ? (new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('pin') ?? undefined) : undefined
