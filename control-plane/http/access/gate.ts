// Access control for every route: the whole policy in one function.
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Access } from '../contract.ts'
import { bearerOf, type Caller, cookieOf, isForwarded, isLoopback, one, type Principal } from './caller.ts'
import type { KeyGuard } from './key-guard.ts'
import type { Origins } from './origins.ts'
import type { IsOurUser } from './peer-user.ts'
import { COOKIE, isToken, type SignIn, type SignIns } from './sign-ins.ts'

/** Throws FORBIDDEN, OTHER_LOCAL_USER, UNAUTHORIZED or TOO_MANY_WRONG_KEYS. */
export type AccessGate = (access: Access, caller: Caller) => Promise<Principal>
type Parts = {
  readonly origins: Origins
  readonly keys: KeyGuard
  readonly signIns: SignIns
  readonly isOurUser: IsOurUser
  /** Whether the key gives the right to administer from other machines. */
  readonly serverMode: boolean
}
/** `by`: how the credential was sent. A page sends a header on purpose, and a cookie without knowing it. */
type Proof = {
  readonly credential: Principal['credential']
  readonly by: 'header' | 'cookie' | 'ticket' | null
  readonly signIn: SignIn | null
}
const NO_PROOF: Proof = { credential: null, by: null, signIn: null }

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']
/** Refusals that the right key would have changed. */
const GUESSED: readonly FailureCode[] = ['UNAUTHORIZED', 'OTHER_LOCAL_USER']
/** Another site cannot make a browser send this header without a preflight request, which is refused. */
const CSRF_HEADER = 'x-svc-csrf'

export function createAccessGate({ origins, keys, signIns, isOurUser, serverMode }: Parts): AccessGate {
  function proofOf({ headers, ticket }: Caller): Proof {
    const bearer = bearerOf(headers)
    if (bearer !== undefined && keys.isRight(bearer)) return { credential: 'key', by: 'header', signIn: null }
    const signedIn = (by: Proof['by'], signIn: SignIn | null): Proof | null => signIn && { credential: 'sign-in', by, signIn }
    const cookie = cookieOf(headers, COOKIE)
    return (
      (bearer !== undefined && signedIn('header', signIns.find(bearer, 'bearer'))) ||
      (cookie !== undefined && signedIn('cookie', signIns.find(cookie, 'cookie'))) ||
      (ticket && signedIn('ticket', signIns.redeem(ticket.text, ticket.path))) ||
      NO_PROOF
    )
  }

  /** Throws if a page of another site has caused the request. */
  function checkOrigin({ method, headers }: Caller, { by }: Proof, authority: string): void {
    const origin = one(headers['origin'])
    const site = one(headers['sec-fetch-site'])
    if (origin !== undefined && !origins.isAllowed(origin, authority)) throw rejected()
    if (site === 'cross-site' && origin === undefined) throw rejected()
    // The browser adds a cookie to every request for this host, also to one that a page on another port has caused.
    if (by !== 'cookie') return
    if (origin === undefined && site === 'same-site') throw rejected()
    if (origin !== undefined && !origins.isTrusted(origin, authority)) throw rejected()
    if (!SAFE_METHODS.includes(method) && (origin === undefined || one(headers[CSRF_HEADER]) !== '1')) throw rejected()
  }

  // The short texts are part of the specification; clients compare them.
  return async (access, caller) => {
    const { connection, headers } = caller
    const address = connection.remoteAddress ?? ''
    const authority = one(headers['host']) ?? ''
    const origin = one(headers['origin'])
    const proof = proofOf(caller)
    const { credential, by, signIn } = proof
    if (credential === null && !origins.isOurs(authority))
      throw new Failure(
        'FORBIDDEN',
        `The Host ${authority.slice(0, 100)} is not a name of this studio. Call it by an address or by localhost, send the API key, or add the name to STUDIO_ALLOWED_HOSTS.`,
      )
    checkOrigin(caller, proof, authority)
    if (credential === 'key') keys.forgive(address)

    const isLocal = isLoopback(address) && !isForwarded(headers)
    const isByName = origin !== undefined && !origins.isTrusted(origin, authority) && by !== 'header'
    const refusal = async (): Promise<Failure | null> => {
      if (isByName) return rejected()
      if (isLocal) return credential !== null || (await isOurUser(connection)) ? null : otherUser()
      if (!serverMode) return new Failure('FORBIDDEN', 'loopback origin required')
      return credential === null ? unauthorized() : null
    }
    const mayConsume = isLocal || credential !== null
    const refused = access === 'open' ? null : access === 'admin' ? await refusal() : mayConsume ? null : unauthorized()
    if (refused) {
      const bearer = bearerOf(headers)
      // Only where a key would have changed the answer, so that nothing else can be learned from the delay.
      const isGuess = credential === null && bearer !== undefined && !isToken(bearer) && GUESSED.includes(refused.code)
      if (isGuess) await keys.wrong(address)
      throw refused
    }
    return { address, credential, signIn, mayConsume, mayAdminister: async () => (await refusal()) === null }
  }
}

const rejected = () => new Failure('FORBIDDEN', 'browser origin rejected')
const unauthorized = () => new Failure('UNAUTHORIZED', 'API key required')
const otherUser = () => new Failure('OTHER_LOCAL_USER', 'This connection belongs to another user of this machine.')
