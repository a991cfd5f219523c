// One controller of this machine, with its own attempts, consent and drain. A tenant has no access to the others; the machine passes each of
// them the shared engines, memory and folder.

import type { LogSource } from '#agent/connection/log-lines.ts'
import type { ModelStore } from '#agent/models/store.ts'
import type { AgentService } from '#shared/link/rpc.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { type Attempts, createAttempts } from './attempts.ts'
import { noticesAbout } from './notices.ts'
import { createService } from './service.ts'

export type Tenant = {
  readonly name: string
  readonly service: AgentService
  /** Number of attempts, including finished ones that the studio has not confirmed. */
  readonly held: () => number
  readonly beginDrain: () => void
  readonly endDrain: () => void
  readonly isDraining: () => boolean
  /** Its studio may send text and audio here; null before the studio has said so. */
  readonly isApproved: () => boolean | null
  /** Resolves with true when no attempt is left, or with false when the signal aborts first. */
  readonly drained: (signal: AbortSignal) => Promise<boolean>
  /** Accepts no new work, finishes its attempts within the grace period and returns the rest to its studio. */
  readonly handBack: (graceMs: number) => Promise<void>
  /** Stops and deletes every attempt. */
  readonly wipe: (why: string) => void
  /** Same as `wipe`, for the end of the tenant: the machine keeps nothing of it. */
  readonly close: (why: string) => void
  readonly forgetUnfetched: () => void
}
type Deps = Omit<Parameters<typeof createAttempts>[0], 'controller' | 'notices'> & {
  readonly name: string
  /** The name under which it owns models: it must not change while the machine works for this controller. Default: `name`. */
  readonly owner?: string
  /** The studio's name in notices; null for none. */
  readonly studio?: string | null
  readonly describe: () => Promise<Wire<'Description'>>
  readonly resident: () => string[]
  readonly freeMemory: () => number
  readonly freeDisk: () => Promise<number>
  /** The use of a pool by this controller; absent for a machine. */
  readonly use?: () => Wire<'PoolUse'>
  /** Renews the certificate that the studio issued. Controllers that dial in issue none. */
  readonly rotate?: () => Promise<void>
  /** The machine's models, the same for every controller. */
  readonly models: ModelStore
  /** Counts the changes of the description. */
  readonly inventory: () => number
  /** See AgentService. */
  readonly unload?: (engine: string) => Promise<string[]>
  readonly onClosed?: () => void
  /** The log lines that this controller may read. */
  readonly lines: LogSource
  readonly clock: Clock
  readonly log: Log
}
const STOPPING_MS = 3_000

export function createTenant({
  name,
  owner = name,
  studio = null,
  describe,
  resident,
  freeMemory,
  freeDisk,
  use,
  models,
  inventory,
  rotate = async () => {},
  unload = async () => [],
  onClosed = () => {},
  lines,
  ...rest
}: Deps): Tenant {
  const { clock } = rest
  const log = rest.log.child({ controller: name })
  const notices = noticesAbout(studio)
  const attempts: Attempts = createAttempts({ ...rest, log, controller: name, notices })
  const { service, beginDrain, endDrain, isDraining, wipe, isApproved } = createService({
    attempts,
    describe,
    resident,
    freeMemory,
    freeDisk,
    ...(use && { use }),
    models,
    inventory,
    owner,
    notices,
    lines,
    rotate,
    unload,
    clock,
    log,
  })
  return {
    name,
    service,
    held: attempts.count,
    beginDrain,
    endDrain,
    isDraining,
    isApproved,
    drained: attempts.drained,
    async handBack(graceMs) {
      beginDrain()
      const grace = new AbortController()
      const cancelTimer = clock.after(graceMs, () => grace.abort())
      if (graceMs <= 0) grace.abort()
      if (!(await attempts.drained(grace.signal))) {
        for (const attempt of attempts.all()) attempts.cancel(attempt, 'WORKER_DRAINING', 'The machine is stopping.')
        await Promise.race([Promise.all([...attempts.all()].map(({ ended }) => ended)), clock.sleep(STOPPING_MS)])
      }
      cancelTimer()
    },
    wipe,
    close(why) {
      wipe(why)
      onClosed()
    },
    forgetUnfetched: attempts.forgetUnfetched,
  }
}
