// One GET of a file that a stranger publishes: https only, hosts of a list at every redirect, public addresses only, and limits on size and
// time. The addresses that were checked are the ones that are connected to, so another answer of the name server changes nothing.
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { type ForeignAddress, type ForeignNetwork, fixedLookup, INTERNET } from '#control-plane/media/remote/foreign-network.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { onHosts } from './address.ts'

export type PublicReply = {
  readonly status: 200 | 304
  readonly body: Buffer
  readonly etag: string | null
  readonly lastModified: string | null
}
export type PublicRequest = {
  readonly bytes: number
  readonly ms: number
  readonly etag?: string | null
  readonly lastModified?: string | null
  readonly signal: AbortSignal
}
/** Throws DOWNLOAD_REFUSED for everything but the whole file or 304, and the reason of the signal. */
export type PublicFetch = (url: string, wanted: PublicRequest) => Promise<PublicReply>
/** Resolution of names to connections. Only tests give another one. */
export type Network = ForeignNetwork & {
  readonly port: number
  /** Certificates that are trusted in place of those of the system. */
  readonly ca?: string
}
type Deps = { readonly hosts: readonly string[]; readonly version: string; readonly clock: Clock; readonly network?: Network }

const REDIRECTS = 3
const VALIDATOR_CHARS = 256

const refusal = (message: string, cause?: unknown) => new Failure('DOWNLOAD_REFUSED', message, { cause })

export function createPublicFetch({ hosts, version, clock, network = { ...INTERNET, port: 443 } }: Deps): PublicFetch {
  /** Every address of the name has to be allowed. */
  async function addressesOf(host: string): Promise<readonly ForeignAddress[]> {
    const found = await network.resolve(host).catch((cause: unknown) => {
      throw new Failure('HOST_NOT_FOUND', `The address of ${host} was not found. This machine may be offline.`, { cause, values: { host } })
    })
    if (found.length === 0 || !found.every(({ address }) => network.isAllowed(address)))
      throw refusal(`${host} has an address that does not belong to the Internet.`)
    return found
  }

  async function open(url: URL, headers: Record<string, string>, signal: AbortSignal): Promise<IncomingMessage> {
    const addresses = await addressesOf(url.hostname)
    signal.throwIfAborted()
    return new Promise((resolve, reject) => {
      const call = request(
        {
          host: url.hostname,
          servername: url.hostname,
          port: network.port,
          path: `${url.pathname}${url.search}`,
          headers: { host: url.hostname, ...headers },
          agent: false,
          lookup: fixedLookup(addresses),
          signal,
          ...(network.ca !== undefined && { ca: network.ca }),
        },
        resolve,
      )
      call.once('error', (cause) => reject(refusal(`${url.hostname} did not answer: ${cause.message}.`, cause)))
      call.end()
    })
  }

  return async (address, { bytes, ms, etag, lastModified, signal }) => {
    const late = new AbortController()
    const forget = clock.after(ms, () => late.abort(refusal(`The file did not arrive within ${Math.round(ms / 1000)} seconds.`)))
    const either = AbortSignal.any([signal, late.signal])
    const headers = {
      'user-agent': `voice-studio/${version}`,
      // A compressed file could be much larger than what arrives.
      'accept-encoding': 'identity',
      ...(etag && { 'if-none-match': etag }),
      ...(lastModified && { 'if-modified-since': lastModified }),
    }
    try {
      let url = allowed(address, hosts)
      for (let redirects = 0; ; redirects++) {
        const answer = await open(url, headers, either)
        const { statusCode: status = 0, headers: received } = answer
        if (status >= 300 && status < 400 && status !== 304) {
          answer.destroy()
          if (redirects >= REDIRECTS) throw refusal(`The server redirected more than ${REDIRECTS} times.`)
          url = allowed(received.location ?? '', hosts, url)
          continue
        }
        if (status === 304 && (etag || lastModified)) {
          answer.destroy()
          return { status: 304, body: Buffer.alloc(0), etag: etag ?? null, lastModified: lastModified ?? null }
        }
        if (status !== 200) {
          answer.destroy()
          throw refusal(`${url.hostname} answered with status ${status}.`)
        }
        const body = await bodyOf(answer, bytes)
        return { status: 200, body, etag: validator(received.etag), lastModified: validator(received['last-modified']) }
      }
    } catch (error) {
      signal.throwIfAborted()
      late.signal.throwIfAborted()
      throw error instanceof Failure ? error : refusal('The file could not be fetched.', error)
    } finally {
      forget()
    }
  }
}

function allowed(address: string, hosts: readonly string[], base?: URL): URL {
  const url = onHosts(address, hosts, base)
  if (url === null) throw refusal(`Files are fetched with https from these hosts only: ${hosts.join(', ')}.`)
  return url
}

async function bodyOf(answer: IncomingMessage, most: number): Promise<Buffer> {
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  const pieces: Buffer[] = []
  let size = 0
  try {
    if (encoding !== 'identity') throw refusal('The server sent a compressed file.')
    for await (const piece of answer as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > most) throw refusal(`The file is larger than ${most} bytes.`)
      pieces.push(piece)
    }
    return Buffer.concat(pieces)
  } finally {
    answer.destroy()
  }
}

const validator = (value: string | undefined): string | null =>
  value !== undefined && value.length <= VALIDATOR_CHARS && /^[\x20-\x7e]+$/.test(value) ? value : null
