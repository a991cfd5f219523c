// Replaces the authority of the studio step by step, and shows which machines have followed and which would have to join again.

import type { Audit } from '#control-plane/audit/audit.ts'
import type { Worker, WorkerStore } from '#control-plane/workers/worker.store.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { loop } from '#shared/runtime/service.ts'
import type { StudioIdentity } from './authority.ts'

export type RotationStep = 'prepare' | 'activate' | 'retire'
/** The progress of a rotation. `expires_at`: epoch seconds. */
export type RotationState = {
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
  /** Machines that this studio dials issue their own certificates. */
  readonly isDialled: (workerId: string) => boolean
  readonly sessions: () => Iterable<{ readonly workerId: string; readonly rotate: () => Promise<boolean> }>
  /** Makes the listeners use the studio's new keys. */
  readonly applyKeys: () => void
}
const CHECK_MS = 3600_000
const WARN_MS = 180 * 24 * 3600_000

export function createRotation({ identity, workers, audit, clock, log, isDialled, sessions, applyKeys }: Deps) {
  let lastStep: Promise<unknown> = Promise.resolve()
  const enrolled = () => [...workers.all()].filter(({ id, revokedAt }) => revokedAt === null && !isDialled(id))
  const toNames = (list: Worker[]) => list.map(({ id, name }) => ({ id, name }))
  const behind = (): Worker[] => {
    if (identity.phase() === 'prepared') return enrolled().filter(({ trusts, followed }) => trusts !== identity.nextPin || !followed)
    if (identity.phase() === 'activated') return enrolled().filter(({ issuer, followed }) => issuer !== identity.authorityPin || !followed)
    return []
  }
  const withoutNextAuthority = () => enrolled().filter(({ trusts, followed }) => trusts !== identity.authorityPin || !followed)

  const view = (lost: Worker[] = identity.phase() === 'activated' ? withoutNextAuthority() : []): RotationState => ({
    phase: identity.phase(),
    fingerprint: identity.authorityPin,
    next_fingerprint: identity.nextPin,
    previous_fingerprint: identity.previousPin,
    expires_at: identity.expiresAt() / 1000,
    behind: toNames(behind()),
    must_join_again: toNames(lost),
  })

  /** Makes a machine renew now. It confirms once the new certificate is on its disk. */
  async function renewNow({ workerId, rotate }: { workerId: string; rotate: () => Promise<boolean> }): Promise<void> {
    if ((await rotate()) && workers.get(workerId)) workers.followed(workerId)
  }

  async function advance(step: RotationStep, force: boolean): Promise<RotationState> {
    const before = identity.phase()
    let lost: Worker[] | undefined
    if (step === 'prepare') await identity.prepareNext()
    if (step === 'activate') await identity.activate()
    if (step === 'retire') {
      const waiting = behind()
      if (before === 'activated' && waiting.length > 0 && !force)
        throw new Failure(
          'CONFLICT',
          `These machines have not renewed their certificate yet: ${waiting.map(({ id, name }) => name || id).join(', ')}. Wake them, remove them, or retire with force.`,
        )
      lost = withoutNextAuthority()
      await identity.retire()
    }
    if (identity.phase() === before) return view()
    audit.record(`rotate-${step}`, 'studio', {
      authority: identity.authorityPin,
      next: identity.nextPin,
      lost: (lost ?? []).map(({ id }) => id),
    })
    log.info({ step, authority: identity.authorityPin.slice(0, 12) }, 'the authority of the studio was rotated')
    applyKeys()
    await workers.settled()
    if (step !== 'retire') for (const session of sessions()) if (!isDialled(session.workerId)) void renewNow(session)
    return view(lost)
  }

  const checks = loop(
    'authority-check',
    async (signal) => {
      if (identity.expiresAt() - clock.now() < WARN_MS)
        log.warn(
          { expiresAt: identity.expiresAt() },
          `the authority of the studio expires soon; replace it with ${COMMAND} authority prepare`,
        )
      await clock.sleep(CHECK_MS, signal)
      if (!identity.refresh()) return
      applyKeys()
      log.info({}, 'the certificate of the studio was renewed')
    },
    (error) => log.error({ err: String(error) }, 'the check of the authority stopped'),
  )

  return {
    ...checks,
    view: () => view(),
    /** A machine that missed a step renews as soon as it is connected. */
    onConnected(session: { readonly workerId: string; readonly rotate: () => Promise<boolean> }): void {
      if (behind().some(({ id }) => id === session.workerId)) void renewNow(session)
    },
    /** Concurrent requests run one after the other. Rejects with CONFLICT for a step that is not next. */
    take(step: RotationStep, force = false): Promise<RotationState> {
      const taken = lastStep.then(() => advance(step, force))
      lastStep = taken.catch(() => {})
      return taken
    },
    /** True if the identity of this worker still lets it reconnect. */
    isTrusting(id: string): boolean {
      const worker = workers.get(id)
      if (!worker || worker.revokedAt !== null) return false
      return ['', identity.authorityPin, identity.nextPin, identity.previousPin].includes(worker.trusts)
    },
  }
}
