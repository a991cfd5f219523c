// The kinds of senders and the routes that each of them reaches: the table behind docs/access.md. A contract names the access that it
// requires.

import { PERSON_ROLES, type PersonRole } from '#shared/protocol/access/person.ts'
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
  loopback: ['open', 'consume', 'local', 'admin', 'own', 'loopback', 'native'],
  listen: ['open', 'consume'],
  create: ['open', 'consume'],
  operate: ['open', 'consume', 'local', 'admin'],
  own: ['open', 'consume', 'local', 'admin', 'own'],
}
/** Principals that only read: of the routes that they reach, those that make or change something refuse them. */
export const READERS: readonly PrincipalName[] = ['listen']
/** The right on the shared port, whose devices never administer. */
export const SHARED_RIGHTS: readonly Access[] = ['open', 'consume']
/** Added by STUDIO_SERVER_MODE=1 for the API key and a sign-in. Routes of the kinds loopback and native stay with this machine. */
export const SERVER_MODE_RIGHTS: readonly Access[] = ['local', 'admin', 'own']

/** The first role that may send such a request; null if no role may. */
export const roleFor = (access: Access, isReading: boolean): PersonRole | null =>
  PERSON_ROLES.find((role) => RIGHTS[role].includes(access) && (isReading || !READERS.includes(role))) ?? null
