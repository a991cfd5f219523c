// The client that a request counts for and makes objects as, from what the gate has established. The only place that decides this.

import { type Client, OWNER } from '#control-plane/clients/client.ts'
import { type ClientId, OWNER_ID } from '#shared/protocol/access/client.ts'
import { seesAll } from '#shared/protocol/access/person.ts'
import { COMMANDS_AGENT } from '#shared/protocol/version.ts'
import type { SignIn } from '../contract/caller.ts'
import { type Headers, one, type PeerConnection, type Principal } from '../contract/caller.ts'
import type { Access } from '../contract/contract.ts'
import { sourceOf } from '../limits/source.ts'
import type { Origins } from './origins.ts'
import type { LocalUsers } from './peer-user.ts'

type Sender = Pick<Principal, 'address' | 'credential' | 'signIn' | 'person' | 'name' | 'device' | 'mayAdminister'>
type Request = {
  readonly connection: PeerConnection
  readonly headers: Headers
  /** An open route makes nothing, so the user of the connection is not looked up. */
  readonly access: Access
}
/** Resolves with the client of an admitted request. Called once for each request. Throws NOT_READY if its user cannot be determined. */
export type ClientOf = (principal: Sender, request: Request) => Promise<Client>
type Deps = { readonly origins: Pick<Origins, 'isTrusted'>; readonly localUsers: Pick<LocalUsers, 'otherUser'> }

export function createClientOf({ origins, localUsers }: Deps): ClientOf {
  const numbers = new WeakMap<SignIn, number>()
  let signIns = 0

  function numberOf(signIn: SignIn): number {
    const number = numbers.get(signIn) ?? ++signIns
    numbers.set(signIn, number)
    return number
  }

  /**
   * True for the page of the studio and its commands. Any program can send their headers; so it decides about turns, never about rights.
   */
  function isOwnProgram(headers: Headers): boolean {
    const origin = one(headers['origin'])
    return (
      one(headers['sec-fetch-site']) === 'same-origin' ||
      (origin !== undefined && origins.isTrusted(origin, one(headers['host']) ?? '')) ||
      one(headers['user-agent']) === COMMANDS_AGENT
    )
  }

  async function makerOf({ address, credential, name, device }: Sender, { connection, access }: Request): Promise<ClientId> {
    if (credential === 'key' || credential === 'sign-in') return OWNER_ID
    if (device !== null) return `device:${device}`
    if (name !== 'loopback' || access === 'open') return `address:${sourceOf(address)}`
    const user = await localUsers.otherUser(connection)
    return user === null ? OWNER_ID : `user:${user}`
  }

  return async (principal, request) => {
    const { headers } = request
    const { address, credential, signIn, person, name, mayAdminister } = principal
    if (person) {
      const source = `person ${person.id}`
      const within = signIn ? `sign-in ${numberOf(signIn)}` : `key ${person.keyId}`
      return { source, name: `${source} ${within}`, id: `person:${person.id}`, isOwner: false, seesAll: seesAll(person.role()) }
    }
    if (name === 'loopback' && isOwnProgram(headers) && (await mayAdminister())) return OWNER
    const source = sourceOf(address)
    const within = signIn ? `sign-in ${numberOf(signIn)}` : credential
    const id = await makerOf(principal, request)
    return { source, name: within === null ? source : `${source} ${within}`, id, isOwner: false }
  }
}
