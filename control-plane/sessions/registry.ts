// Which worker has a live session, and what the rest of the studio may ask of it. One session for each worker: a newer link replaces
// the older one. Presence lives here, in memory; the table is told only when a machine comes or goes.

import type { Link } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { DrainRequest } from '#shared/protocol/messages.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import type { Change } from '../tasks/record.ts'
import { LOCAL, type Worker, type WorkerStore } from '../workers/worker.store.ts'
import { createSession, type Session, type SessionDeps } from './session.ts'

export type Registry = ReturnType<typeof createRegistry>
type Deps = Omit<SessionDeps, 'consentOf' | 'drainOf' | 'deliveries'> & {
  readonly workers: WorkerStore
  /** A machine is connected and ready. */
  readonly onMet: (session: Session) => void
}

/** What the owner wants of a machine. `until`: monotonic, when what it holds must have ended; null lets it end in peace. */
type Drain = { readonly drain: boolean; readonly until: number | null }

/** Runs of one agent that are remembered. */
const KNOWN_INSTANCES = 16

export function createRegistry({ workers, ledger, onMet, ...deps }: Deps) {
  const { clock, log } = deps
  const sessions = new Map<string, Session>()
  const unproven = new Set<Session>()
  const awaySince = new Map<string, number>()
  const startedAt = clock.mono()
  const drains = new Map<string, Drain>()
  const instances = new Map<string, readonly string[]>()
  const deliveries: SessionDeps['deliveries'] = new Map()

  const consentOf = (workerId: string) => {
    const worker = workers.get(workerId)
    return worker?.enabled && worker.revokedAt === null && worker.quarantine === null ? worker.consentId : null
  }

  const drainOf = (workerId: string): DrainRequest | null => {
    const wish = drains.get(workerId)
    if (!wish) return null
    // 0 would be no deadline at all.
    const left = wish.until === null ? 0 : Math.max(1, Math.round(wish.until - clock.mono()))
    return { drain: wish.drain, deadline_ms: left }
  }

  /** A run of the agent whose place another has taken must be over; when it comes again, two of them are alive. */
  function judge(workerId: string, instance: string): void {
    const worker = workers.get(workerId)
    if (!worker || worker.revokedAt !== null || worker.quarantine !== null)
      throw new Failure('WORKER_REVOKED', 'the machine was removed or set aside meanwhile')
    const seen = instances.get(workerId) ?? []
    if (instance === '' || seen.at(-1) === instance) return
    // The studio's own agent is started by this very process: nobody could decide about it.
    if (!seen.includes(instance) || workerId === LOCAL) {
      instances.set(workerId, [...seen, instance].slice(-KNOWN_INSTANCES))
      return
    }
    quarantine(workerId, 'two machines that run at the same time use this key: one is a copy of the other')
    throw new Failure('NOT_READY', 'two machines use one key')
  }

  /** Refuses every copy from now on; what was held goes to others. Nothing for a worker that is gone or set aside already. */
  function quarantine(workerId: string, reason: string): void {
    const worker = workers.get(workerId)
    if (!worker || worker.revokedAt !== null || worker.quarantine !== null) return
    ledger.flush()
    workers.setAside(workerId, reason)
    log.warn({ workerId, reason }, 'a machine was set aside')
    release(workerId, 'WORKER_REMOVED', 'the machine was set aside: two machines use its key', 'auto')
    sessions.get(workerId)?.close(new Failure('NOT_READY', 'the machine was set aside: two machines use its key'))
    ledger.flush()
  }

  /** A link to whoever claims to be `worker`. Resolves when it is over. */
  async function adopt(worker: Worker, link: Link): Promise<void> {
    const session = createSession(worker.id, link, { ...deps, ledger, consentOf, drainOf, deliveries })
    unproven.add(session)
    try {
      const { host, agent_version, generation } = await session.open(({ instance }) => {
        judge(worker.id, instance)
        // Only now is it proven: anybody can say the name of a machine, and must not cut its link by that.
        sessions.get(worker.id)?.close(new Failure('SESSION_EXPIRED', 'the machine opened a newer link'))
        unproven.delete(session)
        sessions.set(worker.id, session)
      })
      if (drains.get(worker.id)?.drain === false) drains.delete(worker.id) // it has been told
      const { hostname, os, arch, cpu_count, memory_bytes, gpus } = host
      const told = { hostname, os, arch, worker_version: agent_version, cpu_count, system_memory_bytes: memory_bytes, gpus }
      workers.seen(worker.id, told, { address: session.address })
      log.info({ workerId: worker.id, address: session.address }, 'a machine is connected')
      if (workers.known(worker.id).generation === generation) workers.followed(worker.id)
      onMet(session)
      ledger.touch()
    } catch (error) {
      link.close(Failure.from(error, 'WORKER_DISCONNECTED'))
    }
    const reason = await link.closed
    unproven.delete(session)
    session.end()
    if (sessions.get(worker.id) !== session) return
    sessions.delete(worker.id)
    awaySince.set(worker.id, clock.mono())
    log.info({ workerId: worker.id, code: reason.code, why: reason.message }, 'a machine is gone')
    if (workers.get(worker.id)) workers.seen(worker.id, null, { code: reason.code })
    for (const { task } of ledger.held(worker.id)) {
      const delivery = deliveries.get(task.attemptId!)
      if (delivery) delivery.call = null
      // Its last word was heard: what is left to do is ours and needs no link.
      if (delivery?.spoken) continue
      ledger.apply(task.id, { kind: 'link-lost', epoch: task.epoch })
    }
  }

  /** After each commit: whoever held an attempt that is no longer theirs is told. */
  function follow(changes: readonly Change[]): void {
    for (const { record, before } of changes) {
      if (!before?.attemptId || record.task.attemptId === before.attemptId) continue
      const committed = record.task.phase === 'succeeded'
      sessions.get(before.workerId!)?.settle(before.attemptId, before.epoch, committed)
      deps.hearing.forget(before.attemptId)
    }
  }

  /** Takes back everything a worker holds: it goes to others, free of charge. */
  function release(workerId: string, code: 'WORKER_REMOVED' | 'CONSENT_MISSING', message: string, retarget: string | null): void {
    for (const { task } of ledger.held(workerId)) ledger.apply(task.id, { kind: 'release', epoch: task.epoch, retarget, code, message })
  }

  /** When a machine was last seen is nice to know; a full disk must not stop the checks for it. */
  function writeSeen(): void {
    try {
      workers.flush()
    } catch (error) {
      log.warn({ err: String(error) }, 'when machines were last seen could not be written')
    }
  }

  const checks = loop(
    'session-check',
    async (signal) => {
      await clock.sleep(1000, signal)
      for (const session of sessions.values()) session.check()
      writeSeen()
    },
    (error) => log.error({ err: String(error) }, 'the session check stopped'),
  )

  ledger.committed(follow)
  ledger.undone((_failure, ids) => {
    // What was heard is forgotten together with what it changed: the attempt is heard from its first event again.
    for (const id of ids) {
      const attemptId = ledger.get(id)?.task.attemptId
      const delivery = attemptId ? deliveries.get(attemptId) : undefined
      if (!delivery) continue
      deliveries.delete(attemptId!)
      const { call } = delivery
      delivery.call = null
      call?.cancel()
    }
  })

  const service: Service = {
    name: 'sessions',
    start: checks.start,
    async stop() {
      await checks.stop()
      for (const session of [...sessions.values(), ...unproven]) session.close(new Failure('NOT_READY', 'the studio stops'))
      writeSeen()
    },
  }

  return {
    ...service,
    adopt,
    get: (workerId: string): Session | undefined => sessions.get(workerId),
    all: () => sessions.values(),
    awayMs: (workerId: string) => (sessions.has(workerId) ? 0 : clock.mono() - (awaySince.get(workerId) ?? startedAt)),
    release,
    quarantine,
    /** After a release: whichever copy comes next is the right one. */
    readmit: (workerId: string): void => void instances.delete(workerId),
    /** Tells the agent at once; the link is cut when it cannot be told within a second. */
    async consentChanged(worker: Worker): Promise<void> {
      const session = sessions.get(worker.id)
      if (!session) return
      await session.consent(consentOf(worker.id)).catch((error: unknown) => session.close(Failure.from(error, 'WORKER_DISCONNECTED')))
      ledger.touch()
    },
    /** The wish holds from now on, also for a machine that is away: it is told when it comes. null forgets it. */
    async drain(workerId: string, wish: { readonly drain: boolean; readonly deadlineMs: number } | null): Promise<void> {
      if (!wish) return void drains.delete(workerId)
      const { drain, deadlineMs } = wish
      const kept = { drain, until: drain && deadlineMs > 0 ? clock.mono() + deadlineMs : null }
      drains.set(workerId, kept)
      const session = sessions.get(workerId)
      try {
        await session?.drain(drainOf(workerId)!)
        if (session && !drain && drains.get(workerId) === kept) drains.delete(workerId)
      } catch (error) {
        session?.close(Failure.from(error, 'WORKER_DISCONNECTED')) // and is told when it comes back
      }
      ledger.touch()
    },
    cut(workerId: string, reason: Failure): void {
      sessions.get(workerId)?.close(reason)
      for (const session of unproven) if (session.workerId === workerId) session.close(reason)
    },
  }
}
