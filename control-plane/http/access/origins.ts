// Names and origins of the studio. A page of another site also calls from this machine, so an address alone proves nothing.
import { isIP } from 'node:net'
import { isLoopback } from '../contract/caller.ts'

export type Origins = ReturnType<typeof createOrigins>
type Parts = {
  readonly host: string
  /** Null: no key is configured. */
  readonly apiKey?: string | null
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  /** Names of this machine in other networks, in lower case. They count on the shared port only, where no sender is local. */
  readonly sharedNames?: () => readonly string[]
}

/** Origins of web clients that are served elsewhere. Any program can take such a name, so it gives no right to administer. */
const CLIENT_ORIGINS = ['http://localhost:3901', 'http://127.0.0.1:3901', 'tauri://localhost', 'http://tauri.localhost']

/** The name or address of a Host header in lower case, without its port; null for a header that is none. */
const nameIn = (authority: string): string | null =>
  /^(\[[0-9a-fA-F:.]+\]|[^:]*)(?::\d+)?$/
    .exec(authority)?.[1]
    ?.toLowerCase()
    .replace(/^\[|\]$/g, '') ?? null

/** `host`: the address the studio listens on. `allowedHosts`, `allowedOrigins`: what the owner has configured, in lower case. */
export function createOrigins({ host, apiKey = null, allowedHosts, allowedOrigins, sharedNames = () => [] }: Parts) {
  const named = new Set(['localhost', host.toLowerCase(), ...allowedHosts])
  const configured = new Set(allowedOrigins)
  const isTrusted = (origin: string, authority: string): boolean =>
    configured.has(origin) || origin === `http://${authority}` || origin === `https://${authority}`

  function isOurs(authority: string, isShared = false): boolean {
    const name = nameIn(authority)
    return name !== null && (named.has(name) || isIP(name) !== 0 || (isShared && sharedNames().includes(name)))
  }

  return {
    /** True if a Host header is a name of this studio. DNS rebinding needs a name; a literal address cannot be rebound. */
    isOurs,
    /**
     * True if a program of this machine writes such a Host header. A studio with a key is called from elsewhere as well, through a proxy under
     * its other names; without a key no other machine may call it.
     */
    isLocal(authority: string): boolean {
      const name = nameIn(authority)
      return name === 'localhost' || (name !== null && isIP(name) !== 0 && isLoopback(name)) || (apiKey === null && isOurs(authority))
    },
    /** The pages of the studio itself, and the origins that the owner has configured. */
    isTrusted,
    /** True also for the clients of CLIENT_ORIGINS. */
    isAllowed: (origin: string, authority: string): boolean => isTrusted(origin, authority) || CLIENT_ORIGINS.includes(origin),
  }
}
