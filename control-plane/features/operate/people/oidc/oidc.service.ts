// Signing in with OpenID Connect: what a browser is sent from its start to its return. Nothing is created for an identity that is not the one of a
// person. Loaded with its first route.
import { currentClient, type PersonSender } from '#control-plane/clients/client.ts'
import type { People } from '#control-plane/people/people.ts'
import type { ProviderAccount } from '#control-plane/people/person.rules.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { type AnswerQuery, peopleSettings, SIGN_IN_RETURN, type StoredProvider } from '../people.contract.ts'
import { createFailedSignIns } from './attempts.ts'
import { ProviderProblem } from './bounded-fetch.ts'
import { createLogins } from './logins.ts'
import type { Identity, OpenedProvider } from './provider.ts'
import { createProviderSettings, type ProviderSettingsDeps } from './settings.service.ts'

/** Reasons for which a browser is not signed in. The sign-in page has a sentence for each. */
export type OidcRefusal = 'busy' | 'cancelled' | 'expired' | 'failed' | 'other' | 'unknown' | 'unreachable' | 'unverified'
export type Oidc = ReturnType<typeof createOidc>
type Deps = Omit<ProviderSettingsDeps, 'people' | 'choices'> & {
  readonly people: () => Promise<Pick<People, 'signIn' | 'endSignIns'>>
  readonly choices: Pick<OwnerSettings, 'read' | 'write' | 'onChange'>
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}
type Described = { readonly provider: Promise<OpenedProvider>; readonly at: number; isFailed: boolean }
export type BegunSignIn = { readonly address: string; readonly isSecure: boolean }
export type FinishedSignIn = { readonly person: PersonSender; readonly page: string }

/** The description of a provider is read again after this time, and after a failure. */
const DESCRIBED_MS = 3600_000
const FAILED_MS = 10_000
const MOST_CODES = 8
const MOST_STARTS = 32
const PAGE = /^#\/[\w\-./?=&%:~+,]*$/

export function createOidc({ people, choices, origins, audit, basePath, clock, random, log }: Deps) {
  const logins = createLogins({ clock, random })
  const attempts = createFailedSignIns(clock)
  let described: Described | null = null
  /** Changes with the provider. */
  let generation = 0
  let codes = 0
  let starts = 0
  const { stored, ...settings } = createProviderSettings({ people, choices, origins, audit, basePath })

  choices.onChange((key) => {
    if (key !== peopleSettings.provider.key) return
    described = null
    generation++
    logins.clear()
  })
  /** Throws NOT_FOUND. */
  function required(): StoredProvider {
    const one = stored()
    if (one) return one
    throw new Failure('NOT_FOUND', 'This studio has no provider of identities. Sign in with a key.')
  }

  /** The provider, whose description is read once for all that wait for it. Rejects with a ProviderProblem. */
  function provider(isFresh = false): Promise<OpenedProvider> {
    const { issuer, client_id: clientId, client_secret: secret, public_address: page } = required()
    const age = described === null ? Infinity : clock.mono() - described.at
    if (described && !isFresh && age < (described.isFailed ? FAILED_MS : DESCRIBED_MS)) return described.provider
    const opening = import('./provider.ts').then(({ openProvider }) =>
      openProvider({ issuer, clientId, secret, redirect: page + SIGN_IN_RETURN }),
    )
    const one: Described = { provider: opening, at: clock.mono(), isFailed: false }
    opening.catch(() => {
      one.isFailed = true
    })
    described = one
    return opening
  }

  /** The reason for the person, with the details in the log. */
  function refusalOf(error: unknown): OidcRefusal {
    const reason = error instanceof ProviderProblem ? error.reason : 'failed'
    log.warn({ reason, err: error instanceof Error ? error.message : String(error) }, 'a sign-in with the provider of identities failed')
    return reason
  }

  /** The person of an identity, or the reason why there is none. */
  async function personOf({ issuer, subject, email }: Identity): Promise<PersonSender | OidcRefusal> {
    const account: ProviderAccount = { issuer, subject }
    const found = await (await people()).signIn(account, email)
    if (typeof found !== 'string') return found
    if (attempts.isNews(`${issuer} ${subject}`))
      audit.record('sign-in-refused', 'studio', { by: currentClient().id, ...account, email, reason: found })
    return found === 'unknown' && email === null ? 'unverified' : found
  }

  return {
    ...settings,

    /** Throws NOT_FOUND without a provider. */
    async test(): Promise<{ problem: string | null }> {
      try {
        await provider(true)
        return { problem: null }
      } catch (error) {
        if (!(error instanceof ProviderProblem)) throw error
        return { problem: `The provider of identities cannot be used: ${error.message}.` }
      }
    },

    /** `browser`: a random text for the cookie of this browser. Throws NOT_FOUND without a provider. */
    async start({
      browser,
      source,
      page,
    }: {
      readonly browser: string
      readonly source: string
      readonly page: string
    }): Promise<BegunSignIn | OidcRefusal> {
      const { public_address: own } = required()
      if (starts >= MOST_STARTS) return 'busy'
      starts++
      try {
        const opened = await provider()
        const login = logins.begin({ browser, source, page: PAGE.test(page) ? page : '' })
        return { address: await opened.signInAddress(login), isSecure: own.startsWith('https:') }
      } catch (error) {
        return refusalOf(error)
      } finally {
        starts--
      }
    },

    /** `browsers`: texts of the cookie. Throws NOT_FOUND without a provider. A full disk is a failure, too. */
    async finish(
      answer: AnswerQuery,
      { browsers, source }: { readonly browsers: readonly string[]; readonly source: string },
    ): Promise<FinishedSignIn | OidcRefusal> {
      required()
      const { state = '', error } = answer
      const login = logins.take(state, browsers)
      if (!login) return 'expired'
      if (error === 'access_denied') return 'cancelled'
      if (codes >= MOST_CODES || attempts.areMany(source)) return 'busy'
      codes++
      const begun = generation
      try {
        const query = new URLSearchParams(Object.entries(answer).filter((field): field is [string, string] => field[1] !== undefined))
        const identity = await (await provider()).identityOf(query, { ...login, state })
        if (generation !== begun) return 'expired'
        const person = await personOf(identity)
        return typeof person === 'string' ? person : { person, page: login.page }
      } catch (failure) {
        attempts.count(source)
        return refusalOf(failure)
      } finally {
        codes--
      }
    },
  }
}
