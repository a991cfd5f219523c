// A provider of identities on loopback: oidc-provider with its own pages for signing in, on which each password is right.
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import type { Ending } from '../world/process.ts'

/** Claims of each account by its id, which is also its name on the page for signing in. */
export type Accounts = Record<string, { readonly email: string; readonly email_verified: boolean }>
export const CLIENT_ID = 'voice-studio'

/** `redirect`: the address that the studio named. */
export async function openIdentities(t: Ending, redirect: string, accounts: Accounts) {
  const secret = randomBytes(24).toString('base64url')
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  t.after(stop)
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: secret, redirect_uris: [redirect] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    pkce: { required: () => true },
    findAccount: (_context, id) => {
      const claims = accounts[id]
      return claims && { accountId: id, claims: () => ({ sub: id, ...claims }) }
    },
  })
  const handle = provider.callback()
  return {
    issuer,
    secret,
    /** The server answers nothing more. */
    stop,
  }
}

/** A browser without a window: it keeps cookies and follows no redirect by itself. */
export function createVisitor() {
  const cookies = new Map<string, string>()
  return {
    cookies,
    async visit(address: string, form?: Readonly<Record<string, string>>) {
      const response = await fetch(address, {
        redirect: 'manual',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (value === '' || /max-age=0(?:;|$)|expires=Thu, 01 Jan 1970/i.test(cookie)) cookies.delete(name)
        else cookies.set(name, value)
      }
      const location = response.headers.get('location')
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, next: location === null ? null : new URL(location, address).href }
    },
  }
}
export type Visitor = ReturnType<typeof createVisitor>

/** Signs in on the pages of the provider. Resolves with the address that it sends the browser back to, unopened. */
export async function signInThere({ visit }: Visitor, from: string, account: string, home: string): Promise<string> {
  let address = from
  for (let step = 0; step < 12; step++) {
    if (address.startsWith(home)) return address
    const page = await visit(address)
    if (page.next !== null) {
      address = page.next
      continue
    }
    const [, action = ''] = /<form[^>]* action="([^"]+)"/.exec(page.text) ?? []
    const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(page.text) ?? []
    if (action === '') throw new Error(`The provider shows no form: ${page.status} ${page.text.slice(0, 500)}`)
    const sent = await visit(new URL(action, address).href, { prompt, ...(prompt === 'login' && { login: account, password: 'x' }) })
    if (sent.next === null) throw new Error(`The provider goes nowhere: ${sent.status} ${sent.text.slice(0, 500)}`)
    address = sent.next
  }
  throw new Error('The provider does not come back.')
}
