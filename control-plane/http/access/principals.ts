// Who a sender can be, and which routes each of them reaches: the table behind docs/access.md. A contract names the access that it requires.
import type { Access } from '../contract/contract.ts'

/**
 * loopback: the studio's own user (or root) on this machine. local_user: another user of this machine. trusted_network: an address of
 * STUDIO_TRUSTED_NETWORKS. pin: the PIN of the shared port. api_key, admin_session: the API key or a sign-in, from another machine.
 */
export type PrincipalName = 'anonymous' | 'local_user' | 'trusted_network' | 'pin' | 'api_key' | 'admin_session' | 'loopback'

/** What each principal reaches. */
export const RIGHTS: Readonly<Record<PrincipalName, readonly Access[]>> = {
  anonymous: ['open'],
  local_user: ['open', 'consume'],
  trusted_network: ['open', 'consume', 'local'],
  pin: ['open', 'consume'],
  api_key: ['open', 'consume'],
  admin_session: ['open', 'consume'],
  loopback: ['open', 'consume', 'local', 'admin', 'loopback', 'native'],
}
/** What the API key and a sign-in reach in addition if STUDIO_SERVER_MODE=1. Routes of the kinds loopback and native stay with this machine. */
export const SERVER_MODE_RIGHTS: readonly Access[] = ['local', 'admin']
