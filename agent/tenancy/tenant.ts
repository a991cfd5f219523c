// One master of this machine: a studio or a panel, with attempts, a consent and a drain of its own. A tenant knows nothing of the others; what
// they share, engines, memory and a folder, the machine hands to each of them.
import type { AgentService, Description } from '#shared/link/definitions.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { LogSource } from '../connection/log-lines.ts'
import type { ModelStore } from '../models/store.ts'
import { createService } from '../service.ts'
import { type Attempts, createAttempts } from './attempts.ts'

export type Tenant = {
  readonly name: string
  readonly service: AgentService
  /** Everything it holds, the finished and unconfirmed included. */
  readonly held: () => number
  readonly beginDrain: () => void
  readonly endDrain: () => void
  readonly isDraining: () => boolean
  /** Resolves with true once it holds nothing, or with false when the signal aborts first. */
  readonly drained: (signal: AbortSignal) => Promise<boolean>
  /** Takes nothing new, finishes what it holds within the grace and gives the rest back to its studio. */
  readonly handBack: (graceMs: number) => Promise<void>
  /** Stops everything and leaves nothing of it. */
  readonly wipe: (why: string) => void
  readonly forgetUnfetched: () => void
}
type Deps = Omit<Parameters<typeof createAttempts>[0], 'master'> & {
  readonly name: string
  readonly describe: () => Promise<Description>
  readonly resident: () => string[]
  readonly freeMemory: () => number
  readonly freeDisk: () => Promise<number>
  /** Renews the certificate this machine has from its studio; a machine that listens has none of its panels'. */
  readonly rotate?: () => Promise<void>
  /** Of the machine; every master sees the same models. */
  readonly models: ModelStore
  /** Counts the changes of what `describe` tells. */
  readonly inventory: () => number
  /** See AgentService. */
  readonly unload?: (engine: string) => Promise<string[]>
  /** What this master may read of the log. */
  readonly lines: LogSource
  readonly clock: Clock
  readonly log: Log
}
const STOPPING_MS = 3_000

export function createTenant({
  name,
  describe,
  resident,
  freeMemory,
  freeDisk,
  models,
  inventory,
  rotate = async () => {},
  unload = async () => [],
  lines,
  ...rest
}: Deps): Tenant {
  const { clock } = rest
  const log = rest.log.child({ master: name })
  const attempts: Attempts = createAttempts({ ...rest, log, master: name })
  const { service, beginDrain, endDrain, isDraining } = createService({
    attempts,
    describe,
    resident,
    freeMemory,
    freeDisk,
    models,
    inventory,
    master: name,
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
    drained: attempts.drained,
    async handBack(graceMs) {
      beginDrain()
      const grace = new AbortController()
      const forget = clock.after(graceMs, () => grace.abort())
      if (graceMs <= 0) grace.abort()
      if (!(await attempts.drained(grace.signal))) {
        for (const attempt of attempts.all()) attempts.cancel(attempt, 'WORKER_DRAINING', 'the machine is stopping')
        await Promise.race([Promise.all([...attempts.all()].map(({ ended }) => ended)), clock.sleep(STOPPING_MS)])
      }
      forget()
    },
    wipe: attempts.wipe,
    forgetUnfetched: attempts.forgetUnfetched,
  }
}
