import { LIFETIME_MS, signInCookie, TICKET_MS } from '#control-plane/http/access/sign-ins.ts'
import type { BasePath } from '#control-plane/http/contract/base-path.ts'
import { bearerOf, type Headers, one } from '#control-plane/http/contract/caller.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { noContent } from '#control-plane/http/contract/respond.ts'
import { authContracts } from './auth.contract.ts'
import type { AuthService } from './auth.service.ts'

const LIFETIME_S = LIFETIME_MS / 1000

export const authRoutes = (auth: AuthService, { cookiePath }: Pick<BasePath, 'cookiePath'>): Route[] => [
  handle(authContracts.startSession, ({ body, headers, caller }) => {
    const { transport } = body
    const { token, expiresAt } = auth.signIn(bearerOf(headers), transport, caller)
    if (transport === 'cookie') return noContent({ 'set-cookie': cookie(token, { seconds: LIFETIME_S, cookiePath, headers }) })
    const session = { token, expires_at: expiresAt / 1000, expires_in: LIFETIME_S }
    return { status: 201, type: 'application/json; charset=utf-8', body: Buffer.from(JSON.stringify(session)) }
  }),
  handle(authContracts.endSession, ({ headers, caller }) => {
    auth.signOut(caller.signIn)
    return noContent({ 'set-cookie': cookie('', { seconds: 0, cookiePath, headers }) })
  }),
  handle(authContracts.createTicket, ({ body, headers, caller }) => {
    const { token, expiresAt } = auth.ticket(caller.signIn, bearerOf(headers), body.path)
    return { ticket: token, expires_at: expiresAt / 1000, expires_in: TICKET_MS / 1000 }
  }),
]

type CookieOptions = { readonly seconds: number; readonly cookiePath: string; readonly headers: Headers }
const cookie = (value: string, { headers, ...options }: CookieOptions): string =>
  signInCookie(value, { ...options, isSecure: isOverTls(headers) })

/** The studio itself has no TLS, a proxy before it may. A client that lies about this only restricts its own cookie. */
const isOverTls = (headers: Headers): boolean =>
  /^https:/.test(one(headers['origin']) ?? '') ||
  /^https\b/i.test(one(headers['x-forwarded-proto']) ?? '') ||
  /(?:^|[;,\s])proto="?https\b/i.test(one(headers['forwarded']) ?? '')
