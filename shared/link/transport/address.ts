// The address of a socket: a TCP port, or a Unix socket path.
import net, { type Server, type Socket } from 'node:net'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'

export type Address = { readonly host: string; readonly port: number } | { readonly path: string }

export function formatAddress(address: Address): string {
  if ('path' in address) return address.path
  return address.host.includes(':') ? `[${address.host}]:${address.port}` : `${address.host}:${address.port}`
}

/** Reads `host:port` and `[v6]:port`; null for anything else. */
export function parseAddress(text: string): { host: string; port: number } | null {
  const parts = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+)):(\d{1,5})$/.exec(text)
  const host = parts?.[1] ?? parts?.[2]
  const port = Number(parts?.[3])
  return host && port > 0 && port < 65_536 ? { host, port } : null
}

/** The peer's host for logs and limits: `1.2.3.4`, or `local` for a Unix socket. */
export const remoteHost = (socket: Socket): string => socket.remoteAddress ?? 'local'
export const remoteAddress = (socket: Socket): string =>
  socket.remoteAddress ? formatAddress({ host: socket.remoteAddress, port: socket.remotePort ?? 0 }) : 'local'

/** Options of every link socket: no delay for small messages, and keepalives so that the kernel detects dead peers. */
export const tune = (socket: Socket): Socket => socket.setNoDelay(true).setKeepAlive(true, 15_000)

const CHECK = 'Check that the other side is running and that no firewall blocks the port.'
/** By the code of the system's error. */
const CONNECT_ERRORS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no program listens there',
  ENOENT: 'no program listens there',
  ENOTFOUND: 'the name of the host is unknown',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ECONNRESET: 'the connection was closed',
}
/** Rejects with WORKER_UNREACHABLE that contains the address. */
export function connectTo(address: Address, options: { clock: Clock; timeoutMs: number; signal?: AbortSignal }): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect('path' in address ? { path: address.path } : { host: address.host, port: address.port })
    const fail = (why: string, cause?: unknown) => {
      cancelTimer()
      options.signal?.removeEventListener('abort', aborted)
      socket.destroy()
      reject(new Failure('WORKER_UNREACHABLE', `No answer from ${formatAddress(address)}: ${why}. ${CHECK}`, { cause }))
    }
    const failed = (error: NodeJS.ErrnoException) => fail(CONNECT_ERRORS[error.code ?? ''] ?? error.message, error)
    const aborted = () => fail('aborted', options.signal?.reason)
    const cancelTimer = options.clock.after(options.timeoutMs, () => fail('timed out'))
    options.signal?.addEventListener('abort', aborted, { once: true })
    if (options.signal?.aborted) aborted()
    socket.once('error', failed)
    socket.once('connect', () => {
      cancelTimer()
      options.signal?.removeEventListener('abort', aborted)
      socket.off('error', failed)
      // The owner watches 'close'; an 'error' event without a listener would end the process.
      socket.on('error', () => {})
      resolve(tune(socket))
    })
  })
}

/** By the code of the system's error. */
const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses this port; choose another one',
  EADDRNOTAVAIL: 'this machine does not have this address',
  EACCES: 'this port needs special permissions; choose one above 1023',
  ENOTFOUND: 'the name of this address is unknown',
}
const reasonOf = ({ code = '', message }: NodeJS.ErrnoException): string => LISTEN_ERRORS[code] ?? message

/**
 * Resolves with the bound port. Rejects with CONFLICT when the address is taken. The backlog is large enough for a fleet that reconnects at
 * once: a connection that the kernel drops is retried only after seconds.
 */
export function listenOn(server: Server, address: Address): Promise<Address> {
  return new Promise((resolve, reject) => {
    const failed = (cause: NodeJS.ErrnoException) =>
      reject(new Failure('CONFLICT', `Cannot listen on ${formatAddress(address)}: ${reasonOf(cause)}.`, { cause }))
    server.once('error', failed)
    server.listen({ ...address, backlog: 1024 }, () => {
      server.off('error', failed)
      const bound = server.address() as Exclude<ReturnType<Server['address']>, null>
      resolve(typeof bound === 'string' ? { path: bound } : { host: bound.address, port: bound.port })
    })
  })
}

/** A server whose connections end with it, and whose connections end when `serve` rejects. It does not listen yet. */
export function servingServer(serve: (socket: Socket) => Promise<void>): { readonly server: Server; readonly close: () => void } {
  const sockets = new Set<Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
    serve(socket).catch(() => socket.destroy())
  })
  return {
    server,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
