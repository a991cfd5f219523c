// The control connection of an agent on Windows, where it is a pipe. Every user of a machine sees the names of its pipes and may open a pipe of any
// free name, so each server takes a new name and a new key and writes both into a file of the data folder, which only its user can read. Both
// ends prove that they hold the key before a request is sent: a pipe that another user opened under the name of an agent that was killed
// learns nothing.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import { ControlPipe } from '#shared/protocol/agent-control.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import { type Random, systemRandom } from '#shared/runtime/random.ts'
import type { ControlServer } from './agent-control.ts'
import { connectTo, servingServer } from './transport/address.ts'
import { readLine } from './transport/peek.ts'

type Options = { readonly clock: Clock; readonly pipeAt: (name: string) => string; readonly random?: Random }

const CONNECT_MS = 2_000
const PROOF_MS = 5_000
/** Servers that start at the same moment write one after another; after this time the last one has written. */
const TAKEOVER_MS = 200
const BYTES = 32
const LINE_BYTES = 200
const FILE_CHARS = 1_000
const HEX = /^[0-9a-f]{64}$/

/** Null when another running agent holds the data folder. `serve` gets each connection whose other end has proved itself. */
export async function openControlPipe(
  path: string,
  serve: (socket: Socket) => Promise<void>,
  options: Options,
): Promise<ControlServer | null> {
  const { clock, pipeAt, random = systemRandom } = options
  privateFolder(dirname(path))
  const before = readPipe(path)
  if (before && (await isServed(path, options))) return null
  const own: ControlPipe = { pipe: `voice-studio-${random.hex(BYTES)}`, key: random.hex(BYTES) }
  const { server, close } = servingServer(async (socket) => {
    await proveAsServer(socket, own, clock, random)
    await serve(socket)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(pipeAt(own.pipe), resolve))
  if (readPipe(path)?.pipe === before?.pipe) writeAtomic(path, JSON.stringify(own))
  await clock.sleep(TAKEOVER_MS)
  const isReplaced = () => readPipe(path)?.pipe !== own.pipe
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

/** A connection to the agent of the file whose both ends are proved. Rejects with NOT_READY when there is none. */
export async function connectToControlPipe(path: string, { clock, pipeAt, random = systemRandom }: Options): Promise<Socket> {
  const found = readPipe(path)
  if (!found) throw new Failure('NOT_READY', 'No agent has named its pipe.')
  const socket = await connectTo({ path: pipeAt(found.pipe) }, { clock, timeoutMs: CONNECT_MS })
  try {
    const challenge = random.hex(BYTES)
    socket.write(`${challenge}\n`)
    const [proof = '', theirs = ''] = (await readLine(socket, { maxBytes: LINE_BYTES, ms: PROOF_MS, clock })).split(' ')
    if (!isProof(proof, found, 'server', challenge) || !HEX.test(theirs)) throw new Failure('NOT_READY', 'Another program holds the pipe.')
    socket.write(`${proofOf(found, 'client', theirs)}\n`)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}

async function proveAsServer(socket: Socket, own: ControlPipe, clock: Clock, random: Random): Promise<void> {
  const limits = { maxBytes: LINE_BYTES, ms: PROOF_MS, clock }
  const theirs = await readLine(socket, limits)
  if (!HEX.test(theirs)) throw new Failure('BAD_REQUEST', 'The connection did not begin with a challenge.')
  const challenge = random.hex(BYTES)
  socket.write(`${proofOf(own, 'server', theirs)} ${challenge}\n`)
  if (!isProof(await readLine(socket, limits), own, 'client', challenge)) throw new Failure('AUTH_FAILED', 'The connection has no key.')
}

/** `end`: an answer of one end is none of the other, so that it cannot be sent back. */
const proofOf = ({ key }: ControlPipe, end: 'client' | 'server', challenge: string): string =>
  createHmac('sha256', Buffer.from(key, 'hex')).update(`${end} ${challenge}`).digest('hex')

const isProof = (proof: string, pipe: ControlPipe, end: 'client' | 'server', challenge: string): boolean =>
  HEX.test(proof) && timingSafeEqual(Buffer.from(proof), Buffer.from(proofOf(pipe, end, challenge)))

const isServed = (path: string, options: Options): Promise<boolean> =>
  connectToControlPipe(path, options).then(
    (socket) => {
      socket.destroy()
      return true
    },
    () => false,
  )

/** Null without a file, or for one that a stopped machine left half. */
function readPipe(path: string): ControlPipe | null {
  try {
    const text = readFileSync(path, 'utf8')
    return text.length > FILE_CHARS ? null : (ControlPipe.safeParse(JSON.parse(text)).data ?? null)
  } catch {
    return null
  }
}
