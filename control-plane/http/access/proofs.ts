// Reads the proofs of a request's sender: the API key, a sign-in, or the PIN of the shared port.

import type { PersonSender } from '#control-plane/clients/client.ts'
import { KEY_PREFIX } from '#shared/protocol/access/person.ts'
import type { SignIn } from '../contract/caller.ts'
import { bearerOf, type Caller, cookieOf, one, type PeerConnection, type Principal } from '../contract/caller.ts'
import type { KeyGuard } from './key-guard.ts'
import { PIN_COOKIE, PIN_HEADER, type SharePin } from './share-pin.ts'
import { COOKIE, type SignIns } from './sign-ins.ts'

/** `by`: how the credential was sent. A page sends a header on purpose, and a cookie without knowing it. */
export type Proof = {
  readonly credential: Principal['credential']
  readonly by: 'header' | 'cookie' | 'ticket' | null
  readonly signIn: SignIn | null
  readonly person: PersonSender | null
  /** The id of the device whose token was sent. */
  readonly device: string | null
  readonly pinToken: string | null
}
const NO_PROOF: Proof = { credential: null, by: null, signIn: null, person: null, device: null, pinToken: null }

type Parts = {
  readonly keys: Pick<KeyGuard, 'isRight'>
  readonly signIns: Pick<SignIns, 'find' | 'redeem'>
  readonly people: FindPerson
  readonly pins: Pick<SharePin, 'deviceOf' | 'redeem'>
  readonly isShared: (connection: PeerConnection) => boolean
}
/** The sender of the key of a person; null for a wrong one. Called for texts that begin as such a key. */
export type FindPerson = { readonly find: (key: string) => Promise<PersonSender | null> }
export const isPersonKey = (text: string | undefined): text is string => text?.startsWith(KEY_PREFIX) === true
export type Proofs = ReturnType<typeof createProofs>

export function createProofs({ keys, signIns, people, pins, isShared }: Parts) {
  async function kept(caller: Caller): Promise<Proof> {
    const { headers, ticket } = caller
    const bearer = bearerOf(headers)
    if (bearer !== undefined && keys.isRight(bearer)) return { ...NO_PROOF, credential: 'key', by: 'header' }
    if (isPersonKey(bearer)) {
      const person = await people.find(bearer)
      // A key that has ended gives no right, also not those of a cookie beside it.
      return person ? { ...NO_PROOF, credential: 'person-key', by: 'header', person } : NO_PROOF
    }
    const signedIn = (by: Proof['by'], signIn: SignIn | null): Proof | null =>
      signIn && { ...NO_PROOF, credential: 'sign-in', by, signIn, person: signIn.person }
    const cookie = cookieOf(headers, COOKIE)
    return (
      (bearer !== undefined && signedIn('header', signIns.find(bearer, 'bearer'))) ||
      (cookie !== undefined && signedIn('cookie', signIns.find(cookie, 'cookie'))) ||
      (ticket && signedIn('ticket', signIns.redeem(ticket.text, ticket.path))) ||
      (takesPin(caller) && tokenProof(caller)) ||
      NO_PROOF
    )
  }

  /** A PIN counts on the shared port only, so the other port cannot be used to guess it. */
  const takesPin = ({ connection, isSocket }: Caller): boolean => !isSocket && isShared(connection)

  /** The token that a device received for the PIN. It is not affected by wrong PINs of others. */
  function tokenProof({ headers }: Caller): Proof | null {
    const device = pins.deviceOf(cookieOf(headers, PIN_COOKIE) ?? '')
    if (device === null) return null
    return { ...NO_PROOF, credential: 'pin', device, by: one(headers[PIN_HEADER]) === undefined ? 'cookie' : 'header' }
  }

  function byPin(caller: Caller): Proof {
    if (!takesPin(caller)) return NO_PROOF
    const { connection, headers, pin } = caller
    const cookie = cookieOf(headers, PIN_COOKIE)
    const sent = one(headers[PIN_HEADER]) ?? pin ?? cookie
    const pinToken = sent === undefined ? null : pins.redeem(sent, connection.remoteAddress ?? '', cookie)
    return pinToken === null ? NO_PROOF : { ...NO_PROOF, credential: 'pin', by: sent === cookie ? 'cookie' : 'header', pinToken }
  }

  return {
    /** The proof without the PIN itself, which is compared later. */
    kept,
    /** The PIN itself. A wrong one is counted, so this is called only for requests that no page of another site has caused. */
    byPin,
  }
}
