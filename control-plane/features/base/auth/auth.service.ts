import type { AccessControl } from '#control-plane/http/access/open.ts'
import { isToken } from '#control-plane/http/access/sign-ins.ts'
import type { Principal, SignIn, Transport } from '#control-plane/http/contract/caller.ts'
import { Failure } from '#shared/protocol/failure.ts'

export type AuthService = ReturnType<typeof createAuthService>
type Deps = Pick<AccessControl, 'keys' | 'signIns'>

export function createAuthService({ keys, signIns }: Deps) {
  const refused = () => new Failure('UNAUTHORIZED', 'API key required')

  return {
    /** `expiresAt` in epoch milliseconds. Throws UNAUTHORIZED for a key that is neither the API key nor that of a person; the access check has counted a wrong key. */
    signIn(key: string | undefined, transport: Transport, { credential, person }: Pick<Principal, 'credential' | 'person'>) {
      if (credential === 'person-key') return signIns.begin(transport, person)
      if (key === undefined || !keys.isRight(key)) throw refused()
      return signIns.begin(transport)
    },
    signOut(signIn: SignIn | null): void {
      if (signIn) signIns.end(signIn)
    },
    /**
     * Throws UNAUTHORIZED for a session token that has ended, and FORBIDDEN for every other proof: programs with the key send it in the
     * handshake.
     */
    ticket(signIn: SignIn | null, bearer: string | undefined, path: string) {
      if (!signIn && bearer !== undefined && isToken(bearer)) throw refused()
      if (!signIn)
        throw new Failure('FORBIDDEN', 'admin session required', {
          hint: 'Start a session with POST /api/auth/session, and send its token or cookie.',
        })
      return signIns.ticket(signIn, path)
    },
  }
}
