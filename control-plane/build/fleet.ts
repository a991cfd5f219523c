// The machines: how they enrol and connect, what they can do, and which of them gets a task. Also the services that keep them going.
import { hostname } from 'node:os'
import { choiceSettings } from '#control-plane/features/base/settings/choices/choices.settings.ts'
import { workersSettings } from '#control-plane/features/machines/workers/workers.settings.ts'
import { offersOf } from '#control-plane/inference/offers.ts'
import { createEstimates } from '#control-plane/scheduler/estimate.ts'
import { createForecasts } from '#control-plane/scheduler/forecasts.ts'
import { createLiveCandidates } from '#control-plane/scheduler/live-candidates.ts'
import { reportBegun } from '#control-plane/scheduler/outcome.ts'
import { createScheduler } from '#control-plane/scheduler/scheduler.ts'
import { createViews } from '#control-plane/scheduler/views.ts'
import { createAttemptReceiver } from '#control-plane/sessions/attempt-receiver.ts'
import { createDialler } from '#control-plane/sessions/dialler.ts'
import { createListeners } from '#control-plane/sessions/listeners.ts'
import { createLocalAgent } from '#control-plane/sessions/local.ts'
import { createRegistry } from '#control-plane/sessions/registry.ts'
import { createRemoteAccess } from '#control-plane/sessions/remote-access.ts'
import { createLeases } from '#control-plane/tasks/leases.ts'
import { createSweep } from '#control-plane/tasks/sweep.ts'
import { createEndpoints } from '#control-plane/trust/endpoints.ts'
import { createEnrolment } from '#control-plane/trust/enrolment.ts'
import { createRotation } from '#control-plane/trust/rotation.ts'
import { createBreakers } from '#control-plane/workers/breaker.ts'
import { createRejections } from '#control-plane/workers/rejections.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { RESTART_GRACE_MS } from '#shared/protocol/lease.ts'
import { VERSION } from '#shared/protocol/version.ts'
import type { Service } from '#shared/runtime/service.ts'
import type { Base, World } from './platform.ts'

export type FleetParts = ReturnType<typeof openFleet>

/** After a start, a task is not given up for want of a machine before the local agent is ready or this time has passed. */
/** Samples a second of an engine that does not say. */
const USUAL_RATE = 24_000
const LOCAL_START_MS = 30_000
/** Longest wait of a request for the agent of this machine, and the latest end of that wait after the agent's start. */
const LOCAL_WAIT_MS = 10_000
const LOCAL_AWAITED_MS = 15_000
const LOCAL_LOOK_MS = 50
/** Addresses to bind to that are no address of this machine. */
const ALL_ADDRESSES = ['0.0.0.0', '::']

// Long factory: the parts are created in the order in which they need each other.
export function openFleet({ settings, environment, usesExchange, clock, random, log }: World, base: Base) {
  const { ledger, queue, tasks, artifacts, marks, audit, workers, tokens, identity, connections, metrics, spans } = base
  const rejections = createRejections()
  const leases = createLeases(clock, { terms: (record) => views.terms(record), isCrowded: () => listeners.isCrowded() })
  const enrolment = createEnrolment({
    identity,
    workers,
    tokens,
    clock,
    random,
    log,
    studioName: 'Voice Studio',
    // The local agent is this machine, so starting the studio is the consent.
    onEnrolled: (worker) => void (worker.id === LOCAL && worker.consentId === null && workers.grant(LOCAL)),
    announcedTo: (workerId) => endpoints.announcedTo(workerId),
    onCopied: ({ id }, reason) => registry.quarantine(id, reason),
  })
  const registry = createRegistry({
    workers,
    ledger,
    receiver: createAttemptReceiver({ tasks, leases, marks, msLeft: ledger.msLeft, rejections, log }),
    clock,
    log,
    studioVersion: VERSION,
    usesExchange,
    traceparentOf: spans.traceparentOf,
    readInput: tasks.readInput,
    onConnected(session) {
      rotation.onConnected(session)
      endpoints.onConnected(session)
    },
    onChanged: (workerId) => candidates.touch(workerId),
  })
  const adopt: typeof registry.adopt = (worker, link) => {
    metrics.link(worker.id, link.closed)
    return registry.adopt(worker, link)
  }
  const listeners = createListeners({
    identity,
    enrolment,
    workers,
    clock,
    log,
    address: { host: settings.workerBind, port: settings.workerPort },
    onLink: (worker, link) => void adopt(worker, link),
    onLater: (workerId, ms) =>
      leases.awaitMachine(
        workerId,
        ledger.held(workerId).map(({ task }) => task.id),
        ms,
      ),
  })
  const controller = { name: hostname(), version: VERSION }
  const dialler = createDialler({ connections, workers, onLink: adopt, controller, clock, random, log })
  const remoteAccess = createRemoteAccess(listeners, dialler)
  const rotation = createRotation({
    identity,
    workers,
    audit,
    clock,
    log,
    isDialled: connections.serves,
    sessions: registry.all,
    applyKeys: listeners.applyKeys,
  })
  const endpoints = createEndpoints({
    chosen: {
      read: () => base.choices.read(workersSettings.endpoints),
      write: async (addresses) => base.choices.write(workersSettings.endpoints, addresses),
    },
    host: settings.workerEndpointHost ?? (ALL_ADDRESSES.includes(settings.workerBind) ? null : settings.workerBind),
    port: listeners.port,
    workers,
    isDialled: connections.serves,
    sessions: registry.all,
  })
  const device = base.choices.read(choiceSettings.computeDevice)
  const local = createLocalAgent({
    environment: {
      ...environment,
      STUDIO_MODELS_DIR: base.modelsFolder,
      STUDIO_COMPUTE_DEVICE: device,
    },
    clock,
    random,
    log,
    invite: async () => {
      const { id, secret } = await tokens.create({ label: 'Local', endpoint: '', ttlSeconds: 60, workerId: LOCAL })
      return { id, secret, pins: identity.pins(), endpoints: [{ path: listeners.path }], known: rotation.isTrusting(LOCAL) }
    },
  })

  local.setProxies(base.variables.proxyEnvironment())
  base.variables.onProxies(local.setProxies)

  const estimates = createEstimates(clock)
  const breakers = createBreakers({
    store: base.breakerStore,
    clock,
    log,
    workerCount: () => workers.enrolled().length + 1,
    onEased(workerId) {
      candidates.touch(workerId)
      ledger.touch()
    },
  })
  for (const record of ledger.live()) reportBegun(breakers, record)
  const views = createViews({
    presence: registry,
    ledger,
    estimate: estimates.of,
    breakers: breakers.of,
    remoteOn: listeners.isOpen,
  })
  const offeredNow = () => offersOf(registry.all())
  const offersFor = (engine: string, operation: string) =>
    offeredNow().filter((offer) => offer.engine === engine && offer.operation === operation)
  base.peopleLimits.connect({
    offering: (engine, operation) => offersFor(engine, operation).map(({ device }) => device),
    at: (workerId, engine, operation) => offersFor(engine, operation).find((offer) => offer.workerId === workerId)?.device ?? null,
    sentMs: (taskId, engine) => (tasks.sentBytes(taskId) / 2 / (offersFor(engine, 'tts')[0]?.sample_rate || USUAL_RATE)) * 1000,
  })
  const candidates = createLiveCandidates({ workers, ledger, clock, view: views.view, remoteOn: listeners.isOpen })
  const isLocalReady = () => registry.get(LOCAL)?.isReady() === true
  const startedAt = clock.mono()
  let isStopping = false // Machines leave one after the other then, which says nothing about the next start.
  const scheduler = createScheduler({
    tasks,
    queue,
    rejections,
    random,
    candidates: candidates.current,
    mayGiveUp: () => !isStopping && (clock.mono() - startedAt > LOCAL_START_MS || isLocalReady()),
  })
  const forecasts = createForecasts({ clock, estimates, marks, scheduler, ledger, workers, view: views.view })
  metrics.scrape({ waiting: queue.waiting, sessions: registry.all, breakers: () => breakers.states() })

  /** Attempts that a crash left held: their agents may still be working and get the time to reconnect. */
  const recovery: Service = {
    name: 'recovery',
    async start() {
      const held = [...ledger.live()].filter(({ task }) => task.workerId !== null)
      for (const { task } of held) ledger.apply(task.id, { kind: 'link-lost', epoch: task.epoch })
      await ledger.settled()
      for (const { task } of held) leases.extend(task.id, RESTART_GRACE_MS)
      if (held.length > 0) log.info({ tasks: held.length }, 'tasks of the last run wait for their machines')
    },
    // Changes that a full disk undoes here were never answered, so they must not make the stop fail.
    stop: () => ledger.settled().catch((error: unknown) => log.warn({ err: String(error) }, 'the last changes could not be written')),
  }
  const breakerTimers: Service = { name: 'breakers', start() {}, stop: async () => breakers.stop() }
  return {
    leases,
    registry,
    listeners,
    dialler,
    remoteAccess,
    rotation,
    endpoints,
    local,
    estimates,
    breakers,
    rejections,
    breakerTimers,
    views,
    candidates,
    scheduler,
    forecasts,
    recovery,
    sweep: createSweep({ ledger, leases, retention: base.retention, artifacts, clock, log }),
    isLocalReady,
    /** Resolves when the agent of this machine is connected, after ten seconds, or at once if it started a while ago. Rejects with the reason of the signal. */
    async untilLocal(signal: AbortSignal): Promise<void> {
      const until = Math.min(clock.mono() + LOCAL_WAIT_MS, local.startedAt() + LOCAL_AWAITED_MS)
      while (!isLocalReady() && !isStopping && clock.mono() < until) await clock.sleep(LOCAL_LOOK_MS, signal)
    },
    /** Offers of every connected machine. */
    offered: () => offersOf(registry.all()),
    /** Opens the port for other machines when their use is enabled. A port that is taken does not stop the studio: GET /workers reports it. */
    remoteWorkers: (isEnabled: () => boolean): Service => ({
      name: 'remote-workers',
      start: async () => {
        if (isEnabled())
          await remoteAccess
            .openPort()
            .catch((error: unknown) => log.error({ err: String(error) }, 'remote workers could not be turned on'))
      },
      stop: remoteAccess.closePort,
    }),
    beginStop: () => {
      isStopping = true
    },
  }
}

/** The parts in which a studio and a pool differ: a studio has an agent of its own, and a pool the port for the studios that share its machines. */
type Role = {
  readonly service: Service
  readonly isReady: () => boolean
  /** Resolves when requests may need the agent of this machine. */
  readonly untilLocal: (signal: AbortSignal) => Promise<void>
  /** True if machines may connect from the start. */
  readonly isRemoteEnabled: () => boolean
}

export async function openRole(
  { settings, clock, random, log }: World,
  { tasks, ledger, workers, artifacts }: Base,
  { registry, local, isLocalReady, untilLocal }: FleetParts,
  { apis }: { readonly apis: { readonly workers: { readonly isRemoteEnabled: () => boolean } } },
): Promise<Role> {
  if (settings.pool === null) return { service: local, isReady: isLocalReady, untilLocal, isRemoteEnabled: apis.workers.isRemoteEnabled }
  // Loaded by pools only.
  const { openRelay } = await import('#control-plane/relay/open.ts')
  const relay = openRelay({ declaration: settings.pool, settings, tasks, ledger, workers, registry, artifacts, clock, random, log })
  return { service: relay, isReady: () => true, untilLocal: async () => {}, isRemoteEnabled: () => true }
}
