// An open enrolment with a studio: its tenant, its connection, and whether the studio has accepted this machine.

import { createStudioConnection, type StudioConnection } from '#agent/connection/connect.ts'
import type { AgentIdentity } from '#agent/connection/identity.ts'
import type { Machine } from '#agent/tenancy/machine.ts'
import { noticesAbout } from '#agent/tenancy/notices.ts'
import type { Tenant } from '#agent/tenancy/tenant.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'

export type StudioEnrolment = {
  readonly tenant: Tenant
  readonly identity: () => AgentIdentity
  readonly isAccepted: () => boolean
  readonly moveTo: StudioConnection['moveTo']
  /** Resolves with null once the studio has accepted this machine, otherwise with the reason why it has not yet. */
  readonly outcome: (withinMs: number, signal: AbortSignal) => Promise<Failure | null>
  /** Finishes attempts within the grace period, returns the rest to the studio, and closes. */
  readonly end: (graceMs: number) => Promise<void>
}
export type EnrolmentDeps = {
  readonly name: string
  /** See `createTenant`. */
  readonly owner?: string
  /** Its name in notices; null for none. */
  readonly studio: string | null
  readonly machine: Machine
  readonly identity: AgentIdentity
  readonly save: (identity: AgentIdentity) => void
  readonly retry: { readonly baseMs: number; readonly capMs: number }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly onRefused?: (failure: Failure) => void
  readonly onAccepted?: () => void
  readonly onFailure?: (failure: Failure) => void
}
const FLUSH_MS = 500

export async function openEnrolment(deps: EnrolmentDeps): Promise<StudioEnrolment> {
  const { machine, clock, random } = deps
  const log = deps.log.child({ controller: deps.name })
  const settled = Promise.withResolvers<Failure | null>()
  let lastFailure: Failure | null = null
  const { studio } = deps
  const notices = noticesAbout(studio)
  const tenant = machine.openTenant(deps.name, {
    ...(deps.owner !== undefined && { owner: deps.owner }),
    ...(studio !== null && { studio }),
    generation: () => connection.identity().generation,
    rotate: () => connection.renewNow(),
  })
  const connection: StudioConnection = createStudioConnection({
    identity: deps.identity,
    save: deps.save,
    service: tenant.service,
    retry: deps.retry,
    clock,
    random,
    log,
    onRefused(failure) {
      // The studio will not fetch these attempts, and a removed machine must not keep their data.
      tenant.wipe('The studio has removed this machine.')
      settled.resolve(failure)
      deps.onRefused?.(failure)
    },
    onAccepted() {
      log.info({ ...notices.connected }, 'the studio has accepted this machine')
      settled.resolve(null)
      deps.onAccepted?.()
    },
    onClosed: () => log.info({ ...notices.disconnected }, 'the connection to the studio has ended'),
    onFailure(failure) {
      lastFailure = failure
      deps.onFailure?.(failure)
    },
  })
  await connection.start()
  return {
    tenant,
    identity: connection.identity,
    isAccepted: connection.isAccepted,
    moveTo: connection.moveTo,
    async outcome(withinMs, signal) {
      const waiting = new AbortController()
      const timedOut = clock
        .sleep(withinMs, AbortSignal.any([waiting.signal, signal]))
        .then(() => lastFailure ?? new Failure('WORKER_UNREACHABLE', `The studio did not accept this machine within ${withinMs / 1000} s.`))
        .catch(() => new Failure('NOT_READY', 'The agent was stopped before the studio answered.'))
      const outcome = await Promise.race([settled.promise, timedOut])
      waiting.abort()
      return outcome
    },
    async end(graceMs) {
      await tenant.handBack(graceMs)
      await connection.stopServing(FLUSH_MS)
      await connection.stop()
      tenant.close('The enrolment has ended.')
    },
  }
}
