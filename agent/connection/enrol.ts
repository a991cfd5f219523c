// Joining a studio with a code, and renewing the certificate with the key that was bound then.
import { hostname } from 'node:os'
import { type Address, parseAddress } from '#shared/link/address.ts'
import { type Identity, PROTOCOL_VERSION } from '#shared/link/definitions.ts'
import { redeem, renew } from '#shared/link/enrol.ts'
import { inspectLeaf } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { createRequest } from '#shared/pki/request.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { parseJoinCode } from '#shared/protocol/join-code.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { AgentIdentity } from './identity.ts'

/** What a join code says, or what the studio tells its own local agent. */
export type Invitation = {
  readonly id: string
  readonly secret: string
  readonly pins: readonly string[]
  readonly endpoints: readonly Address[]
}
const TIMEOUT_MS = 15_000

/** Throws what is wrong with the code: not a code, malformed, made by a newer version, expired. */
export function readInvitation(text: string, now: number): Invitation {
  const { id, secret, pins, endpoints } = parseJoinCode(text, now)
  const addresses = endpoints.map(parseAddress).filter((address) => address !== null)
  if (addresses.length === 0) throw new Failure('BAD_REQUEST', 'The join code names no usable address.')
  return { id, secret, pins, endpoints: addresses }
}

/** A new key, a certificate for it, and everything this agent must know to come back. Nothing is written here. */
export async function join(invitation: Invitation, clock: Clock): Promise<AgentIdentity> {
  const keyPem = await createKey()
  const name = hostname()
  const identity = await redeem(
    invitation.endpoints,
    invitation.pins,
    {
      token_id: invitation.id,
      secret: invitation.secret,
      csr_pem: createRequest(keyPem, name),
      name,
      hostname: name,
      os: process.platform === 'win32' ? 'windows' : process.platform,
      arch: process.arch,
      agent_version: VERSION,
      protocol: PROTOCOL_VERSION,
    },
    { clock, timeoutMs: TIMEOUT_MS },
  )
  return adopt(identity, keyPem, [...invitation.endpoints], clock.now())
}

/** The same identity with a new certificate. Its nonce is on the disk already. WORKER_REVOKED and AUTH_FAILED are final, anything else may pass. */
export async function renewed(old: AgentIdentity, clock: Clock): Promise<AgentIdentity> {
  const request = {
    worker_id: old.workerId,
    csr_pem: createRequest(old.keyPem, old.workerId),
    generation: old.generation,
    nonce: old.renewalNonce ?? '',
  }
  const identity = await renew(old.endpoints, old.authorityPem, request, { clock, timeoutMs: TIMEOUT_MS })
  return adopt(identity, old.keyPem, old.endpoints, clock.now())
}

function adopt(identity: Identity, keyPem: string, endpoints: Address[], now: number): AgentIdentity {
  const { worker_id: workerId, certificate_pem: certificatePem, authority_pem: authorityPem } = identity
  inspectLeaf({ certificatePem, authorityPem, publicKeyPem: publicKeyOf(keyPem), role: 'worker', id: workerId, now })
  if (identity.studio_pins.length === 0) throw new Failure('AUTH_FAILED', 'the studio named no key of its own')
  return {
    workerId,
    keyPem,
    certificatePem,
    authorityPem,
    studioPins: identity.studio_pins,
    studioName: identity.studio_name,
    generation: identity.generation,
    endpoints: endpoints.map((address) => ({ ...address })),
  }
}
