// Joins a studio with a code, and renews the certificate with the key that was bound by joining.

import { hostname } from 'node:os'
import { type Issued, redeem, renew } from '#shared/link/port/enrol.ts'
import { type Address, formatAddress, parseAddress } from '#shared/link/transport/address.ts'
import { createKey } from '#shared/pki/key.ts'
import { pinOf, samePin } from '#shared/pki/pin.ts'
import { createRequest } from '#shared/pki/request.ts'
import { parseJoinCode } from '#shared/protocol/codes/join-code.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { ENDPOINT_LIMITS, PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { AgentIdentity } from './identity.ts'

/** The content of a join code, or of the studio's message to its local agent. */
export type Invitation = {
  readonly id: string
  readonly secret: string
  readonly pins: readonly string[]
  readonly endpoints: readonly Address[]
  /** Epoch milliseconds by the clock of the studio, which decides; without it the invitation does not expire. */
  readonly expiresAt?: number
}
const TIMEOUT_MS = 15_000
const CERTIFICATE_END = '-----END CERTIFICATE-----'
/** A clock that is further ahead also finds its new certificate, of one day, expired soon; by then the code would be used up. */
const CLOCK_SLACK_MS = 12 * 3_600_000

/** Throws BAD_REQUEST for a text that is not a code or is malformed, UPGRADE_REQUIRED for one of a newer version. The studio checks its age. */
export function readInvitation(text: string): Invitation {
  const { id, secret, pins, endpoints, expiresAtSeconds } = parseJoinCode(text)
  const addresses = endpoints.map(parseAddress).filter((address) => address !== null)
  if (addresses.length === 0) throw new Failure('BAD_REQUEST', 'The join code contains no usable address.')
  return { id, secret, pins, endpoints: addresses, expiresAt: expiresAtSeconds * 1000 }
}

/**
 * A new key, its certificate, and everything that this agent needs to reconnect. Stores nothing. Throws AUTH_FAILED without a connection for a code
 * that expired long ago by the clock of this machine.
 */
export async function join(invitation: Invitation, clock: Clock, signal?: AbortSignal): Promise<AgentIdentity> {
  const now = clock.now()
  const { expiresAt = Number.POSITIVE_INFINITY } = invitation
  if (now >= expiresAt + CLOCK_SLACK_MS)
    throw new Failure(
      'AUTH_FAILED',
      `The join code expired at ${dateOf(expiresAt)}, and the clock of this machine shows ${dateOf(now)}. Set the clock if it is wrong, or use a new code.`,
    )
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
    { clock, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) },
  )
  return adopt(identity, keyPem, [...invitation.endpoints])
}

/**
 * The same identity with a new certificate, and with the addresses that the studio has now. Its nonce is already stored. `via`: the address of the
 * open link; null without one. See `isRefusal` for what is final.
 */
export async function renewed(old: AgentIdentity, via: Address | null, clock: Clock, signal?: AbortSignal): Promise<AgentIdentity> {
  const request = {
    worker_id: old.workerId,
    csr_pem: createRequest(old.keyPem, old.workerId),
    generation: old.generation,
    nonce: old.renewalNonce ?? '',
  }
  const identity = await renew(old.endpoints, old.authorityPem, request, { clock, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) })
  return adopt(identity, old.keyPem, [...old.endpoints], via)
}

/** The pins of the authorities of an identity; none for a text that is damaged, which the next join replaces. */
function authorityPins({ authorityPem }: AgentIdentity): string[] {
  try {
    return authorityPem
      .split(CERTIFICATE_END)
      .slice(0, -1)
      .map((certificate) => pinOf(`${certificate}${CERTIFICATE_END}`))
  } catch {
    return []
  }
}

/** True if the code is one of the studio that this machine belongs to: the identity can stay, and only the addresses change. */
export const isByOwnStudio = ({ pins }: Invitation, known: AgentIdentity): boolean =>
  authorityPins(known).some((own) => pins.some((pin) => samePin(pin, own)))

type Moving = {
  /** Stores the identity before the studio is asked. */
  readonly save: (identity: AgentIdentity) => void
  readonly random: Random
  readonly clock: Clock
  readonly signal?: AbortSignal
}
/**
 * The identity of this machine at the addresses of a code of its studio. The code is not used up. Null if the studio no longer has this machine,
 * which then joins as a new one. Rejects like `renewed` for other reasons.
 */
export async function moved(
  invitation: Invitation,
  known: AgentIdentity,
  { save, random, clock, signal }: Moving,
): Promise<AgentIdentity | null> {
  const marked = { ...known, renewalNonce: known.renewalNonce ?? random.hex(16) }
  save(marked)
  try {
    return await renewed({ ...marked, endpoints: [...invitation.endpoints] }, null, clock, signal)
  } catch (error) {
    if (isRefusal(Failure.from(error))) return null
    throw error
  }
}

type Reached = { readonly answered: Address; readonly via: Address | null }
/**
 * Announced addresses first. The earlier ones stay until a link is open through an announced one: the owner may have mistyped them. The one that
 * has just answered comes next, so that it is never among those that the limit drops.
 */
export function mergedEndpoints(announced: readonly Address[], known: readonly Address[], { answered, via }: Reached): Address[] {
  const names = new Set(announced.map(formatAddress))
  if (announced.length === 0) return [...known]
  if (via !== null && names.has(formatAddress(via))) return [...announced]
  const kept = new Map([answered, ...known].map((address) => [formatAddress(address), address]))
  for (const name of names) kept.delete(name)
  return [...announced, ...kept.values()].slice(0, 2 * ENDPOINT_LIMITS.count)
}

const dateOf = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : 'no date')

/**
 * True if the studio, which has proven its identity, refused this machine for ever. Other failures are temporary: the old certificate stays
 * in use.
 */
export const isRefusal = ({ code, detail }: Failure): boolean =>
  code === 'WORKER_REVOKED' || (code === 'AUTH_FAILED' && (detail as { reason?: unknown } | undefined)?.reason !== 'stranger')

function adopt(identity: Issued, keyPem: string, known: readonly Address[], via: Address | null = null): AgentIdentity {
  const { worker_id: workerId, certificate_pem: certificatePem, authority_pem: authorityPem } = identity
  const announced = identity.endpoints.map(parseAddress).filter((address) => address !== null)
  if (identity.studio_pins.length === 0) throw new Failure('NOT_READY', 'The studio sent no key of its own.')
  return {
    workerId,
    keyPem,
    certificatePem,
    authorityPem,
    studioPins: identity.studio_pins,
    studioName: identity.studio_name,
    generation: identity.generation,
    endpoints: mergedEndpoints(announced, known, { answered: identity.server_address, via }).map((address) => ({ ...address })),
  }
}
