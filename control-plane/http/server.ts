// The only file that uses fastify: it mounts the routes, adds the version to every response and gives all errors one shape.
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import serveStatic from '@fastify/static'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type AccessGate, isAllowedOrigin } from './access.ts'
import { type Contract, contract } from './contract.ts'
import { fromServer, replyFor } from './errors.ts'
import { type OpenForm, readForm } from './form.ts'
import type { Route } from './handle.ts'
import { withPublicError } from './public-error.ts'
import { type Content, sendContent } from './respond.ts'
import { isSocketRequest, mountSockets, type SocketRoute } from './socket/socket.ts'
import { parseInput } from './validation.ts'
import { UNWATCHED, type Watch, type WatchedRequest } from './watch.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Id of the contract. */
    id?: string
  }
}

export type ServerParts = {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  readonly gate: AccessGate
  readonly version: string
  /** Folder of finished audio, served under /audio. */
  readonly audioFolder: string
  /** Private folder for uploads of running requests. The caller empties it before the start. */
  readonly uploadFolder: string
  /** Parses every JSON reply with its schema; for development and tests. */
  readonly checkReplies: boolean
  readonly watch: Watch
  readonly clock: Clock
  readonly log: Log
}
const AUDIO_FILE = contract({
  id: 'audio.readFile',
  method: 'GET',
  path: '/audio/{filename}',
  access: 'consume',
  summary: 'Returns a finished audio file; byte ranges are supported.',
  extension: true,
  media: ['audio/wav'],
})
/** Contracts that the server serves itself, from a folder and not from a handler. */
export const MOUNTED: readonly Contract[] = [AUDIO_FILE]
/** How long the closing handshakes of sockets may take when the server stops. */
const SOCKET_CLOSE_MS = 1_000
const JSON_BODY_BYTES = 1024 * 1024
const FILE_BYTES = 100 * 1024 * 1024
const FIELD_BYTES = 1024 * 1024

export async function createServer({
  routes,
  sockets,
  gate,
  version,
  audioFolder,
  uploadFolder,
  checkReplies,
  watch,
  clock,
  log,
}: ServerParts): Promise<FastifyInstance> {
  const app = fastify({
    bodyLimit: JSON_BODY_BYTES,
    forceCloseConnections: 'idle',
    keepAliveTimeout: 65_000,
    requestTimeout: 120_000,
    exposeHeadRoutes: false,
    http: { shouldUpgradeCallback: isSocketRequest },
    frameworkErrors: (error, request, reply) => answerError(error, request, reply, log), // for URLs that cannot be routed
  })
  // The first hook, so that refused requests are recorded as well.
  const watched = new WeakMap<FastifyRequest, WatchedRequest>()
  app.addHook('onRequest', (request, reply, next) => {
    const { id = 'none' } = request.routeOptions.config
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
  await app.register(cors, {
    delegator: (request, done) =>
      done(null, {
        origin: isAllowedOrigin(request.headers.origin ?? '', request.headers.host ?? ''),
        credentials: true,
        methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
        exposedHeaders: ['Content-Disposition', 'X-Svc-Backend'],
        strictPreflight: true,
      }),
  })
  await app.register(multipart, { limits: { fileSize: FILE_BYTES, files: 2, fields: 64, fieldSize: FIELD_BYTES, parts: 66 } })
  await app.register(serveStatic, { root: audioFolder, serve: false })

  app.addHook('onSend', async (_request, reply) => void reply.header('X-Svc-Backend', version))
  app.setErrorHandler((error, request, reply) => answerError(error, request, reply, log))
  app.setNotFoundHandler((request, reply) => {
    gate('open', callerOf(request))
    const body = { detail: 'Not Found' }
    return reply.code(404).send(withPublicError(request.url, 'NOT_FOUND', { status: 404, body }))
  })

  const watchedOf = (request: FastifyRequest) => watched.get(request) ?? UNWATCHED
  for (const route of routes) mount(app, route, { gate, checkReplies, uploadFolder, watchedOf })
  app.get<{ Params: { filename: string } }>(pathOf(AUDIO_FILE), {
    config: { id: AUDIO_FILE.id },
    onRequest: async (request) => gate(AUDIO_FILE.access, callerOf(request)),
    handler: async (request, reply) => {
      if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,200}$/.test(request.params.filename))
        throw new Failure('NOT_FOUND', 'This audio file does not exist.')
      return reply.sendFile(request.params.filename)
    },
  })
  const closeSockets = mountSockets(app.server, { sockets, gate, clock, log })
  app.addHook('preClose', async () => void clock.after(SOCKET_CLOSE_MS, closeSockets))
  return app
}

/** The path as fastify writes it: /workers/:worker_id. */
const pathOf = ({ path }: Contract): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

type Mounting = { gate: AccessGate; checkReplies: boolean; uploadFolder: string; watchedOf: (request: FastifyRequest) => WatchedRequest }

function mount(app: FastifyInstance, { contract: row, run }: Route, { gate, checkReplies, uploadFolder, watchedOf }: Mounting): void {
  const { params, query, body, form: files, reply: json } = row
  const serve = async (request: FastifyRequest, form: OpenForm | null, signal: AbortSignal): Promise<unknown> =>
    run({
      params: params && parseInput(params, request.params, 'path'),
      query: query && parseInput(query, request.query, 'query'),
      body: body && parseInput(body, form ? form.fields : request.body, 'body'),
      files: form?.files ?? {},
      uploads: form?.uploads ?? {},
      headers: request.headers,
      signal,
      traceparent: watchedOf(request).traceparent,
    } as never)
  app.route({
    method: row.method,
    url: pathOf(row),
    config: { id: row.id },
    onRequest: async (request) => gate(row.access, callerOf(request)),
    handler: async (request, reply) => {
      const disconnected = new AbortController()
      reply.raw.once('close', () => {
        if (!reply.raw.writableFinished) disconnected.abort(new Failure('CANCELLED', 'The client disconnected.'))
      })
      const form = files ? await readForm(request, files, row.spooled ? uploadFolder : null) : null
      let answer: unknown
      let isRead = true
      try {
        answer = await serve(request, form, disconnected.signal)
        isRead = json !== undefined || (answer as Content).readsUploads !== true || disconnected.signal.aborted
      } finally {
        if (isRead) await form?.close()
        else reply.raw.once('close', () => void form?.close())
      }
      if (!json) return sendContent(reply, answer as Content, watchedOf(request))
      return reply.code(row.status ?? 200).send(checkReplies ? json.parse(answer) : answer)
    },
  })
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply, log: Log): FastifyReply {
  // Only files under /audio; a player that requests a range beyond the end expects exactly this reply.
  if ((error as { statusCode?: number }).statusCode === 416) return reply.code(416).send({ detail: 'Range Not Satisfiable' })
  const failure = fromServer(error)
  const { status, headers, body } = replyFor(failure)
  if (status >= 500)
    log.error(
      {
        method: request.method,
        url: request.routeOptions.url,
        failure: failure.code,
        err: failure.message,
        cause: String(failure.cause ?? ''),
      },
      'a request failed',
    )
  // fastify closes the connection on a body that it does not read, and most clients then see a reset instead of this response. Keeping
  // the connection makes it read and drop the rest, within the request timeout.
  if (failure.code === 'BODY_TOO_LARGE') reply.removeHeader('connection')
  return reply
    .code(status)
    .headers(headers)
    .send(withPublicError(request.url, failure.code, { status, body }))
}

const callerOf = (request: FastifyRequest) => ({
  address: request.socket.remoteAddress ?? '',
  method: request.method,
  headers: request.headers,
})
