// The answers that a browser gets on its way to the provider of identities and back.
import { LIFETIME_MS, type SignIns, signInCookie } from '#control-plane/http/access/sign-ins.ts'
import { cookieOf, type Headers, type Principal } from '#control-plane/http/contract/caller.ts'
import type { Content } from '#control-plane/http/contract/respond.ts'
import { sourceOf } from '#control-plane/http/limits/source.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { AnswerQuery } from '../people.contract.ts'
import { LOGIN_MS } from './logins.ts'
import type { Oidc, OidcRefusal } from './oidc.service.ts'

export type OidcAnswers = ReturnType<typeof createOidcAnswers>
type Deps = {
  readonly oidc: Pick<Oidc, 'start' | 'finish' | 'view'>
  readonly signIns: Pick<SignIns, 'begin'>
  readonly random: Random
  readonly cookiePath: string
}
type Request = { readonly headers: Headers; readonly caller: Principal }

/** Binds a sign-in to the browser that began it. It has a text for each of the newest ones, for several tabs. */
const COOKIE = 'svc_oidc'
const TEXTS = 4
const TEXT = /^[A-Za-z0-9_-]{43}$/
const TEXT_BYTES = 32
const ALWAYS = {
  'content-security-policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

const textsIn = (headers: Headers): string[] => (cookieOf(headers, COOKIE) ?? '').split('.').filter((text) => TEXT.test(text))
const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

export function createOidcAnswers({ oidc, signIns, random, cookiePath }: Deps) {
  const home = cookiePath === '/' ? '/' : `${cookiePath}/`
  const ownCookie = (texts: readonly string[], isSecure: boolean): string =>
    `${COOKIE}=${texts.join('.')}; Path=${home}sign-in/oidc; Max-Age=${LOGIN_MS / 1000}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  /** `location`: an address as the routes are declared, or one elsewhere. */
  const redirect = (location: string, headers: Readonly<Record<string, string>> = {}): Content => ({
    ...{ status: 303, type: '', cache: 'no-store', body: new Uint8Array() },
    headers: { location, ...ALWAYS, ...headers },
  })
  /** The sign-in page, with the reason. */
  const refused = (reason: OidcRefusal): Content => redirect(`/sign-in?refused=${reason}`)
  const isSecure = (): boolean => oidc.view()?.public_address.startsWith('https:') === true
  /** Throws NOT_FOUND on the shared port, whose devices have the PIN. */
  function requireOwnPort({ isShared }: Principal): void {
    if (isShared) throw new Failure('NOT_FOUND', 'The shared port has no such sign-in. Use the PIN.')
  }

  return {
    async start({ headers, caller }: Request, page = ''): Promise<Content> {
      requireOwnPort(caller)
      const browser = random.bytes(TEXT_BYTES).toString('base64url')
      const begun = await oidc.start({ browser, source: sourceOf(caller.address), page })
      if (typeof begun === 'string') return refused(begun)
      const texts = [...textsIn(headers), browser].slice(-TEXTS)
      return redirect(begun.address, { 'set-cookie': ownCookie(texts, begun.isSecure) })
    },

    async finish({ headers, caller }: Request, answer: AnswerQuery): Promise<Content> {
      requireOwnPort(caller)
      const finished = await oidc.finish(answer, { browsers: textsIn(headers), source: sourceOf(caller.address) })
      if (typeof finished === 'string') return refused(finished)
      const { token } = signIns.begin('cookie', finished.person)
      // A page that goes on by itself: the browser does not send the new cookie with a redirect that another site has caused.
      const target = attribute(home + finished.page)
      const html = `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>Voice Studio</title><meta http-equiv="refresh" content="0;url=${target}"><a href="${target}">Voice Studio</a></html>\n`
      return {
        ...{ type: 'text/html; charset=utf-8', cache: 'no-store', body: Buffer.from(html) },
        headers: { ...ALWAYS, 'set-cookie': signInCookie(token, { seconds: LIFETIME_MS / 1000, cookiePath, isSecure: isSecure() }) },
      }
    },
  }
}
