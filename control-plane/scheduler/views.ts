// The workers as placement sees them: the row, the live session and the held tasks, combined for one decision.

import type { Ledger } from '#control-plane/tasks/ledger.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import type { Admits } from '#control-plane/workers/breaker.ts'
import { LOCAL, type Worker } from '#control-plane/workers/worker.store.ts'
import type { LeaseTerms } from '#shared/protocol/lease.ts'
import { type Ability, abilityKey, modelKey, type WorkerView } from './worker-view.ts'

type Estimate = { readonly loadMs: number; readonly msPerUnit: number }
type Capability = {
  readonly engine: string
  readonly model: string
  readonly operation: string
  readonly supported: boolean
  readonly installed: boolean
  readonly downloaded: boolean
  readonly device: string
  readonly permits: number
  readonly memory_bytes: number
  readonly cloning?: boolean
  readonly model_digest?: string
  readonly voices?: readonly { readonly id: string }[]
  readonly languages?: readonly string[]
}
/** The parts of a live session that placement reads. */
type Session = {
  readonly workerId: string
  readonly isReady: () => boolean
  readonly isStale: () => boolean
  readonly isCooling: () => boolean
  readonly isDrained: () => boolean
  readonly isDraining: () => boolean
  readonly capabilities: () => readonly Capability[]
  readonly residentModels: () => readonly string[]
  readonly latencyMs: () => number
  readonly freeMemoryBytes: () => number
  readonly freeDiskBytes: () => number
}
export type Presence = { readonly get: (workerId: string) => Session | undefined; readonly awayMs: (workerId: string) => number }
type Deps = {
  readonly presence: Presence
  readonly ledger: Ledger
  readonly estimate: (workerId: string, engine: string, model: string, operation: string) => Estimate
  readonly breakers: (workerId: string) => ReadonlyMap<string, Admits>
  /** True if the owner allows other machines than this one. */
  readonly remoteOn: () => boolean
}

type KeyedCapability = Capability & { readonly key: string; readonly spoken: Pick<Ability, 'voices' | 'languages'> }

export function createViews({ presence, ledger, estimate, breakers, remoteOn }: Deps) {
  // Abilities change only with a new description, so they are kept for each description and a decision builds no maps.
  const byCapabilities = new WeakMap<object, { readonly list: readonly KeyedCapability[]; readonly withheld: ReadonlySet<string> }>()

  function capabilitiesOf(session: Session) {
    const capabilities = session.capabilities()
    let parsed = byCapabilities.get(capabilities)
    if (!parsed) {
      const all = capabilities.map((one) => ({ ...one, key: abilityKey(one.engine, one.model, one.operation), spoken: spokenOf(one) }))
      const list = all.filter(({ supported, installed, downloaded, permits }) => supported && installed && downloaded && permits > 0)
      parsed = { list, withheld: new Set(all.filter((one) => !list.includes(one)).map(({ key }) => key)) }
      byCapabilities.set(capabilities, parsed)
    }
    return parsed
  }

  function abilitiesOf(session: Session): ReadonlyMap<string, Ability> {
    const { list } = capabilitiesOf(session)
    const resident = new Set(session.residentModels())
    return new Map(
      list.map(
        ({
          key,
          spoken,
          engine,
          model,
          operation,
          permits,
          memory_bytes: memoryBytes,
          cloning = false,
          model_digest: modelDigest = '',
        }) => [
          key,
          {
            permits,
            memoryBytes,
            cloning,
            modelDigest,
            ...spoken,
            resident: resident.has(modelKey({ engine, model })),
            ...estimate(session.workerId, engine, model, operation),
          },
        ],
      ),
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
      drained: ready?.isDrained() ?? false,
      draining: ready?.isDraining() ?? false,
      session: ready ? (ready.isStale() ? 'stale' : 'ready') : null,
      // The local agent is restarted by this process, so it is always waited for.
      awayMs: worker.id === LOCAL ? 0 : presence.awayMs(worker.id),
      cooling: ready?.isCooling() ?? false,
      priority: worker.priority,
      abilities: ready ? abilitiesOf(ready) : NONE,
      ...(ready && { withheld: capabilitiesOf(ready).withheld }),
      held,
      backlogMs,
      transferMs: ready?.latencyMs() ?? 0,
      breakers: breakers(worker.id),
      freeMemoryBytes: ready?.freeMemoryBytes() ?? 0,
      // A full disk of this machine makes the studio refuse the request at once; a task must not wait for it.
      freeDiskBytes: worker.id === LOCAL ? 0 : (ready?.freeDiskBytes() ?? 0),
    }
  }

  /** The worker's description of the model of its task; null without a session or an offer. */
  function terms({ spec, task }: TaskRecord): LeaseTerms | null {
    const session = presence.get(task.workerId ?? '')
    const offers = session?.capabilities().filter(({ engine, operation }) => engine === spec.engine && operation === spec.operation) ?? []
    const offer = offers.find(({ model }) => model === spec.model) ?? offers.find(({ model }) => model === '')
    if (!session || !offer) return null
    return { device: offer.device, downloaded: offer.downloaded, resident: session.residentModels().includes(modelKey(spec)) }
  }

  return { view, terms }
}
const spokenOf = ({ operation, voices = [], languages = [] }: Capability): KeyedCapability['spoken'] =>
  operation === 'tts' ? { voices: new Set(voices.map(({ id }) => id)), languages: new Set(languages) } : {}
const NONE: ReadonlyMap<string, Ability> = new Map()
