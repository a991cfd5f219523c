// Replacing the authority of the studio, step by step, with the machines in view: who has followed already, and who would be lost.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { loop } from '#shared/runtime/service.ts'
import type { Worker, WorkerStore } from '../workers/worker.store.ts'
import type { Audit } from './audit.store.ts'
import type { StudioIdentity } from './authority.ts'

export type RotationStep = 'prepare' | 'activate' | 'retire'
/** How far a rotation has come. `expires_at`: epoch seconds. */
export type AuthorityView = {
  readonly phase: ReturnType<StudioIdentity['phase']>
  readonly fingerprint: string
  readonly next_fingerprint: string | null
  readonly previous_fingerprint: string | null
  readonly expires_at: number
  readonly behind: { id: string; name: string }[]
  readonly must_join_again: { id: string; name: string }[]
}
export type Rotation = ReturnType<typeof createRotation>
type Deps = {
  readonly identity: StudioIdentity
  readonly workers: WorkerStore
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
  /** Machines we dial have their certificates from themselves. */
  readonly isDialled: (workerId: string) => boolean
  readonly sessions: () => Iterable<{ readonly workerId: string; readonly rotate: () => Promise<boolean> }>
  /** The doors use the studio's new keys from now on. */
  readonly showKeys: () => void
}
const CHECK_MS = 3600_000
const WARN_MS = 180 * 24 * 3600_000

export function createRotation({ identity, workers, audit, clock, log, isDialled, sessions, showKeys }: Deps) {
  let turn: Promise<unknown> = Promise.resolve()
  const enrolled = () => [...workers.all()].filter(({ id, revokedAt }) => revokedAt === null && !isDialled(id))
  const named = (list: Worker[]) => list.map(({ id, name }) => ({ id, name }))
  const behind = (): Worker[] => {
    if (identity.phase() === 'prepared') return enrolled().filter(({ trusts, followed }) => trusts !== identity.nextPin || !followed)
    if (identity.phase() === 'activated') return enrolled().filter(({ issuer, followed }) => issuer !== identity.authorityPin || !followed)
    return []
  }
  const strangers = () => enrolled().filter(({ trusts, followed }) => trusts !== identity.authorityPin || !followed)

  const view = (lost: Worker[] = identity.phase() === 'activated' ? strangers() : []): AuthorityView => ({
    phase: identity.phase(),
    fingerprint: identity.authorityPin,
    next_fingerprint: identity.nextPin,
    previous_fingerprint: identity.previousPin,
    expires_at: identity.expiresAt() / 1000,
    behind: named(behind()),
    must_join_again: named(lost),
  })

  /** Has a machine renew now. Its yes comes when the new certificate lies on its disk. */
  async function ask({ workerId, rotate }: { workerId: string; rotate: () => Promise<boolean> }): Promise<void> {
    if ((await rotate()) && workers.get(workerId)) workers.followed(workerId)
  }

  async function follow(step: RotationStep, force: boolean): Promise<AuthorityView> {
    const before = identity.phase()
    let lost: Worker[] | undefined
    if (step === 'prepare') await identity.prepareNext()
    if (step === 'activate') identity.activate()
    if (step === 'retire') {
      const waiting = behind()
      if (before === 'activated' && waiting.length > 0 && !force)
        throw new Failure(
          'CONFLICT',
          `These machines have not renewed their certificate yet: ${waiting.map(({ id, name }) => name || id).join(', ')}. Wake them, remove them, or retire with force.`,
        )
      lost = strangers()
      identity.retire()
    }
    if (identity.phase() === before) return view()
    audit.record(`rotate-${step}`, 'studio', {
      authority: identity.authorityPin,
      next: identity.nextPin,
      lost: (lost ?? []).map(({ id }) => id),
    })
    log.info({ step, authority: identity.authorityPin.slice(0, 12) }, 'the authority of the studio was moved on')
    showKeys()
    if (step !== 'retire') for (const session of sessions()) if (!isDialled(session.workerId)) void ask(session)
    return view(lost)
  }

  const checks = loop(
    'authority-check',
    async (signal) => {
      if (identity.expiresAt() - clock.now() < WARN_MS)
        log.warn({ expiresAt: identity.expiresAt() }, 'the authority of the studio ends soon; replace it with ./studio authority prepare')
      await clock.sleep(CHECK_MS, signal)
      if (!identity.refresh()) return
      showKeys()
      log.info({}, 'the certificate of the studio was renewed')
    },
    (error) => log.error({ err: String(error) }, 'the check of the authority stopped'),
  )

  return {
    ...checks,
    view: () => view(),
    /** A machine that came back is asked at once for what it missed. */
    met(session: { readonly workerId: string; readonly rotate: () => Promise<boolean> }): void {
      if (behind().some(({ id }) => id === session.workerId)) void ask(session)
    },
    /** One after the other, whoever asks at the same time. Throws CONFLICT for a step whose turn it is not. */
    take(step: RotationStep, force = false): Promise<AuthorityView> {
      const taken = turn.then(() => follow(step, force))
      turn = taken.catch(() => {})
      return taken
    },
    /** Whether an identity that this worker was given is still good for finding back. */
    isKnown(id: string): boolean {
      const worker = workers.get(id)
      if (!worker || worker.revokedAt !== null) return false
      return ['', identity.authorityPin, identity.nextPin, identity.previousPin].includes(worker.trusts)
    },
  }
}
