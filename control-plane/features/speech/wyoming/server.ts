// The port for clients of the Wyoming protocol: who may connect, and how many.
import { createServer, type Server, type Socket } from 'node:net'
import { asClient, type Client } from '#control-plane/clients/client.ts'
import { createPlaces } from '#control-plane/clients/places.ts'
import { createTrustedNetworks } from '#control-plane/http/access/trusted-networks.ts'
import { isLoopback } from '#control-plane/http/contract/caller.ts'
import { sourceOf } from '#control-plane/http/limits/source.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Settings } from '#shared/protocol/settings.ts'
import { type ConnectionDeps, serveWyoming } from './connection.ts'
import { bytesOfEvent } from './frames.ts'

type Deps = ConnectionDeps & {
  readonly settings: Pick<Settings, 'serverMode'> & { readonly wyoming: NonNullable<Settings['wyoming']> }
}
const CONNECTIONS_PER_CLIENT = 16
/** Milliseconds between two refusals in the log. */
const LOGGED_EVERY_MS = 60_000
/** Time for a client that is refused to take the reason. */
const REFUSED_MS = 5_000
/** Refused clients to which the reason is told at once; others are closed without it. */
const REFUSED_AT_ONCE = 64

/** Throws CONFLICT if the port is taken or the system refuses it. The result ends every connection, and resolves then. */
export async function openWyoming(deps: Deps): Promise<() => Promise<void>> {
  const { settings, clock, log } = deps
  const { host, port, networks } = settings.wyoming
  const isNamed = createTrustedNetworks(networks)
  const places = createPlaces({ perClient: CONNECTIONS_PER_CLIENT, what: 'Wyoming connections' })
  const running = new Map<Socket, { readonly ended: AbortController; readonly done: Promise<void> }>()
  const refused = new Set<Socket>()
  let loggedAt = Number.NEGATIVE_INFINITY

  const mayUse = (address: string): boolean => isNamed(address) || (!settings.serverMode && isLoopback(address))

  function refuse(socket: Socket, address: string): void {
    socket.destroy()
    if (clock.mono() - loggedAt < LOGGED_EVERY_MS) return
    loggedAt = clock.mono()
    log.warn({ address }, 'a Wyoming client was refused: STUDIO_WYOMING_NETWORKS does not name its network')
  }

  /** It is not waited for: a client that does not close its side would keep the socket for ever. */
  function tellFull(socket: Socket, { message }: Failure): void {
    if (refused.size >= REFUSED_AT_ONCE) return void socket.destroy()
    refused.add(socket)
    const forget = clock.after(REFUSED_MS, () => socket.destroy())
    socket.once('close', () => {
      forget()
      refused.delete(socket)
    })
    socket.end(bytesOfEvent('error', { text: message, code: 'queue_full' }))
    socket.resume()
  }

  function accept(socket: Socket): void {
    socket.on('error', () => socket.destroy())
    const address = socket.remoteAddress ?? ''
    if (!mayUse(address)) return refuse(socket, address)
    const source = sourceOf(address)
    const client: Client = { source, name: source, id: `address:${source}`, isOwner: false }
    const full = places.refusal(client)
    if (full) return tellFull(socket, full)
    const leave = places.take(1, client)
    const ended = new AbortController()
    const done = asClient(client, () => serveWyoming(socket, deps, ended))
    running.set(socket, { ended, done })
    socket.once('close', () => {
      running.delete(socket)
      leave()
    })
  }

  // Half-open: the answer to a client that has sent everything is still written.
  const listener = createServer({ allowHalfOpen: true, noDelay: true }, accept)
  await listening(listener, host, port)
  // Such as too many open files: the next client may be accepted again.
  listener.on('error', (error) => log.warn({ err: error.message }, 'a Wyoming client was not accepted'))
  const address = listener.address()
  log.info({ host, port: typeof address === 'object' ? address?.port : port }, 'the Wyoming port is open')
  return async () => {
    const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
    const ending = [...running]
    for (const socket of refused) socket.destroy()
    for (const [socket, { ended }] of ending) {
      ended.abort(new Failure('CANCELLED', 'The studio is stopping.'))
      socket.destroy()
    }
    await Promise.all(ending.map(([, { done }]) => done))
    await closed
  }
}

const listening = (listener: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'another program uses it' : `the system refuses it (${cause.code})`
      reject(
        new Failure('CONFLICT', `The Wyoming port ${host}:${port} cannot be opened: ${why}. Choose another STUDIO_WYOMING_PORT.`, {
          cause,
        }),
      )
    }
    listener.once('error', fail)
    listener.listen({ host, port }, () => {
      listener.off('error', fail)
      resolve()
    })
  })
