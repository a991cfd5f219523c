// One enrolment to a studio while it is in use: its tenant, its connection, and the moment at which the studio took it.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createStudioConnection, type StudioConnection } from '../connection/connect.ts'
import type { AgentIdentity } from '../connection/identity.ts'
import type { Machine } from '../tenancy/machine.ts'
import type { Tenant } from '../tenancy/tenant.ts'

export type Enrolment = {
  readonly tenant: Tenant
  readonly identity: () => AgentIdentity
  readonly isWelcome: () => boolean
  /** Resolves with null when the studio has taken this machine once, else with why it has not yet. */
  readonly outcome: (withinMs: number, signal: AbortSignal) => Promise<Failure | null>
  /** Finishes within the grace what it holds, gives the rest back, and is gone. */
  readonly end: (graceMs: number) => Promise<void>
}
export type EnrolmentDeps = {
  readonly name: string
  readonly machine: Machine
  readonly identity: AgentIdentity
  readonly save: (identity: AgentIdentity) => void
  readonly retry: { readonly baseMs: number; readonly capMs: number }
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly onRefused?: (failure: Failure) => void
  readonly onWelcomed?: () => void
  readonly onTrouble?: (failure: Failure) => void
}
const LAST_WORDS_MS = 500

export async function openEnrolment(deps: EnrolmentDeps): Promise<Enrolment> {
  const { machine, clock, random } = deps
  const log = deps.log.child({ controller: deps.name })
  const settled = Promise.withResolvers<Failure | null>()
  let trouble: Failure | null = null
  const tenant = machine.openTenant(deps.name, {
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
      // Nobody will ask for it any more, and a machine that was removed has no business with what it was lent for.
      tenant.wipe('the studio has removed this machine')
      settled.resolve(failure)
      deps.onRefused?.(failure)
    },
    onWelcomed() {
      settled.resolve(null)
      deps.onWelcomed?.()
    },
    onTrouble(failure) {
      trouble = failure
      deps.onTrouble?.(failure)
    },
  })
  await connection.start()
  return {
    tenant,
    identity: connection.identity,
    isWelcome: connection.isWelcome,
    async outcome(withinMs, signal) {
      const waiting = new AbortController()
      const late = clock
        .sleep(withinMs, AbortSignal.any([waiting.signal, signal]))
        .then(() => trouble ?? new Failure('WORKER_UNREACHABLE', `The studio did not accept this machine within ${withinMs / 1000} s.`))
        .catch(() => new Failure('NOT_READY', 'The agent was stopped before the studio answered.'))
      const outcome = await Promise.race([settled.promise, late])
      waiting.abort()
      return outcome
    },
    async end(graceMs) {
      await tenant.handBack(graceMs)
      await connection.stopServing(LAST_WORDS_MS)
      await connection.stop()
      tenant.wipe('the enrolment has ended')
    },
  }
}
