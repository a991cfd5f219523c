// The kinds of senders and the routes that each of them reaches: the table behind docs/access.md. A contract names the access that it
// requires.
import type { PrincipalName } from '../contract/caller.ts'
import type { Access } from '../contract/contract.ts'

/** Access of each principal. */
export const RIGHTS: Readonly<Record<PrincipalName, readonly Access[]>> = {
  anonymous: ['open'],
  local_user: ['open', 'consume'],
  trusted_network: ['open', 'consume', 'local'],
  pin: ['open', 'consume'],
  api_key: ['open', 'consume'],
  admin_session: ['open', 'consume'],
  loopback: ['open', 'consume', 'local', 'admin', 'loopback', 'native'],
}
/** Added by STUDIO_SERVER_MODE=1 for the API key and a sign-in. Routes of the kinds loopback and native stay with this machine. */
export const SERVER_MODE_RIGHTS: readonly Access[] = ['local', 'admin']
