// Clients that have proved the API key or the key of a person once: browsers with a cookie, programs with a bearer token. Kept in memory only,
// so a restart, and with it every change of the API key, ends all of them. One of a person ends with its key.
import { createHash } from 'node:crypto'
import { currentClient, type PersonSender } from '#control-plane/clients/client.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { SignIn, Transport } from '../contract/caller.ts'

export type SignIns = ReturnType<typeof createSignIns>
type Kept = SignIn & { readonly source: string; readonly begun: Moment; used: Moment; readonly end: () => void; unwatch: () => void }
type Ticket = { readonly signIn: SignIn; readonly path: string; readonly given: Moment }
/** On both clocks: the wall clock may be set back, and the monotonic one stands still while the machine sleeps. */
type Moment = { readonly wall: number; readonly mono: number }
type Given = {
  readonly token: string
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

export const LIFETIME_MS = 8 * 60 * 60_000
/** A browser that has sent nothing for this long is signed out. The expiry of a bearer token was announced to its program and stays. */
const IDLE_MS = 2 * 60 * 60_000
export const TICKET_MS = 30_000
const SIGN_INS = 256
/** Tickets of one sign-in; a further one ends its oldest. */
const TICKETS = 32
const SECRET_BYTES = 32
export const COOKIE = 'svc_session'
const TOKEN_PREFIX = 'svc_admin_session_'
const TICKET_PREFIX = 'svc_ws_ticket_'

/** The cookie of a browser; empty text and 0 seconds delete it. `isSecure`: the page came over TLS. */
export const signInCookie = (
  token: string,
  { seconds, cookiePath, isSecure }: { readonly seconds: number; readonly cookiePath: string; readonly isSecure: boolean },
): string => `${COOKIE}=${token}; Path=${cookiePath}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

/** Such a text is no API key that was guessed. */
export const isToken = (text: string): boolean => text.startsWith(TOKEN_PREFIX)

export function createSignIns({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
  // By the digest of the token or ticket, oldest first. The texts themselves are not kept.
  const kept = new Map<string, Kept>()
  const tickets = new Map<string, Ticket>()

  const moment = (): Moment => ({ wall: clock.now(), mono: clock.mono() })
  const since = ({ wall, mono }: Moment): number => Math.max(clock.now() - wall, clock.mono() - mono)
  const remaining = ({ transport, begun, used }: Kept): number =>
    Math.min(LIFETIME_MS - since(begun), transport === 'cookie' ? IDLE_MS - since(used) : LIFETIME_MS)

  function drop(name: string, one: Kept): void {
    kept.delete(name)
    for (const [ticket, { signIn }] of tickets) if (signIn === one) tickets.delete(ticket)
    one.unwatch()
    one.end()
  }

  /** Ends it when its time is over, so that its streams end as well. */
  function watch(name: string, one: Kept): void {
    const ms = remaining(one)
    if (ms <= 0) drop(name, one)
    else one.unwatch = clock.after(ms, () => watch(name, one))
  }

  /** The oldest one of the source with the most, so that no client signs others out. */
  function displaceOne(): void {
    const counts = new Map<string, number>()
    for (const { source } of kept.values()) counts.set(source, (counts.get(source) ?? 0) + 1)
    const most = Math.max(...counts.values())
    const [name, one] = [...kept].find(([, { source }]) => counts.get(source) === most)!
    drop(name, one)
  }

  return {
    /** `person`: whose key or account it was; null for the API key. */
    begin(transport: Transport, person: PersonSender | null = null): Given {
      const token = TOKEN_PREFIX + random.bytes(SECRET_BYTES).toString('base64url')
      const ending = new AbortController()
      const now = moment()
      const { source } = currentClient()
      const name = digest(token)
      const withKey = () => drop(name, one)
      const one: Kept = {
        ...{ transport, ended: ending.signal, person, source, begun: now, used: now, unwatch: () => {} },
        end() {
          person?.ended.removeEventListener('abort', withKey)
          ending.abort()
        },
      }
      kept.set(name, one)
      watch(name, one)
      person?.ended.addEventListener('abort', withKey, { once: true })
      if (person?.ended.aborted) drop(name, one)
      if (kept.size > SIGN_INS) displaceOne()
      return { token, expiresAt: clock.now() + LIFETIME_MS }
    },
    /** Null for an unknown, expired or ended token, and for one of the other transport. */
    find(token: string, transport: Transport): SignIn | null {
      const one = kept.get(digest(token))
      if (one?.transport !== transport || remaining(one) <= 0) return null
      one.used = moment()
      return one
    },
    /** A sign-in that has ended already is no error. */
    end(signIn: SignIn): void {
      for (const [name, one] of kept) if (one === signIn) drop(name, one)
    },
    /** A ticket for one WebSocket handshake on this path. */
    ticket(signIn: SignIn, path: string): Given {
      const token = TICKET_PREFIX + random.bytes(SECRET_BYTES).toString('base64url')
      tickets.set(digest(token), { signIn, path, given: moment() })
      const own = [...tickets].flatMap(([name, one]) => (one.signIn === signIn ? [name] : []))
      for (const name of own.slice(0, -TICKETS)) tickets.delete(name)
      return { token, expiresAt: clock.now() + TICKET_MS }
    },
    /** The sign-in of a ticket, which is used up by this; null when it is not valid for the path, or no longer. */
    redeem(token: string, path: string): SignIn | null {
      const name = digest(token)
      const ticket = tickets.get(name)
      tickets.delete(name)
      if (!ticket || ticket.path !== path || since(ticket.given) >= TICKET_MS || ticket.signIn.ended.aborted) return null
      return ticket.signIn
    },
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64')
