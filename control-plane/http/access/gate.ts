// Access control for every route: the whole policy in one function.
import { Failure } from '#shared/protocol/failure.ts'
import type { PrincipalName } from '../contract/caller.ts'
import { bearerOf, type Caller, isForwarded, isLoopback, one, type PeerConnection, type Principal } from '../contract/caller.ts'
import type { Access } from '../contract/contract.ts'
import type { KeyGuard } from './key-guard.ts'
import type { Origins } from './origins.ts'
import type { LocalUsers } from './peer-user.ts'
import { READERS, RIGHTS, roleFor, SERVER_MODE_RIGHTS, SHARED_RIGHTS } from './principals.ts'
import { isPersonKey, type Proof, type Proofs } from './proofs.ts'
import { isToken } from './sign-ins.ts'

/** Throws FORBIDDEN, OTHER_LOCAL_USER, UNAUTHORIZED, PIN_REQUIRED, TOO_MANY_WRONG_KEYS or TOO_MANY_WRONG_PINS. */
export type AccessGate = (access: Access, caller: Caller) => Promise<Principal>
type Parts = {
  readonly origins: Origins
  readonly keys: KeyGuard
  readonly proofs: Proofs
  readonly localUsers: LocalUsers
  readonly isTrustedNetwork: (address: string) => boolean
  /** True if the connection came in on the shared port. No sender there is local. */
  readonly isShared: (connection: PeerConnection) => boolean
  /** The key gives the right to administer from other machines, and no sender is local: a proxy on this machine may hide where it is. */
  readonly serverMode: boolean
}
const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']
/** Another site cannot make a browser send this header without a preflight request, which is refused. */
const CSRF_HEADER = 'x-svc-csrf'

export function createAccessGate({ origins, keys, proofs, localUsers, isTrustedNetwork, isShared, serverMode }: Parts): AccessGate {
  function isLocal({ connection, headers }: Caller): boolean {
    const isNear = !serverMode && !isShared(connection) && isLoopback(connection.remoteAddress ?? '')
    return isNear && !isForwarded(headers) && origins.isLocal(one(headers['host']) ?? '')
  }

  /**
   * Counts a wrong key. Called before anything is answered, because every answer may depend on the proof. The user of the studio may send any
   * text as a key, as many clients must, and is not delayed.
   */
  async function countWrongKey(caller: Caller, { credential }: Proof): Promise<void> {
    const bearer = bearerOf(caller.headers)
    if (bearer === undefined || credential === 'key' || credential === 'person-key' || isToken(bearer)) return
    if (!keys.isSet && !isPersonKey(bearer)) return
    if (isLocal(caller) && !caller.isSignIn && (await localUsers.isOurs(caller.connection))) return keys.count()
    await keys.wrong(caller.connection.remoteAddress ?? '', caller.isSignIn)
  }

  /** True for a browser that follows a link to one of our pages. */
  const isLink = ({ headers, opensPage }: Caller): boolean =>
    opensPage === true && one(headers['sec-fetch-mode']) === 'navigate' && (one(headers['sec-fetch-dest']) ?? 'document') === 'document'

  /** Throws if a page of another site has caused the request. The reader of that page may follow a link to one of ours. */
  function checkSite(caller: Caller, authority: string): void {
    const origin = one(caller.headers['origin'])
    if (origin !== undefined && !origins.isAllowed(origin, authority)) throw rejected()
    if (origin === undefined && one(caller.headers['sec-fetch-site']) === 'cross-site' && !isLink(caller)) throw rejected()
  }

  /** Throws if a cookie is the proof of a request that our own page has not caused. */
  function checkCookie(caller: Caller, { by }: Proof, authority: string): void {
    const { method, headers } = caller
    const origin = one(headers['origin'])
    const site = one(headers['sec-fetch-site'])
    // The browser adds a cookie to every request for this host, also to one that a page on another port has caused.
    if (by !== 'cookie') return
    if (origin === undefined && site === 'same-site' && !isLink(caller)) throw rejected()
    if (origin !== undefined && !origins.isTrusted(origin, authority)) throw rejected()
    if (!SAFE_METHODS.includes(method) && (origin === undefined || one(headers[CSRF_HEADER]) !== '1')) throw rejected()
  }

  // The short texts are part of the specification; clients compare them.
  return async (access, caller) => {
    const { connection, headers } = caller
    const address = connection.remoteAddress ?? ''
    const authority = one(headers['host']) ?? ''
    const origin = one(headers['origin'])
    const shared = isShared(connection)
    const kept = await proofs.kept(caller)
    await countWrongKey(caller, kept)
    if (kept.credential === null && !origins.isOurs(authority, shared))
      throw new Failure(
        'FORBIDDEN',
        `The Host ${authority.slice(0, 100)} is not a name of this studio. Call it by an address or by localhost, send the API key, or add the name to STUDIO_ALLOWED_HOSTS.`,
      )
    checkSite(caller, authority)
    const proof = kept.credential === null ? proofs.byPin(caller) : kept
    const { credential, by, signIn, person, device, pinToken } = proof
    checkCookie(caller, proof, authority)
    if (credential === 'key') keys.forgive(address)

    // A program that sends the key of a person is that person, also on this machine. A key that has ended makes it anonymous there, too.
    const isNear = isLocal(caller) && person === null && (credential !== null || !isPersonKey(bearerOf(headers)))
    // A wrong credential that a program sends makes it anonymous. A cookie does not: browsers keep sending those that have expired.
    const isTrusted = bearerOf(headers) === undefined && !caller.ticket && !isForwarded(headers) && isTrustedNetwork(address)
    const name = person?.role() ?? nameOf({ isLocal: isNear, credential, isTrusted })
    const hasAdminKey = serverMode && !shared && person === null && (credential === 'key' || credential === 'sign-in')
    const all = [...RIGHTS[name], ...(hasAdminKey ? SERVER_MODE_RIGHTS : [])]
    const rights = shared ? all.filter((right) => SHARED_RIGHTS.includes(right) || person === null) : all
    const mayAsk = caller.isReading === true || !READERS.includes(name)
    const isByName = origin !== undefined && !origins.isTrusted(origin, authority) && by !== 'header'

    const refusal = async (wanted: Access): Promise<Failure | null> => {
      if (!RIGHTS.local_user.includes(wanted)) {
        if (isByName) return rejected()
        // The user of a connection is looked up only where it matters.
        if (isNear && credential === null && !(await localUsers.isOurs(connection))) return otherUser()
      }
      if (rights.includes(wanted) && mayAsk) return null
      if (person) return forRole(wanted, name, { isReading: caller.isReading === true, shared })
      if (wanted === 'consume') return shared && !caller.isSocket ? new Failure('PIN_REQUIRED', 'PIN required') : unauthorized()
      const where = serverMode ? NOWHERE : LOCALLY
      if (wanted === 'native') return new Failure('FORBIDDEN', 'native filesystem access requires loopback origin', where)
      if (wanted === 'loopback' || shared || !serverMode) return new Failure('FORBIDDEN', 'loopback origin required', where)
      return name === 'anonymous' ? unauthorized() : new Failure('FORBIDDEN', 'loopback origin or admin API key required', WITH_KEY)
    }
    const refused = await refusal(access)
    if (refused) throw refused
    const mayConsume = rights.includes('consume')
    return {
      address,
      credential,
      name,
      signIn,
      person,
      ended: signIn?.ended ?? person?.ended ?? null,
      device,
      mayConsume,
      mayAdminister: async () => (await refusal('admin')) === null,
      mayOwn: async () => (await refusal('own')) === null,
      mayNameFiles: async () => (await refusal('native')) === null,
      isShared: shared,
      pinToken,
    }
  }
}

type Established = { readonly isLocal: boolean; readonly credential: Principal['credential']; readonly isTrusted: boolean }
function nameOf({ isLocal, credential, isTrusted }: Established): PrincipalName {
  if (isLocal) return 'loopback'
  if (credential === 'key') return 'api_key'
  if (credential === 'sign-in') return 'admin_session'
  if (credential === 'pin') return 'pin'
  return isTrusted ? 'trusted_network' : 'anonymous'
}

/** The refusal of a person, with the role that may. */
function forRole(
  wanted: Access,
  role: PrincipalName,
  { isReading, shared }: { readonly isReading: boolean; readonly shared: boolean },
): Failure {
  if (shared && !SHARED_RIGHTS.includes(wanted))
    return new Failure('FORBIDDEN', 'This route is not served on the shared port.', { hint: ELSEWHERE })
  const needed = roleFor(wanted, isReading)
  if (needed === null)
    return new Failure(
      'FORBIDDEN',
      `No role may use this route, and this key has the role ${role}. The user of the studio may, on its machine.`,
      LOCALLY,
    )
  return new Failure('FORBIDDEN', `This needs the role ${needed}, and this key has the role ${role}.`, { hint: ASK_OWNER })
}

const ELSEWHERE = 'Send the request to the port of the studio itself.'
const ASK_OWNER = 'Ask the owner of the studio for that role, or do it with a key that has it.'
const LOCALLY = { hint: 'Send the request from the machine of the studio.' }
const NOWHERE = { hint: 'With STUDIO_SERVER_MODE=1 no request counts as one of this machine, because a proxy may have sent it.' }
const WITH_KEY = { hint: 'Send the request from the machine of the studio, or with its API key.' }
const OTHER_SITE = { hint: 'Use the page of the studio, or add the origin of this page to STUDIO_ALLOWED_ORIGINS.' }
const rejected = () => new Failure('FORBIDDEN', 'browser origin rejected', OTHER_SITE)
const unauthorized = () => new Failure('UNAUTHORIZED', 'API key required')
const otherUser = () => new Failure('OTHER_LOCAL_USER', 'This connection belongs to another user of this machine.')
