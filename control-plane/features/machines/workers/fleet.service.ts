// The enrolled machines and the actions of the owner. Consent and removal act on the live link before the response is sent.
import type { Audit } from '#control-plane/audit/audit.ts'
import type { Bus } from '#control-plane/events/bus.ts'
import type { Hint } from '#control-plane/events/event.ts'
import type { Machines, RemoteAccess } from '#control-plane/kernel/platform.ts'
import type { WorkerView } from '#control-plane/scheduler/worker-view.ts'
import type { OwnerSettings } from '#control-plane/store/setting.ts'
import type { StudioIdentity } from '#control-plane/trust/authority.ts'
import type { Endpoints } from '#control-plane/trust/endpoints.ts'
import type { JoinTokens } from '#control-plane/trust/join-token.store.ts'
import type { Breakers } from '#control-plane/workers/breaker.ts'
import { LOCAL, type Worker, type WorkerPatch, type WorkerStore } from '#control-plane/workers/worker.store.ts'
import { parseAddress } from '#shared/link/transport/address.ts'
import { encodeJoinCode, joinLines } from '#shared/protocol/codes/join-code.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { isNewer, isRelease, VERSION } from '#shared/protocol/version.ts'
import { poolFieldsOf } from './pool.rules.ts'
import { activeOf, permitsOf, workerStatusOf } from './target.service.ts'
import type { Fleet, PoolView, WorkerRecord } from './workers.schema.ts'
import { workersSettings } from './workers.settings.ts'

type Deps = {
  readonly workers: WorkerStore
  readonly tokens: JoinTokens
  readonly settings: Pick<OwnerSettings, 'read' | 'write'>
  readonly audit: Audit
  readonly view: (worker: Worker) => WorkerView
  readonly machines: Machines
  readonly remoteAccess: RemoteAccess
  readonly queueDepth: () => number
  /** A join code carries the pins of the current authority and of the next one. */
  readonly identity: Pick<StudioIdentity, 'authorityPin' | 'pins'>
  readonly endpoints: Pick<Endpoints, 'list' | 'withPort'>
  readonly breakers: Pick<Breakers, 'list' | 'clear'>
  readonly bus: Pick<Bus, 'publish'>
}
export type FleetService = ReturnType<typeof createFleet>
const TURNED_OFF = 'Remote workers are turned off. Turn them on first on the Machines page.'

/** Long factory: a list of small actions of the owner over the same stores and sessions. */
export function createFleet({
  workers,
  tokens,
  settings,
  audit,
  view,
  machines,
  remoteAccess,
  queueDepth,
  identity,
  endpoints,
  breakers,
  bus,
}: Deps) {
  const { consentChanged, release, readmit, cut, drain } = machines
  const endpoint = () => endpoints.list()[0]!

  const recordOf = (worker: Worker): WorkerRecord => ({
    id: worker.id,
    name: worker.name,
    key_id: worker.pin.slice(0, 16),
    enabled: worker.enabled,
    revoked: worker.revokedAt !== null,
    priority: worker.priority,
    endpoint: worker.endpoint,
    host: worker.host ? hostOf(worker.host) : {},
    max_concurrent_tasks: permitsOf(view(worker)),
    consent_granted: worker.consentId !== null,
    quarantine: worker.quarantine,
    created_at: worker.createdAt / 1000,
    last_seen_at: worker.lastSeenAt === null ? null : worker.lastSeenAt / 1000,
    ...poolFieldsOf(worker),
  })

  function liveOf(worker: Worker): Fleet['workers'][number] {
    const session = machines.get(worker.id)
    const current = view(worker)
    const base = { ...recordOf(worker), connected: current.session !== null, breakers: breakers.list(worker.id) }
    if (!session || current.session === null) return base
    const active = activeOf(current)
    return {
      ...base,
      draining: current.draining,
      drained: current.drained,
      latency_ms: session.latencyMs(),
      address: session.address,
      status: workerStatusOf(current),
      active_tasks: active,
      available_slots: Math.max(0, permitsOf(current) - active),
      resident_models: [...session.residentModels()],
      stale: current.session === 'stale',
    }
  }

  const enrolled = (id: string): Worker => {
    const worker = workers.required(id)
    // The local agent is this machine and cannot be managed.
    if (id === LOCAL) throw new Failure('NOT_FOUND', 'No such worker.')
    return worker
  }

  const fleet = (): Fleet =>
    remoteAccess.isOpen()
      ? {
          enabled: true,
          running: true,
          endpoint: endpoint(),
          fingerprint: identity.authorityPin,
          queue_depth: queueDepth(),
          workers: workers.enrolled().map(liveOf),
        }
      : {
          enabled: settings.read(workersSettings.remoteEnabled),
          running: false,
          startup_error: remoteAccess.startupError(),
          workers: [],
          queue_depth: 0,
        }

  return {
    fleet,
    own: (): Fleet['workers'][number] => liveOf(workers.required(LOCAL)),
    isEnabled: () => settings.read(workersSettings.remoteEnabled),
    /** Stores the choice even if the port cannot be opened, which throws CONFLICT with the reason. */
    async setEnabled(enabled: boolean): Promise<Fleet> {
      const was = settings.read(workersSettings.remoteEnabled)
      if (enabled !== was) audit.record(enabled ? 'remote-on' : 'remote-off', 'studio')
      await settings.write(workersSettings.remoteEnabled, enabled)
      if (enabled) await remoteAccess.openPort()
      else {
        const closed = remoteAccess.closePort()
        // At once: the end of a dial may take seconds. Again afterwards, for a link that was being opened.
        const cutAll = () => {
          for (const worker of workers.enrolled()) cut(worker.id, new Failure('WORKER_DISCONNECTED', 'Remote workers were turned off.'))
        }
        cutAll()
        await closed
        cutAll()
      }
      return fleet()
    },
    async enrol({ label, endpoint: requested, ttlSeconds }: { label: string; endpoint: string; ttlSeconds: number }) {
      if (!remoteAccess.isOpen()) throw new Failure('CONFLICT', TURNED_OFF)
      const withPort = requested.trim() ? endpoints.withPort(requested.trim()) : endpoint()
      if (!parseAddress(withPort)) throw new Failure('BAD_REQUEST', 'The endpoint must be HOST or HOST:PORT.')
      const { id, secret, expiresAt } = await tokens.create({ label, endpoint: withPort, ttlSeconds, workerId: null })
      const token = encodeJoinCode({
        id,
        secret,
        endpoints: requested.trim() ? [withPort] : endpoints.list(),
        pins: identity.pins(),
        expiresAtSeconds: Math.floor(expiresAt / 1000),
      })
      const shown = { token, endpoint: withPort, fingerprint: identity.authorityPin, expires_at: expiresAt / 1000 }
      return { ...shown, shown_once: true as const, commands: [...joinLines()] }
    },
    async patch(id: string, request: WorkerPatch): Promise<WorkerRecord> {
      const was = enrolled(id)
      const worker = workers.patch(id, request)
      if (was.enabled && !worker.enabled) release(id, 'CONSENT_MISSING', 'The machine is no longer used for work.')
      const changed = () => {
        if (!worker.enabled || request.enabled) void consentChanged(worker)
      }
      // Also when it could not be written: a machine that was turned off stays off, and must learn of it.
      await workers.settled().finally(changed)
      return recordOf(worker)
    },
    /** Throws CONFLICT if the machine declares other terms than those that were `shown`. */
    async grant(id: string, shown?: string): Promise<WorkerRecord> {
      enrolled(id)
      workers.grant(id, shown)
      await workers.settled()
      const worker = workers.required(id)
      await consentChanged(worker)
      return recordOf(worker)
    },
    /** Throws NOT_FOUND for a machine that is no pool. */
    pool(id: string): PoolView {
      if (enrolled(id).pool === null) throw new Failure('NOT_FOUND', 'This machine is no pool.')
      const session = machines.get(id)
      return { machines: [...(session?.poolMachines() ?? [])].sort(byName), use: session?.poolUse() ?? null }
    },
    /** When it resolves, no more task data is sent to the machine, and its tasks are requeued. */
    async withdraw(id: string): Promise<WorkerRecord> {
      enrolled(id)
      const worker = workers.withdraw(id)
      release(id, 'CONSENT_MISSING', 'Consent was withdrawn.')
      // Also when it could not be written: it stays in force, and the machine must learn of it.
      await workers.settled().finally(() => consentChanged(worker))
      return recordOf(worker)
    },
    /** A disconnected machine receives the request when it reconnects. */
    async drain(id: string, request: { drain: boolean; deadlineSeconds: number }): Promise<WorkerRecord> {
      if (enrolled(id).revokedAt !== null) throw new Failure('NOT_FOUND', 'No such worker.')
      await drain(id, { drain: request.drain, deadlineMs: request.deadlineSeconds * 1000 })
      return recordOf(workers.required(id))
    },
    /** The local machine has breakers even if remote machines are off. An unknown id is ignored. */
    async resume(id: string): Promise<{ ok: true }> {
      if (id !== LOCAL && !remoteAccess.isOpen()) throw new Failure('CONFLICT', TURNED_OFF)
      breakers.clear(id)
      await workers.settled()
      return { ok: true }
    },
    /** Ends the quarantine, after a person verified that only one machine has the key. */
    async readmit(id: string): Promise<WorkerRecord> {
      enrolled(id)
      const worker = workers.release(id)
      await workers.settled()
      readmit(id)
      return recordOf(worker)
    },
    async remove(id: string): Promise<{ ok: true; revoked: string }> {
      enrolled(id)
      workers.revoke(id)
      release(id, 'WORKER_REMOVED', 'The machine was removed.')
      cut(id, new Failure('WORKER_REVOKED', 'The machine was removed.'))
      void drain(id, null)
      breakers.clear(id)
      await workers.settled()
      if (settings.read(workersSettings.target) === id) bus.publish(TARGET_GONE)
      return { ok: true, revoked: id }
    },
  }
}

const byName = (one: { readonly name: string }, other: { readonly name: string }) => (one.name < other.name ? -1 : 1)
const TARGET_GONE: Hint = {
  kind: 'notice',
  action: 'raised',
  id: 'target-gone',
  fields: () => ({
    message: 'The chosen machine was removed. Work runs on this machine now.',
    hint: 'Choose another one on the Machines page.',
  }),
}

const hostOf = (host: NonNullable<Worker['host']>) => ({
  ...host,
  outdated: isRelease(host.worker_version) && isNewer(VERSION, host.worker_version),
  gpus: host.gpus as never,
  unusable_gpus: (host.unusable_gpus ?? []) as never,
})
