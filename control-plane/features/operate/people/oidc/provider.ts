// The provider of identities, through openid-client, which this is the only file to load: its description, the address at which a person signs in
// there, and the identity that its code stands for.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import { issuerOf, type ProviderAccount } from '#control-plane/people/person.rules.ts'
import { cleanLine } from '#shared/protocol/fields/clean-text.ts'
import { boundedFetch, isEndpoint, ProviderProblem, TIMEOUT_MS } from './bounded-fetch.ts'
import type { Started } from './logins.ts'

export type ProviderClient = { readonly issuer: string; readonly clientId: string; readonly secret: string; readonly redirect: string }
/** `email`: one that the provider has verified; null without one. */
export type Identity = ProviderAccount & { readonly email: string | null }
export type OpenedProvider = Awaited<ReturnType<typeof openProvider>>

const EMAIL_CHARS = 254
const SUBJECT_CHARS = 255
const SCOPE = 'openid email'

/** The way that the description names; without one the specification has the header. `sent` gets each form of the secret that a provider could repeat. */
function clientAuth(secret: string, sent: Set<string>): ClientAuth {
  const [header, form] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, client, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const done = (ways.includes('client_secret_basic') ? header : form)(server, client, body, headers)
    const proof = headers.get('authorization')?.replace(/^Basic /, '') ?? ''
    for (const one of [proof, Buffer.from(proof, 'base64').toString().split(':')[1] ?? '']) sent.add(one)
    return done
  }
}

/** Reads the description of the provider. Throws a ProviderProblem. */
export async function openProvider({ issuer, clientId, secret, redirect }: ProviderClient) {
  const proofs = new Set([secret, new URLSearchParams([[secret, '']]).toString().slice(0, -1)])
  const config: Configuration = await problemOf(
    () => [secret],
    () =>
      discovery(new URL(issuer), clientId, undefined, clientAuth(secret, proofs), {
        execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
        [customFetch]: boundedFetch(issuer),
        timeout: TIMEOUT_MS / 1000,
      }),
  )
  const server = config.serverMetadata()
  if (!isEndpoint(server.authorization_endpoint ?? '', issuer) || !isEndpoint(server.token_endpoint ?? '', issuer))
    throw new ProviderProblem('failed', 'the description of the provider lacks an endpoint with TLS for sign-ins')

  return {
    /** The address at which a person signs in. */
    async signInAddress({ state, nonce, verifier }: Started): Promise<string> {
      const parameters = {
        ...{ redirect_uri: redirect, scope: SCOPE, state, nonce },
        ...{ code_challenge: await calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' },
      }
      return buildAuthorizationUrl(config, parameters).href
    },

    /** The identity that an answer of the provider stands for. `answer`: the query that the browser came back with. Throws a ProviderProblem. */
    async identityOf(answer: URLSearchParams, { state, nonce, verifier }: Started): Promise<Identity> {
      const own = [verifier, state, nonce, answer.get('code') ?? '']
      const secrets = () => [...proofs, ...own]
      return problemOf(secrets, async () => {
        const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
        const tokens = await authorizationCodeGrant(config, new URL(`${redirect}?${answer}`), checks)
        own.push(tokens.access_token)
        const claims = tokens.claims()!
        if (claims.sub.length > SUBJECT_CHARS) throw new ProviderProblem('failed', 'the id of the account is too long')
        const isAsked = claims['email'] === undefined && server.userinfo_endpoint !== undefined
        const { email, email_verified: isVerified } = isAsked ? await fetchUserInfo(config, tokens.access_token, claims.sub) : claims
        const isEmail = typeof email === 'string' && email.length <= EMAIL_CHARS && isVerified === true
        return { issuer: issuerOf(claims.iss), subject: claims.sub, email: isEmail ? email : null }
      })
    },
  }
}

/** The problem of `run`, with the texts of the provider and without the `secrets` at its end. */
async function problemOf<T>(secrets: () => readonly string[], run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const problem = problemIn(error)
    if (problem) throw problem
    throw new ProviderProblem('failed', withoutSecrets(sentenceOf(error), secrets()))
  }
}
/** openid-client wraps what its fetch throws. */
function problemIn(error: unknown): ProviderProblem | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof ProviderProblem) return one
  return null
}

const MESSAGE_CHARS = 500
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return 'an unknown error'
  const { code, error: named, error_description: about } = error as Error & Readonly<Record<string, unknown>>
  return [text(error.message), text(code), text(named), text(about)].filter(Boolean).join('; ')
}
/** Also without tokens. */
const withoutSecrets = (message: string, secrets: readonly string[]): string =>
  cleanLine(secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '<secret>')), message))
    .replaceAll(/\beyJ[\w.-]+/g, '<token>')
    .slice(0, MESSAGE_CHARS)
