// The private socket between this machine's owner and its lending agent: one line of JSON as request, one as reply. Its listener is the only
// lending agent of this data folder, so the socket is also the lock.
import { createHash } from 'node:crypto'
import { renameSync, rmSync, statSync } from 'node:fs'
import net, { type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import {
  AGENT_CONTROL,
  type AgentControl,
  AnswerLine,
  type ControlMethod,
  isControlMethod,
  QuestionLine,
} from '#shared/protocol/agent-control.ts'
import { Failure, isFailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import { isForeignFolder, pipeAddress, SOCKET_PATH_BYTES, socketParentFolder } from '#shared/runtime/socket-folder.ts'
import { connectTo, servingServer } from './transport/address.ts'
import { readLine } from './transport/peek.ts'

const LINE_LIMIT_BYTES = 1024 * 1024
const TAKEOVER_MS = 200
const QUESTION_MS = 5_000
const CONNECT_MS = 2_000
const ANSWER_MS = 60_000 // a join waits for its studio

/** Addresses of pipes by name, on systems where they replace sockets in folders; null elsewhere. control-pipe.ts describes them. */
export type PipeAt = ((name: string) => string) | null
const PIPE_AT: PipeAt = process.platform === 'win32' ? pipeAddress : null

/**
 * The socket path of this data folder. If it is too long for a socket, a path in the temporary folder replaces it. On Windows it is the file that
 * names the pipe.
 */
export function controlPath(dataDir: string, pipeAt: PipeAt = PIPE_AT): string {
  if (pipeAt) return join(dataDir, 'agent', 'control.json')
  const path = join(dataDir, 'agent', 'control.sock')
  if (Buffer.byteLength(path) <= SOCKET_PATH_BYTES) return path
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16)
  return join(socketParentFolder(), `voice-studio-${process.getuid?.() ?? 0}-${name}`, 'control.sock')
}

const foreignFolder = (path: string): string =>
  `Another user can access ${dirname(path)}. Remove it, or choose a data folder with a shorter name (STUDIO_DATA_DIR).`

export type ControlServer = { readonly close: () => void }

/** Null when another running agent holds the socket. A socket without a listener is taken over. Throws FORBIDDEN. */
export async function openControlServer(
  path: string,
  control: AgentControl,
  { clock, log, pipeAt = PIPE_AT }: { readonly clock: Clock; readonly log: Log; readonly pipeAt?: PipeAt },
): Promise<ControlServer | null> {
  if (pipeAt) {
    const { openControlPipe } = await import('./control-pipe.ts')
    return openControlPipe(path, (socket) => answerOn(socket, control, clock, log), { clock, pipeAt })
  }
  privateFolder(dirname(path))
  if (isForeignFolder(dirname(path))) throw new Failure('FORBIDDEN', foreignFolder(path))
  const { server, close } = servingServer((socket) => answerOn(socket, control, clock, log))
  if (await listen(server, path)) return { close }
  const dead = inodeOf(path)
  if (dead !== null && (await isAnswered(path))) return null
  // Moved into place while it listens: a server removes the path it was bound to when it closes, and that must never be the path of another one.
  const own = ownPath(path)
  rmSync(own, { force: true })
  if (!(await listen(server, own))) return null
  const inode = inodeOf(own)
  const isReplaced = () => inodeOf(path) !== inode
  // Several processes may find it dead at the same time. A later one replaces the socket of an earlier one, which then gives up.
  if (inodeOf(path) === dead) renameSync(own, path)
  await clock.sleep(TAKEOVER_MS)
  if (isReplaced()) {
    close()
    return null
  }
  return {
    close() {
      close()
      if (!isReplaced()) rmSync(path, { force: true })
    },
  }
}

let takeovers = 0
/** In the same folder, and no longer than the path that it replaces. */
const ownPath = (path: string): string => join(dirname(path), `.${process.pid.toString(36)}.${(++takeovers % 1000).toString(36)}`)
const inodeOf = (path: string): number | null => statSync(path, { throwIfNoEntry: false })?.ino ?? null

/** A client of the agent that holds the socket. Every call rejects with NOT_READY when there is none, and without a cause when it ends meanwhile. */
export function createControlClient(path: string, clock: Clock, pipeAt: PipeAt = PIPE_AT): AgentControl {
  const connect = async (): Promise<Socket> => {
    if (!pipeAt) return connectTo({ path }, { clock, timeoutMs: CONNECT_MS })
    const { connectToControlPipe } = await import('./control-pipe.ts')
    return connectToControlPipe(path, { clock, pipeAt })
  }
  const ask = async (question: ControlMethod, request: unknown): Promise<unknown> => {
    if (isForeignFolder(dirname(path))) throw new Failure('FORBIDDEN', foreignFolder(path))
    const socket = await connect().catch((cause) => {
      throw new Failure('NOT_READY', 'No agent runs on this machine for this data folder.', { cause })
    })
    try {
      socket.write(`${JSON.stringify({ question, request })}\n`)
      const line = await readLine(socket, { maxBytes: LINE_LIMIT_BYTES, ms: ANSWER_MS, clock }).catch((error: unknown) => {
        if (!(error instanceof Failure && error.code === 'WORKER_UNREACHABLE')) throw error
        const isOver = socket.readableEnded || socket.destroyed
        throw new Failure('NOT_READY', `The agent of this data folder ${isOver ? 'ended before it answered' : 'does not answer'}.`)
      })
      const answer = AnswerLine.parse(JSON.parse(line))
      if (!answer.failure) return AGENT_CONTROL[question].reply.parse(answer.reply)
      const { code, message } = answer.failure
      throw new Failure(isFailureCode(code) ? code : 'UNKNOWN', message)
    } finally {
      socket.destroy()
    }
  }
  const questions = Object.keys(AGENT_CONTROL) as ControlMethod[]
  return Object.fromEntries(
    questions.map((question) => [question, (request: unknown) => ask(question, request)]),
  ) as unknown as AgentControl
}

async function answerOn(socket: Socket, control: AgentControl, clock: Clock, log: Log): Promise<void> {
  const line = await readLine(socket, { maxBytes: LINE_LIMIT_BYTES, ms: QUESTION_MS, clock })
  try {
    const { question, request } = QuestionLine.parse(JSON.parse(line))
    if (!isControlMethod(question)) throw new Failure('BAD_REQUEST', 'The agent does not support this request. Update it.')
    const parsed = AGENT_CONTROL[question].request.safeParse(request)
    if (!parsed.success) throw new Failure('BAD_REQUEST', `${question}: ${parsed.error.issues[0]?.message}`)
    const reply = await (control[question] as (request: unknown) => Promise<unknown>)(parsed.data)
    socket.end(`${JSON.stringify({ reply })}\n`)
  } catch (error) {
    if (!(error instanceof Failure)) log.error({ err: error }, 'a control request failed unexpectedly')
    const { code, message } = Failure.from(error)
    socket.end(`${JSON.stringify({ failure: { code, message } })}\n`)
  }
}

const listen = (server: Server, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const refused = () => resolve(false)
    server.once('error', refused)
    server.listen(path, () => {
      server.off('error', refused)
      resolve(true)
    })
  })

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(path)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
