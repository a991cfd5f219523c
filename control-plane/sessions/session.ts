// One worker's live link: opens it (describe, consent, watch), keeps its newest description and snapshot, and passes on what the owner
// asks of the machine. The attempts it holds are in attempt-calls.ts.

import type { Link } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { BEAT_MS, LOST_MS, PING_MS } from '#shared/protocol/lease.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import {
  DescriptionMessage,
  EXCHANGE_FEATURE,
  FORGET_VOICES_FEATURE,
  FORGOTTEN_LIMIT,
  INPUTS_FEATURE,
  INSTALL_NEXT_FEATURE,
  OWN_FILES_FEATURE,
  PROTOCOL_VERSION,
  SnapshotMessage,
  UnloadedMessage,
} from '#shared/protocol/messages.ts'
import { type AttemptCallDeps, createAttemptCalls } from './attempt-calls.ts'
import { createFreshSnapshot } from './fresh-snapshot.ts'
import type { ShareCapabilities } from './shared-capabilities.ts'

export type Session = ReturnType<typeof createSession>
export type SessionDeps = AttemptCallDeps & {
  readonly studioVersion: string
  /** Use the exchange of the agents that have one; otherwise each attempt has a call of its own, as for older agents. */
  readonly usesExchange: boolean
  /** The owner's decision about new work, and the time for the work that the machine holds. null: the owner decided nothing. */
  readonly drainOf: (workerId: string) => Wire<'DrainRequest'> | null
  /** See createSharedCapabilities. */
  readonly shareCapabilities: ShareCapabilities
  /** Called with each description after the first one, before it is used. */
  readonly onDescribed: (workerId: string, description: DescriptionMessage) => void
  /** Called after a change of what placement reads of the machine. */
  readonly onChanged: (workerId: string) => void
}

/** Interval of the registry's checks. */
export const SESSION_CHECK_MS = 1_000
const STALE_MS = 10_000
/** An older report about the use of a pool says nothing. */
const POOL_USE_MS = 60_000
const ROTATE_MS = 30_000
const UNLOAD_MS = 10_000
const PUT_MS = 60_000
const OWNER_CALL_MS = 1_000
const PING_EVERY_BEATS = PING_MS / BEAT_MS
const ROUND_TRIPS_KEPT = 5

/** Long factory: every method uses the link and the newest description and snapshot. */
export function createSession(workerId: string, link: Link, deps: SessionDeps) {
  const { ledger, clock, studioVersion, usesExchange, consentOf, drainOf } = deps
  const changed = () => {
    deps.onChanged(workerId)
    ledger.touch()
  }
  const log = deps.log.child({ workerId })
  const abort = new AbortController()
  let description: DescriptionMessage | null = null
  let snapshot: SnapshotMessage | null = null
  let snapshotAt = clock.mono()
  // Silence is counted in checks, not in time: after a suspend of the studio, the snapshots that wait for it arrive before the next check.
  let silentChecks = 0
  let describing: Promise<void> | null = null
  let roundTrips: number[] = []
  const acceptsInputs = () => description?.features.includes(INPUTS_FEATURE) ?? false
  const attempts = createAttemptCalls({ ...deps, log, workerId, link, acceptsInputs })

  const measured = async <T>(call: () => Promise<T>): Promise<T> => {
    const from = clock.mono()
    const reply = await call()
    roundTrips = [...roundTrips, clock.mono() - from].slice(-ROUND_TRIPS_KEPT)
    return reply
  }
  const askDescription = async (): Promise<DescriptionMessage> => {
    const parsed = parseMessage(DescriptionMessage, await link.describe({ studio_version: studioVersion, features: [] }))
    return { ...parsed, capabilities: deps.shareCapabilities(parsed.capabilities) }
  }

  async function watch(onFirst: () => void): Promise<void> {
    for await (const message of link.watch({ interval_ms: BEAT_MS }, abort.signal)) {
      const isFirst = snapshot === null
      snapshot = parseMessage(SnapshotMessage, message satisfies Wire<'Snapshot'>)
      snapshotAt = clock.mono()
      silentChecks = 0
      attempts.reconcile(snapshot)
      if (!describing && snapshot.inventory !== description?.inventory) void describeAgain()
      if (isFirst) onFirst()
      else if (snapshot.beat % PING_EVERY_BEATS === 0) void measured(() => link.commit({ verdicts: [] })).catch(() => {})
      changed() // its state may allow a placement
    }
  }

  /** On failure the description stays as it was; a snapshot asks again. Never rejects. */
  async function describe(): Promise<void> {
    try {
      const next = await askDescription()
      deps.onDescribed(workerId, next)
      description = next
      changed() // a waiting task may be placed now
    } catch (error) {
      log.warn({ code: Failure.from(error).code }, 'a machine did not describe itself again')
    }
  }

  /** Refreshes the description. A reply under way may be older than the change, so another request follows it. */
  function describeAgain(): Promise<void> {
    const mine = (describing ?? Promise.resolve()).then(describe).finally(() => {
      if (describing === mine) describing = null
    })
    describing = mine
    return mine
  }

  const refreshSnapshot = createFreshSnapshot({
    link,
    // Attempts are compared with the regular snapshots only, which arrive in order.
    take: ({ resident_models, free_memory_bytes }) => {
      if (snapshot) snapshot = { ...snapshot, resident_models, free_memory_bytes }
    },
    clock,
    log,
  })

  return {
    workerId,
    address: link.peerAddress,
    closed: link.closed,
    close: link.close,
    offer: attempts.offer,
    stop: attempts.stop,
    settle: attempts.settle,
    isCooling: attempts.isCooling,

    /**
     * Resolves when the agent has described itself and its first snapshot has been compared. Rejects with a Failure when it cannot be used.
     * `verify` checks the description before anything else is sent, and throws.
     */
    async open(verify: (description: DescriptionMessage) => void): Promise<DescriptionMessage> {
      description = await measured(askDescription)
      if (description.protocol !== PROTOCOL_VERSION)
        throw new Failure('UPGRADE_REQUIRED', `The agent speaks protocol ${description.protocol}, this studio ${PROTOCOL_VERSION}.`)
      verify(description)
      if (usesExchange && description.features.includes(EXCHANGE_FEATURE)) link.openExchange()
      await measured(() => link.consent({ consent_id: consentOf(workerId) ?? '' }))
      const drain = drainOf(workerId)
      if (drain) await link.drain(drain)
      await new Promise<void>((resolve, reject) => {
        watch(resolve).then(
          () => reject(new Failure('WORKER_DISCONNECTED', 'The agent ended its reports.')),
          (error: unknown) => {
            const failure = Failure.from(error, 'WORKER_DISCONNECTED')
            reject(failure)
            link.close(failure)
          },
        )
      })
      return description
    },
    /** Called by the registry every SESSION_CHECK_MS. */
    check(): void {
      if (clock.mono() - snapshotAt > STALE_MS) deps.onChanged(workerId)
      silentChecks++
      if (silentChecks > LOST_MS / SESSION_CHECK_MS)
        link.close(new Failure('WORKER_DISCONNECTED', `The machine sent nothing for ${LOST_MS / 1000} s.`))
    },
    consent: async (consentId: string | null): Promise<void> => link.consent({ consent_id: consentId ?? '' }, OWNER_CALL_MS),
    /**
     * Resolves when the machine has deleted these recordings and what it derived from them (SHA-256, lower-case hex). An older agent cannot
     * forget single voices, so its idle engines are unloaded. Rejects when it does not answer.
     */
    async forgetVoices(digests: readonly string[]): Promise<void> {
      if (!description?.features.includes(FORGET_VOICES_FEATURE)) return void (await link.unload({ engine: '' }, UNLOAD_MS))
      for (let at = 0; at < digests.length; at += FORGOTTEN_LIMIT)
        await link.forgetVoices(
          { sha256: digests.slice(at, at + FORGOTTEN_LIMIT).map((digest) => Buffer.from(digest, 'hex')) },
          OWNER_CALL_MS,
        )
    },
    async drain(request: Wire<'DrainRequest'>): Promise<void> {
      await link.drain(request, OWNER_CALL_MS)
      if (snapshot) snapshot = { ...snapshot, draining: request.drain, drain_requested: request.drain } // until the next one reports it
    },
    /** Makes the agent renew its certificate; false when it did not, or is too old for the request and renews on its own schedule. */
    rotate: (): Promise<boolean> =>
      link.rotate({}, ROTATE_MS).then(
        () => true,
        (error: Failure) => {
          log.debug({ code: error.code }, 'the agent did not renew when asked')
          return false
        },
      ),
    describeAgain,
    /** Makes `residentModels` current. False when the machine did not answer within a second. Never rejects. */
    refreshSnapshot,
    /** Frees the memory of an idle engine, '' of all. Rejects when the agent is too old for the request, or is away. */
    unload: async (engine: string): Promise<UnloadedMessage> => parseMessage(UnloadedMessage, await link.unload({ engine }, UNLOAD_MS)),
    end: () => abort.abort(),
    logs: link.logs,
    inventory: () => link.inventory({}),
    /** `isNext`: before the others that wait. Throws OPERATION_UNSUPPORTED for an agent that keeps their order. */
    install(id: string, signal: AbortSignal, isNext = false) {
      if (isNext && !description?.features.includes(INSTALL_NEXT_FEATURE))
        throw new Failure('OPERATION_UNSUPPORTED', 'The agent of this machine is too old to change the order of its downloads.', {
          hint: 'Update Voice Studio on that machine. Its downloads keep their order.',
        })
      return link.install({ id, consent_id: consentOf(workerId) ?? '', next: isNext }, signal)
    },
    stopInstall: (id: string) => link.stopInstall({ id }),
    removeModel: (id: string) => link.removeModel({ id }),
    async putFile(request: Omit<Wire<'PutFileRequest'>, 'consent_id'>): Promise<void> {
      if (!description?.features.includes(OWN_FILES_FEATURE))
        throw new Failure('OPERATION_UNSUPPORTED', 'The agent of this machine is too old to take files of models.', {
          hint: 'Update Voice Studio on that machine.',
        })
      await link.putFile({ ...request, consent_id: consentOf(workerId) ?? '' }, PUT_MS)
    },
    addModel: (request: Omit<Wire<'AddModelRequest'>, 'consent_id'>, signal: AbortSignal) =>
      link.addModel({ ...request, consent_id: consentOf(workerId) ?? '' }, signal),
    inventoryGeneration: () => snapshot?.inventory ?? 0,

    isReady: () => description !== null && snapshot !== null && link.isOpen,
    isStale: () => clock.mono() - snapshotAt > STALE_MS,
    gpus: () => description?.host.gpus ?? [],
    unusableGpus: () => description?.host.unusable_gpus ?? [],
    /** Machines behind a pool; empty for a single machine. */
    poolMachines: () => description?.pool?.machines ?? [],
    /** Use of a pool; null where it says nothing, or said it more than a minute ago. */
    poolUse: () => (clock.mono() - snapshotAt > POOL_USE_MS ? null : (snapshot?.pool ?? null)),
    capabilities: () => description?.capabilities ?? [],
    residentModels: () => snapshot?.resident_models ?? [],
    /** By this studio, as its owner asked. */
    isDrained: () => drainOf(workerId)?.drain ?? snapshot?.drain_requested ?? false,
    isDraining: () => drainOf(workerId)?.drain || (snapshot?.draining ?? false),
    freeMemoryBytes: () => snapshot?.free_memory_bytes ?? 0,
    freeDiskBytes: () => snapshot?.free_disk_bytes ?? 0,
    /** Median of the last five round trips in milliseconds with one decimal; 0 before the second. */
    latencyMs: () => (roundTrips.length < 2 ? 0 : Math.round([...roundTrips].sort((a, b) => a - b)[roundTrips.length >> 1]! * 10) / 10),
  }
}
