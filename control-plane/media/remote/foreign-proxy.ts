// A proxy for one program that reads pages of strangers and follows their redirects. It listens on this machine only, asks for a password that
// only that program has, and connects to addresses that are allowed and to nothing else.
import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { Failure } from '#shared/protocol/failure.ts'
import { createServer, request } from '#shared/runtime/builtin/http.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createHostAddresses, type ForeignNetwork, fixedLookup } from './foreign-network.ts'

export type ForeignProxy = {
  /** Address with the password. Never for the arguments of a program, which others can read. */
  readonly url: string
  /** Reason for the last refused connection; null when none was. */
  readonly refusal: () => Failure | null
  /** Ends every connection. */
  readonly close: () => Promise<void>
}
const PASSWORD_BYTES = 16
const CONNECTIONS = 64
const CONNECT_MS = 15_000
/** Other ports below it belong to services other than the web. */
const LOWEST_FREE_PORT = 1024
const WEB_PORTS = [80, 443]
/** Belong to one connection, or to the proxy. */
const OWN_HEADERS = new Set(['connection', 'proxy-connection', 'proxy-authorization', 'keep-alive', 'te', 'upgrade'])

export async function openForeignProxy(
  network: ForeignNetwork,
  clock: Pick<Clock, 'after'>,
  random: Pick<Random, 'hex'>,
): Promise<ForeignProxy> {
  const addressesOf = createHostAddresses(network)
  const password = random.hex(PASSWORD_BYTES)
  const expected = Buffer.from(`Basic ${Buffer.from(`studio:${password}`).toString('base64')}`)
  const sockets = new Set<Duplex>()
  let lastRefusal: Failure | null = null
  const track = <S extends Duplex>(socket: S): S => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const isOurs = ({ headers }: IncomingMessage): boolean => {
    const given = Buffer.from(headers['proxy-authorization'] ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  }
  const statusOf = (error: unknown): number => {
    const failure = Failure.from(error)
    if (failure.code !== 'DOWNLOAD_REFUSED' && failure.code !== 'HOST_NOT_FOUND') return 502
    lastRefusal = failure
    return 403
  }
  async function open(host: string, port: number): Promise<Socket> {
    requirePort(port)
    const addresses = await addressesOf(host)
    return await new Promise((resolve, reject) => {
      const socket = track(connect({ host, port, lookup: fixedLookup(addresses) }))
      const forget = clock.after(CONNECT_MS, () => socket.destroy(new Error('The server did not answer.')))
      socket.once('connect', () => {
        forget()
        resolve(socket)
      })
      socket.once('error', reject)
      socket.once('close', () => {
        forget()
        reject(new Error('The connection was closed.'))
      })
    })
  }

  async function tunnel(asked: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    track(client)
    if (!isOurs(asked)) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\nconnection: close\r\n\r\n')
    try {
      const target = URL.parse(`http://${asked.url ?? ''}`)
      if (target === null || target.pathname !== '/') throw new Failure('DOWNLOAD_REFUSED', 'The program asked for an unusable address.')
      // A URL leaves out the port of its scheme.
      const server = await open(target.hostname, Number(target.port || 80))
      if (client.destroyed) return void server.destroy()
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      server.write(head)
      server.pipe(client).pipe(server)
      client.once('close', () => server.destroy())
      server.once('close', () => client.destroy())
    } catch (error) {
      client.end(`HTTP/1.1 ${statusOf(error)} Refused\r\nconnection: close\r\n\r\n`)
    }
  }

  async function forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (!isOurs(asked)) return void answer.writeHead(407, { connection: 'close' }).end()
    try {
      const target = URL.parse(asked.url ?? '')
      if (target === null || target.protocol !== 'http:')
        throw new Failure('DOWNLOAD_REFUSED', 'The program asked for an unusable address.')
      const port = Number(target.port || 80)
      requirePort(port)
      const lookup = fixedLookup(await addressesOf(target.hostname))
      const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !OWN_HEADERS.has(name)))
      const onward = request({
        host: target.hostname,
        port,
        method: asked.method ?? 'GET',
        path: `${target.pathname}${target.search}`,
        headers: { ...headers, connection: 'close' },
        agent: false,
        lookup,
      })
      answer.once('close', () => onward.destroy())
      onward.once('response', (reply) => {
        answer.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(answer)
        // An answer that breaks off must not look complete.
        reply.once('aborted', () => answer.destroy())
      })
      const fail = () => (answer.headersSent ? answer.destroy() : answer.writeHead(502, { connection: 'close' }).end())
      onward.once('error', fail)
      // The only event of a server that switches to another protocol.
      onward.once('close', () => !answer.headersSent && fail())
      asked.pipe(onward)
    } catch (error) {
      answer.writeHead(statusOf(error), { connection: 'close' }).end()
    }
  }

  const server = createServer((asked, answer) => void forward(asked, answer))
  server.maxConnections = CONNECTIONS
  server.on('connection', track)
  server.on('connect', (asked, client, head) => void tunnel(asked, client, head))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://studio:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    refusal: () => lastRefusal,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function requirePort(port: number): void {
  if (WEB_PORTS.includes(port) || port >= LOWEST_FREE_PORT) return
  throw new Failure('DOWNLOAD_REFUSED', `Port ${port} belongs to another service than the web.`)
}
