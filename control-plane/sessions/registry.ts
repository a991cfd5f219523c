// The live session of each worker. One session for each worker: a newer link replaces the older one. Presence lives here, in memory; the
// worker store learns only when a machine connects or leaves.

import type { Change, TaskRecord } from '#control-plane/tasks/record.ts'
import { declaredPool } from '#control-plane/workers/pool-terms.ts'
import { LOCAL, type Worker, type WorkerStore } from '#control-plane/workers/worker.store.ts'
import type { Link } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import type { DescriptionMessage } from '#shared/protocol/messages.ts'
import { isPinnedTask } from '#shared/protocol/task.ts'
import { loop, type Service } from '#shared/runtime/service.ts'
import type { AttemptStreams } from './attempt-stream.ts'
import { createSession, SESSION_CHECK_MS, type Session, type SessionDeps } from './session.ts'
import { createSharedCapabilities } from './shared-capabilities.ts'

export type Registry = ReturnType<typeof createRegistry>
type Deps = Omit<SessionDeps, 'consentOf' | 'drainOf' | 'shareCapabilities' | 'streams' | 'onDescribed'> & {
  readonly workers: WorkerStore
  /** A machine is connected and ready. */
  readonly onConnected: (session: Session) => void
}

/** The owner's request to a machine. `until`: monotonic, when the work it holds must have ended; null: without a limit. */
type Drain = { readonly drain: boolean; readonly until: number | null }

/** Earlier runs of one agent that are remembered. */
const INSTANCES_KEPT = 16

/**
 * The target of a task whose machine was taken from it. What a person said goes to no other machine than the chosen one: it stays here, as
 * recognition does whenever the chosen machine cannot be used.
 */
export const targetWithout = ({ spec, task }: Pick<TaskRecord, 'spec' | 'task'>): string =>
  isPinnedTask(task) && HEARS.includes(spec.operation) ? LOCAL : 'auto'
const HEARS: readonly string[] = ['asr', 'vad', 'diarize', 'identify']

// Long factory: every method reads or changes the map of sessions and what belongs to one of them.
export function createRegistry({ workers, ledger, onConnected, ...deps }: Deps) {
  const { clock, log } = deps
  const sessions = new Map<string, Session>()
  const unproven = new Set<Session>()
  const awaySince = new Map<string, number>()
  const startedAt = clock.mono()
  const drains = new Map<string, Drain>()
  const instances = new Map<string, readonly string[]>()
  const streams: AttemptStreams = new Map()
  const shareCapabilities = createSharedCapabilities()

  const changed = (workerId: string) => {
    deps.onChanged(workerId)
    ledger.touch()
  }

  const consentOf = (workerId: string) => {
    const worker = workers.get(workerId)
    return worker?.enabled && worker.revokedAt === null && worker.quarantine === null ? worker.consentId : null
  }

  const drainOf = (workerId: string): Wire<'DrainRequest'> | null => {
    const request = drains.get(workerId)
    if (!request) return null
    // 0 would be no deadline at all.
    const leftMs = request.until === null ? 0 : Math.max(1, Math.round(request.until - clock.mono()))
    return { drain: request.drain, deadline_ms: leftMs }
  }

  /** Throws when another run of the agent had taken the place of this one: two machines with one key are alive then. */
  function verifyInstance(workerId: string, instance: string): void {
    const worker = workers.get(workerId)
    if (!worker || worker.revokedAt !== null || worker.quarantine !== null)
      throw new Failure('WORKER_REVOKED', 'The machine was removed or set aside meanwhile.')
    const earlier = instances.get(workerId) ?? []
    if (instance === '' || earlier.at(-1) === instance) return
    // The studio's own agent is started by this very process, so a person could not decide which of two is right.
    if (!earlier.includes(instance) || workerId === LOCAL) {
      instances.set(workerId, [...earlier, instance].slice(-INSTANCES_KEPT))
      return
    }
    quarantine(workerId, 'Two machines that run at the same time use this key: one is a copy of the other.')
    throw new Failure('NOT_READY', 'Two machines use one key.')
  }

  /** Refuses every copy from now on; its tasks go to other machines. No effect on a worker that is removed or set aside already. */
  function quarantine(workerId: string, reason: string): void {
    const worker = workers.get(workerId)
    if (!worker || worker.revokedAt !== null || worker.quarantine !== null) return
    workers.quarantine(workerId, reason)
    log.warn({ workerId, reason }, 'a machine was set aside')
    release(workerId, 'WORKER_REMOVED', 'The machine was set aside: two machines use its key.')
    sessions.get(workerId)?.close(new Failure('NOT_READY', 'The machine was set aside: two machines use its key.'))
  }

  /** Stores the pool that a machine declares. True if its consent was for other terms, and its tasks were taken back. */
  function declared(workerId: string, pool: DescriptionMessage['pool']): boolean {
    const hasLapsed = workers.declare(workerId, pool ? declaredPool(pool) : null)
    if (hasLapsed) {
      log.warn({ workerId, ...noticeOf(workerId, 'needs approval again: it declares other terms') }, 'a consent was for other terms')
      release(workerId, 'CONSENT_MISSING', 'The machine declares other terms than those that were approved.')
    }
    return hasLapsed
  }
  function onDescribed(workerId: string, { pool }: DescriptionMessage): void {
    if (declared(workerId, pool)) void consentChanged(workers.required(workerId))
  }

  /** A link of a peer that claims to be `worker`. Resolves when the link has ended. */
  async function adopt(worker: Worker, link: Link): Promise<void> {
    const session = createSession(worker.id, link, { ...deps, ledger, consentOf, drainOf, shareCapabilities, streams, onDescribed })
    unproven.add(session)
    try {
      const { host, agent_version, generation } = await session.open(({ instance, pool }) => {
        verifyInstance(worker.id, instance)
        // Only now the claim is proven: a peer that only names a machine must not cut the link of that machine.
        sessions.get(worker.id)?.close(new Failure('SESSION_EXPIRED', 'The machine opened a newer link.'))
        unproven.delete(session)
        sessions.set(worker.id, session)
        declared(worker.id, pool)
      })
      if (drains.get(worker.id)?.drain === false) drains.delete(worker.id) // the agent has received it
      const { hostname, os, arch, cpu_count, memory_bytes, gpus, unusable_gpus = [] } = host
      const described = {
        hostname,
        os,
        arch,
        worker_version: agent_version,
        cpu_count,
        system_memory_bytes: memory_bytes,
        gpus,
        unusable_gpus,
      }
      workers.recordContact(worker.id, described, { address: session.address })
      log.info({ workerId: worker.id, address: session.address, ...noticeOf(worker.id, 'is connected') }, 'a machine is connected')
      if (workers.required(worker.id).generation === generation) workers.followed(worker.id)
      onConnected(session)
      changed(worker.id)
    } catch (error) {
      link.close(Failure.from(error, 'WORKER_DISCONNECTED'))
    }
    const reason = await link.closed
    unproven.delete(session)
    session.end()
    if (sessions.get(worker.id) === session) leave(session, reason)
  }

  function leave({ workerId }: Session, reason: Failure): void {
    sessions.delete(workerId)
    awaySince.set(workerId, clock.mono())
    deps.onChanged(workerId)
    log.info({ workerId, code: reason.code, why: reason.message, ...noticeOf(workerId, 'is disconnected') }, 'a machine is gone')
    if (workers.get(workerId)) workers.recordContact(workerId, null, { code: reason.code })
    for (const { task } of ledger.held(workerId)) {
      const stream = streams.get(task.attemptId!)
      if (stream) stream.call = null
      // After the final event only work of the studio is left, which needs no link.
      if (!stream?.isFinal) ledger.apply(task.id, { kind: 'link-lost', epoch: task.epoch })
    }
  }

  /** Notice for a terminal; see shared/runtime/log.ts. */
  const noticeOf = (workerId: string, what: string) => {
    const name = workerId === LOCAL ? undefined : workers.get(workerId)?.name
    return name === undefined ? {} : { notice: `${name} ${what}.` }
  }

  /** Called after each commit: the worker that held an attempt which has ended learns how it ended. */
  function follow(changes: readonly Change[]): void {
    for (const { record, before } of changes) {
      if (!before?.attemptId || record.task.attemptId === before.attemptId) continue
      const committed = record.task.phase === 'succeeded'
      const session = sessions.get(before.workerId!)
      if (session) session.settle(before.attemptId, before.epoch, committed)
      else streams.delete(before.attemptId)
      deps.receiver.forget(before.attemptId)
    }
  }

  /** Takes back every task that a worker holds; other machines get them, and no attempt is charged. */
  function release(workerId: string, code: 'WORKER_REMOVED' | 'CONSENT_MISSING', message: string): void {
    for (const record of ledger.held(workerId)) {
      const { id, epoch } = record.task
      ledger.apply(id, { kind: 'release', epoch, retarget: targetWithout(record), code, message })
    }
  }

  /** Sends the consent in force to the agent; the link is cut when that fails within a second. */
  async function consentChanged(worker: Worker): Promise<void> {
    const session = sessions.get(worker.id)
    if (!session) return
    await session.consent(consentOf(worker.id)).catch((error: unknown) => session.close(Failure.from(error, 'WORKER_DISCONNECTED')))
    changed(worker.id)
  }

  const checks = loop(
    'session-check',
    async (signal) => {
      await clock.sleep(SESSION_CHECK_MS, signal)
      for (const session of sessions.values()) session.check()
      workers.flushContacts()
    },
    (error) => log.error({ err: String(error) }, 'the session check stopped'),
  )

  ledger.onCommitted(follow)
  ledger.onUndone((_failure, ids) => {
    // The events received are undone with their changes, so the attempt is received from its first event again. One whose task was not
    // written is unknown from now on.
    const undone = new Set(ids)
    for (const stream of [...streams.values()]) {
      if (!undone.has(stream.taskId)) continue
      streams.delete(stream.attemptId)
      const { call } = stream
      stream.call = null
      call?.cancel()
    }
  })

  const service: Service = {
    name: 'sessions',
    start: checks.start,
    async stop() {
      await checks.stop()
      for (const session of [...sessions.values(), ...unproven]) session.close(new Failure('NOT_READY', 'The studio stops.'))
      workers.flushContacts()
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
    /** Called after a release: the copy that connects next counts as the right one. */
    readmit: (workerId: string): void => void instances.delete(workerId),
    consentChanged,
    /**
     * Cancels the tasks that have one of these recordings, and resolves when the connected machines have deleted the recordings and what they
     * derived from them (SHA-256, lower-case hex). A machine that does not answer is disconnected, which deletes them too.
     */
    async forgetVoices(digests: readonly string[]): Promise<void> {
      if (digests.length === 0) return
      const named = new Set(digests)
      for (const { spec, task } of [...ledger.live()])
        if (spec.inputs?.some(({ sha256 }) => named.has(sha256))) ledger.apply(task.id, { kind: 'cancel' })
      const forget = (session: Session) =>
        session.forgetVoices(digests).catch((error: unknown) => session.close(Failure.from(error, 'WORKER_DISCONNECTED')))
      await Promise.all([...sessions.values()].map(forget))
    },
    /** In effect from now on; a machine that is away receives the request when it connects. null removes it. */
    async drain(workerId: string, request: { readonly drain: boolean; readonly deadlineMs: number } | null): Promise<void> {
      if (!request) return void drains.delete(workerId)
      const { drain, deadlineMs } = request
      const kept = { drain, until: drain && deadlineMs > 0 ? clock.mono() + deadlineMs : null }
      drains.set(workerId, kept)
      const session = sessions.get(workerId)
      try {
        await session?.drain(drainOf(workerId)!)
        if (session && !drain && drains.get(workerId) === kept) drains.delete(workerId)
      } catch (error) {
        session?.close(Failure.from(error, 'WORKER_DISCONNECTED')) // it receives the request when it is back
      }
      changed(workerId)
    },
    cut(workerId: string, reason: Failure): void {
      sessions.get(workerId)?.close(reason)
      for (const session of unproven) if (session.workerId === workerId) session.close(reason)
    },
  }
}
