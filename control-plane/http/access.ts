// Access control for every route. A web page in a browser also calls from this machine, so the address alone proves nothing: a request
// with an unknown Host name (DNS rebinding) or from a foreign page (Origin, Sec-Fetch-Site) is refused on every route.
import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { Failure } from '#shared/protocol/failure.ts'
import type { Access } from './contract.ts'

export type Caller = {
  readonly address: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}
export type AccessGate = (access: Access, caller: Caller) => void

/** Origins of web clients that are served elsewhere and may call this API. */
const CLIENT_ORIGINS = ['http://localhost:3901', 'http://127.0.0.1:3901', 'tauri://localhost', 'http://tauri.localhost']

export const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address)

/** `host`: the address the studio listens on. The gate throws FORBIDDEN or UNAUTHORIZED. */
export function createAccessGate({ host, apiKey }: { readonly host: string; readonly apiKey: string | null }): AccessGate {
  const key = apiKey === null ? null : digest(apiKey)
  const named = new Set(['localhost', host.toLowerCase()])

  function isOurs(authority: string): boolean {
    const name = /^(\[[0-9a-fA-F:.]+\]|[^:]*)(?::\d+)?$/.exec(authority)?.[1]?.toLowerCase()
    // DNS rebinding needs a name; a literal address cannot be rebound.
    return name !== undefined && (named.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0)
  }

  // The three short texts are part of the specification; clients compare them.
  return (access, { address, headers }) => {
    const authority = one(headers['host']) ?? ''
    if (!isOurs(authority))
      throw new Failure(
        'FORBIDDEN',
        `The Host ${authority.slice(0, 100)} is not a name of this studio. Call it by an address or by localhost.`,
      )
    const origin = one(headers['origin'])
    if (origin !== undefined && !isAllowedOrigin(origin, authority)) throw new Failure('FORBIDDEN', 'browser origin rejected')
    if (one(headers['sec-fetch-site']) === 'cross-site' && origin === undefined) throw new Failure('FORBIDDEN', 'browser origin rejected')
    if (access === 'open' || isLoopback(address)) return
    if (access === 'admin') throw new Failure('FORBIDDEN', 'loopback origin required')
    const bearer = /^Bearer (.+)$/.exec(one(headers['authorization']) ?? '')?.[1]
    if (key === null || bearer === undefined || !timingSafeEqual(digest(bearer), key)) throw new Failure('UNAUTHORIZED', 'API key required')
  }
}

/** The pages of the studio itself, and the clients of CLIENT_ORIGINS. */
export const isAllowedOrigin = (origin: string, authority: string): boolean =>
  CLIENT_ORIGINS.includes(origin) || origin === `http://${authority}` || origin === `https://${authority}`

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
// Digests have equal lengths, so the comparison does not reveal the length of the key.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
