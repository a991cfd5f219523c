// The studio's own authority and the leaf certificate it presents to its agents. The keys are created once and stay in their folder, mode
// 0600; a new leaf is issued at every start and at half of its life. An authority is replaced in three steps that each survive a crash:
// prepare: the next one exists, and agents that enrol or renew are told to trust it too. activate: the new one issues everything. The old
// one has signed it as well, so that machines and printed codes with only the old pin still accept it; certificates of the old one stay
// valid. retire: the old one is removed.
import {
  type Authority,
  certificateEnd,
  createAuthority,
  createSerial,
  crossSign,
  issueLeaf,
  subjectNameOf,
} from '#shared/pki/certificate.ts'
import { validityOf } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { shouldRenew } from '#shared/pki/rotation.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Keys } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import { type AuthoritySet, createAuthorityFiles, FIRST, type Roles } from './authority-files.ts'

export const STUDIO = 'studio'
const AUTHORITY_YEARS = 10
const STUDIO_LEAF_HOURS = 365 * 24
export const WORKER_LEAF_HOURS = 24
const HOUR = 3_600_000

export type RotationPhase = 'steady' | 'prepared' | 'activated'
export type StudioIdentity = Awaited<ReturnType<typeof loadIdentity>>

export async function loadIdentity(keys: Keys, { clock, random }: { readonly clock: Clock; readonly random: Random }) {
  const files = createAuthorityFiles(keys)
  const serial = () => createSerial(random.hex(16))
  const make = async (name: string, stored: string | null): Promise<AuthoritySet> => {
    // At the same time, because the search for large primes takes most of a first start.
    const [authority, studioKeyPem] = await Promise.all([
      createAuthority({ name, now: clock.now(), years: AUTHORITY_YEARS, serial: serial() }),
      stored ?? createKey(),
    ])
    return { authority, studioKeyPem }
  }
  const stored = await files.roles()
  const studioKey = await files.studioKey(FIRST)
  let roles: Roles = stored ?? { current: FIRST, next: null, previous: null, retired: [] }
  if (stored === null) await files.keep(FIRST, await make(`Voice Studio ${random.hex(4)}`, studioKey))
  else if (studioKey === null && roles.current === FIRST) await files.keepStudioKey(FIRST, await createKey())
  roles = await files.removeRetired(roles)

  const read = async (name: string | null) => (name === null ? null : files.read(name))
  let current = await files.read(roles.current)
  let next = await read(roles.next)
  let previous = await read(roles.previous)
  /** The current authority, signed by the previous one. */
  let cross = previous ? await files.readCross(roles.current) : ''
  let leaf = issueOwn()

  function issue(role: 'studio' | 'worker', id: string, publicKeyPem: string, hours: number): string {
    const now = clock.now()
    const hoursLeft = (certificateEnd(current.authority.certificatePem) - now) / HOUR
    return issueLeaf({ authority: current.authority, publicKeyPem, role, id, now, hours: Math.min(hours, hoursLeft), serial: serial() })
  }
  function issueOwn() {
    const keyPem = current.studioKeyPem
    return { keyPem, certificatePem: issue('studio', STUDIO, publicKeyOf(keyPem), STUDIO_LEAF_HOURS) }
  }
  const rootOf = (set: AuthoritySet) => set.authority.certificatePem
  const pinsOf = (of: (set: AuthoritySet) => string, ...sets: (AuthoritySet | null)[]) =>
    sets.flatMap((set) => (set ? [pinOf(of(set))] : []))
  const studioKeyOf = ({ studioKeyPem }: AuthoritySet) => publicKeyOf(studioKeyPem)
  const phase = (): RotationPhase => (next ? 'prepared' : previous ? 'activated' : 'steady')

  return {
    phase,
    get authority(): Authority {
      return current.authority
    },
    /** The studio's own leaf and key: client on sessions, server on enrolment. */
    get leaf() {
      return leaf
    },
    /** SHA-256 of the SPKI, hex: of the authority (in join codes) and of the leaf (what agents check on every call). */
    get authorityPin(): string {
      return pinOf(rootOf(current))
    },
    get studioPin(): string {
      return pinOf(studioKeyOf(current))
    },
    get nextPin(): string | null {
      return next && pinOf(rootOf(next))
    },
    get previousPin(): string | null {
      return previous && pinOf(rootOf(previous))
    },
    expiresAt: (): number => certificateEnd(rootOf(current)),
    /** Pins in join codes: the authority now and the next. */
    pins: (): string[] => pinsOf(rootOf, current, next),
    /** The keys that this studio may present to its agents. */
    studioPins: (): string[] => pinsOf(studioKeyOf, current, next, previous),
    /** The roots that an agent trusts from now on; the issuing one comes first. */
    trustPem: (): string => rootOf(current) + (next ? rootOf(next) : ''),
    /** The newest authority that agents learn of when they enrol or renew now. */
    newestPin: (): string => pinOf(rootOf(next ?? current)),
    /** The roots that may have issued the certificate of an agent. */
    rootsPem: (): string => rootOf(current) + (previous ? rootOf(previous) : ''),
    /**
     * The chain that this studio presents: its leaf, and a path to every root that an agent may trust. The cross-signed certificate comes
     * before the new root, because a client uses the first of two that fit.
     */
    chainPem: (): string => leaf.certificatePem + (previous ? cross + rootOf(previous) : '') + rootOf(current),
    issue: (workerId: string, publicKey: string): string => issue('worker', workerId, publicKey, WORKER_LEAF_HOURS),
    /** Issues a new leaf when this one is past half of its life, and returns whether it did. */
    refresh(): boolean {
      if (!shouldRenew(clock.now(), validityOf(leaf.certificatePem), 0.5)) return false
      leaf = issueOwn()
      return true
    },

    /** No effect when the next one is prepared already. Rejects with CONFLICT while the previous one is not retired. */
    async prepareNext(): Promise<void> {
      if (next) return
      if (previous) throw new Failure('CONFLICT', 'The authority before this one is not retired yet; retire it first.')
      // The same name makes the certificate that the old one signs for the new one a successor, not an authority below it.
      const made = await make(subjectNameOf(rootOf(current)), null)
      const name = `${FIRST}-${random.hex(8)}`
      await files.keep(name, made)
      const prepared = { ...roles, next: name }
      await files.setRoles(prepared)
      roles = prepared
      next = made
    },
    /** No effect when it is activated already. Throws CONFLICT when none is prepared. */
    async activate(): Promise<void> {
      if (!next && previous) return
      if (!next || !roles.next) throw new Failure('CONFLICT', 'There is no next authority; prepare one first.')
      const signed = crossSign({ issuer: current.authority, certificatePem: rootOf(next), now: clock.now(), serial: serial() })
      await files.keepCross(roles.next, signed)
      const activated: Roles = { current: roles.next, next: null, previous: roles.current, retired: [] }
      await files.setRoles(activated)
      roles = activated
      cross = signed
      previous = current
      current = next
      next = null
      leaf = issueOwn()
    },
    /** Machines that trust only the old authority have to join again. Throws CONFLICT when there is none to retire. */
    async retire(): Promise<void> {
      if (!previous || !roles.previous) throw new Failure('CONFLICT', 'There is no authority to retire.')
      const retired: Roles = { ...roles, previous: null, retired: [roles.previous] }
      await files.setRoles(retired)
      previous = null
      roles = await files.removeRetired(retired)
    },
  }
}
