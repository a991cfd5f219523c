// What placement may know of each worker: the row, the live session and what it holds now, put together for one decision.
import type { Ledger } from '../tasks/ledger.store.ts'
import { LOCAL, type Worker, type WorkerStore } from '../workers/worker.store.ts'
import { type Ability, abilityKey, type WorkerView } from './place.ts'

type Estimate = { readonly loadMs: number; readonly msPerUnit: number }
type Capability = {
  readonly engine: string
  readonly model: string
  readonly operation: string
  readonly supported: boolean
  readonly installed: boolean
  readonly permits: number
}
/** A live session, as far as placement cares. */
type Session = {
  readonly workerId: string
  readonly isReady: () => boolean
  readonly isStale: () => boolean
  readonly isCooling: () => boolean
  readonly isDraining: () => boolean
  readonly capabilities: () => readonly Capability[]
  readonly residentModels: () => readonly string[]
  readonly latencyMs: () => number
}
export type Presence = { readonly get: (workerId: string) => Session | undefined; readonly awayMs: (workerId: string) => number }
type Deps = {
  readonly workers: WorkerStore
  readonly presence: Presence
  readonly ledger: Ledger
  readonly estimate: (workerId: string, engine: string, model: string, operation: string) => Estimate
  /** Whether machines other than this one may be used at all. */
  readonly remoteOn: () => boolean
}

export function createViews({ workers, presence, ledger, estimate, remoteOn }: Deps) {
  // Abilities change only with a new description: kept for each session, so that a decision builds no maps.
  const known = new WeakMap<object, readonly { key: string; engine: string; model: string; operation: string; permits: number }[]>()

  function abilitiesOf(session: Session): ReadonlyMap<string, Ability> {
    const capabilities = session.capabilities()
    let list = known.get(capabilities)
    if (!list) {
      list = capabilities
        .filter(({ supported, installed, permits }) => supported && installed && permits > 0)
        .map(({ engine, model, operation, permits }) => ({ key: abilityKey(engine, model, operation), engine, model, operation, permits }))
      known.set(capabilities, list)
    }
    const resident = new Set(session.residentModels())
    return new Map(
      list.map(({ key, engine, model, operation, permits }) => [
        key,
        { permits, resident: resident.has(`${engine}:${model}`), ...estimate(session.workerId, engine, model, operation) },
      ]),
    )
  }

  function view(worker: Worker): WorkerView {
    const session = presence.get(worker.id)
    const ready = session?.isReady() ? session : undefined
    const held = new Map<string, number>()
    let backlogMs = 0
    for (const { spec, task } of ready ? ledger.held(worker.id) : []) {
      held.set(spec.engine, (held.get(spec.engine) ?? 0) + 1)
      if (task.phase !== 'cancelling') backlogMs += estimate(worker.id, spec.engine, spec.model, spec.operation).msPerUnit * spec.size
    }
    return {
      id: worker.id,
      enabled: worker.enabled && (worker.id === LOCAL || remoteOn()),
      revoked: worker.revokedAt !== null,
      quarantined: worker.quarantine !== null,
      consented: worker.consentId !== null,
      draining: ready?.isDraining() ?? false,
      session: ready ? (ready.isStale() ? 'stale' : 'ready') : null,
      // The local agent is started again by this very process: it is always waited for.
      awayMs: worker.id === LOCAL ? 0 : presence.awayMs(worker.id),
      cooling: ready?.isCooling() ?? false,
      priority: worker.priority,
      abilities: ready ? abilitiesOf(ready) : NONE,
      held,
      backlogMs,
      transferMs: ready?.latencyMs() ?? 0,
    }
  }

  return {
    view,
    all: (): WorkerView[] => [...workers.all()].filter(({ revokedAt }) => revokedAt === null).map(view),
  }
}
const NONE: ReadonlyMap<string, Ability> = new Map()
