// The provider of identities as the owner sets it: its addresses are checked, and its secret is never shown.
import type { Audit } from '#control-plane/audit/audit.ts'
import { currentClient } from '#control-plane/clients/client.ts'
import type { Origins } from '#control-plane/http/access/origins.ts'
import type { People } from '#control-plane/people/people.ts'
import { issuerOf } from '#control-plane/people/person.rules.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type ProviderBody, type ProviderView, peopleSettings, SIGN_IN_RETURN, type StoredProvider } from '../people.contract.ts'
import { isSafeUrl } from './bounded-fetch.ts'

export type ProviderSettingsDeps = {
  readonly people: () => Promise<Pick<People, 'endSignIns'>>
  readonly choices: Pick<OwnerSettings, 'read' | 'write'>
  readonly origins: Pick<Origins, 'isOurs'>
  readonly audit: Pick<Audit, 'record'>
  /** The path that the studio is served under; empty for the root. */
  readonly basePath: string
}

export function createProviderSettings({ people, choices, origins, audit, basePath }: ProviderSettingsDeps) {
  const stored = (): StoredProvider | null => choices.read(peopleSettings.provider)

  function viewOf(one: StoredProvider | null): ProviderView {
    if (one === null) return null
    const { client_secret: _, ...shown } = one
    return { ...shown, redirect_address: one.public_address + SIGN_IN_RETURN }
  }

  function checkAddresses({ issuer, public_address: page }: ProviderBody): { readonly issuer: string; readonly page: string } {
    const [from, to] = [URL.parse(issuer), URL.parse(page)]
    if (!from || !isSafeUrl(from) || from.search !== '' || from.hash !== '' || from.username !== '' || from.password !== '')
      throw new Failure('BAD_REQUEST', 'The issuer must be an https address without a query, or an http address of this machine.')
    if (!to || !isSafeUrl(to) || to.search !== '' || to.hash !== '' || to.username !== '' || to.password !== '')
      throw new Failure(
        'BAD_REQUEST',
        'The address of the page must be an https address without a query, or an http address of this machine.',
      )
    if (to.pathname.replace(/\/$/, '') !== basePath)
      throw new Failure('BAD_REQUEST', `The address of the page must have the path that the studio is served under: ${basePath || '/'}.`)
    if (!origins.isOurs(to.host))
      throw new Failure('BAD_REQUEST', `${to.hostname} is not a name of this studio. Add it to STUDIO_ALLOWED_HOSTS first.`)
    // As providers write it, in its tokens too. A slash at the end of a path is a part of it.
    return { issuer: from.pathname === '/' ? from.origin : from.href, page: to.origin + basePath }
  }

  return {
    stored,
    view: (): ProviderView => viewOf(stored()),

    /** Throws BAD_REQUEST for an address that cannot be used, and for another issuer without a secret; STORAGE_FULL. */
    async set(body: ProviderBody): Promise<ProviderView> {
      const before = stored()
      const { issuer, page } = checkAddresses(body)
      const isSame = before !== null && issuerOf(before.issuer) === issuerOf(issuer)
      const secret = body.client_secret ?? (isSame ? before.client_secret : undefined)
      if (secret === undefined) throw new Failure('BAD_REQUEST', 'Send the client secret too: the studio has none for this provider.')
      const { client_id, label } = body
      const next: StoredProvider = { issuer, client_id, client_secret: secret, public_address: page, label }
      const by = currentClient().id
      audit.record('oidc-set', 'studio', { by, issuer, client_id, address: page, ...(before && { before: before.issuer }) })
      await choices.write(peopleSettings.provider, next)
      if (!isSame || before.client_id !== client_id) (await people()).endSignIns()
      return viewOf(next)
    },

    /** Without a provider nothing changes. Throws STORAGE_FULL. */
    async remove(): Promise<ProviderView> {
      const before = stored()
      if (before === null) return null
      audit.record('oidc-remove', 'studio', { by: currentClient().id, issuer: before.issuer })
      await choices.write(peopleSettings.provider, null)
      ;(await people()).endSignIns()
      return null
    },
  }
}
