// The client that a request counts for, from what the gate has established.
import { COMMANDS_AGENT } from '#shared/protocol/version.ts'
import { type Client, OWNER } from '../../clients/client.ts'
import { sourceOf } from '../limits/source.ts'
import { type Headers, one, type Principal } from './caller.ts'
import type { Origins } from './origins.ts'
import type { SignIn } from './sign-ins.ts'

type Sender = Pick<Principal, 'address' | 'credential' | 'signIn' | 'name' | 'mayAdminister'>
/** Resolves with the client of an admitted request. Called once for each request. */
export type ClientOf = (principal: Sender, headers: Headers) => Promise<Client>

export function createClientOf({ origins }: { readonly origins: Pick<Origins, 'isTrusted'> }): ClientOf {
  const numbers = new WeakMap<SignIn, number>()
  let signIns = 0

  function numberOf(signIn: SignIn): number {
    const number = numbers.get(signIn) ?? ++signIns
    numbers.set(signIn, number)
    return number
  }

  /** What only the page of the studio and its commands send. Any program can; so it decides about turns, never about rights. */
  function isOwnProgram(headers: Headers): boolean {
    const origin = one(headers['origin'])
    return (
      one(headers['sec-fetch-site']) === 'same-origin' ||
      (origin !== undefined && origins.isTrusted(origin, one(headers['host']) ?? '')) ||
      one(headers['user-agent']) === COMMANDS_AGENT
    )
  }

  return async (principal, headers) => {
    const { address, credential, signIn, name, mayAdminister } = principal
    if (name === 'loopback' && isOwnProgram(headers) && (await mayAdminister())) return OWNER
    const source = sourceOf(address)
    const within = signIn ? `sign-in ${numberOf(signIn)}` : credential
    return { source, name: within === null ? source : `${source} ${within}`, isOwner: false }
  }
}
