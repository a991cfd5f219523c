// Who may call what. A page in a browser runs on this machine too, so an address of this machine is not enough: a request whose Host
// is a name we do not go by (DNS rebinding) or which a foreign page sent (Origin, Sec-Fetch-Site) is refused on every row.
import { createHash, timingSafeEqual } from 'node:crypto'
import { isIP } from 'node:net'
import { Failure } from '#shared/protocol/failure.ts'
import type { Access } from './contract.ts'

export type Caller = {
  readonly address: string
  readonly method: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}
export type Gate = (access: Access, caller: Caller) => void

/** Panels that are allowed to call from an origin of their own. */
const PANELS = ['http://localhost:3901', 'http://127.0.0.1:3901', 'tauri://localhost', 'http://tauri.localhost']

export const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127\./.test(address)

/** `host`: what the studio listens on. Throws FORBIDDEN or UNAUTHORIZED. */
export function createGate({ host, apiKey }: { readonly host: string; readonly apiKey: string | null }): Gate {
  const key = apiKey === null ? null : digest(apiKey)
  const named = new Set(['localhost', host.toLowerCase()])

  function isOurs(authority: string): boolean {
    const name = /^(\[[0-9a-fA-F:.]+\]|[^:]*)(?::\d+)?$/.exec(authority)?.[1]?.toLowerCase()
    // An address cannot be rebound; a name can, unless it is ours.
    return name !== undefined && (named.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0)
  }

  return (access, { address, headers }) => {
    const authority = one(headers['host']) ?? ''
    if (!isOurs(authority)) throw new Failure('FORBIDDEN', `this studio does not go by the name ${authority.slice(0, 100)}`)
    const origin = one(headers['origin'])
    if (origin !== undefined && !isAllowedOrigin(origin, authority)) throw new Failure('FORBIDDEN', 'browser origin rejected')
    if (one(headers['sec-fetch-site']) === 'cross-site' && origin === undefined) throw new Failure('FORBIDDEN', 'browser origin rejected')
    if (access === 'open' || isLoopback(address)) return
    if (access === 'admin') throw new Failure('FORBIDDEN', 'loopback origin required')
    const bearer = /^Bearer (.+)$/.exec(one(headers['authorization']) ?? '')?.[1]
    if (key === null || bearer === undefined || !timingSafeEqual(digest(bearer), key)) throw new Failure('UNAUTHORIZED', 'API key required')
  }
}

/** Our own pages, and the panels. */
export const isAllowedOrigin = (origin: string, authority: string): boolean =>
  PANELS.includes(origin) || origin === `http://${authority}` || origin === `https://${authority}`

const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value)
// Equal lengths for the comparison, and nothing about the length of the key in its time.
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
