// The handlers of the agent for one controller: every message is validated, every task needs the consent in force, and no field of a task is
// a path, a URL or code.

import type { Describe } from '#agent/connection/fingerprint.ts'
import type { LogSource } from '#agent/connection/log-lines.ts'
import type { ModelStore } from '#agent/models/store.ts'
import type { AgentService, ServedRun } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { KEEPALIVE_MS } from '#shared/protocol/lease.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import {
  AddModelMessage,
  CommitMessage,
  ConsentMessage,
  DrainMessage,
  EMPTY_INSTALL_EVENT,
  ForgetVoicesMessage,
  InstallMessage,
  ModelMessage,
  PutFileMessage,
  UnloadMessage,
} from '#shared/protocol/messages.ts'
import { HeaderMessage, InputChunkMessage } from '#shared/protocol/run-messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Attempt, Attempts } from './attempts.ts'
import { noticesAbout, type OwnerNotices } from './notices.ts'

type Deps = {
  readonly attempts: Attempts
  readonly describe: Describe
  readonly resident: () => string[]
  readonly freeMemory: () => number
  readonly freeDisk: () => Promise<number>
  /** The use of a pool by this controller; absent for a machine. */
  readonly use?: () => Wire<'PoolUse'>
  readonly models: ModelStore
  /** Counts the changes of the description. */
  readonly inventory: () => number
  /** Owner of the models that it installs and may remove. */
  readonly owner: string
  readonly notices?: OwnerNotices
  /** Renews the certificate now. */
  readonly rotate: () => Promise<void>
  /** Ends the idle process of an engine, or of every engine (''), and returns the engines that ended. Throws CONFLICT for a busy one. */
  readonly unload: (engine: string) => Promise<string[]>
  /** The log lines that this controller may read; see log-lines.ts. */
  readonly lines: LogSource
  readonly clock: Clock
  readonly log: Log
}
const BEAT_MS = { min: 1_000, max: 60_000 }

// Long factory: the methods share the consent, the drain state and the subscribers.
export function createService({
  attempts,
  describe,
  resident,
  freeMemory,
  freeDisk,
  use,
  models,
  inventory,
  owner,
  notices = noticesAbout(null),
  rotate,
  unload,
  lines,
  clock,
  log,
}: Deps) {
  let isConsentKnown = false
  let consent = '' // the consent in force; empty when no work may be sent here
  // The owner and the studio drain independently: ending one drain does not end the other.
  let stopping = false
  let drainRequested = false
  let cancelDeadline = () => {}
  let beat = 0
  let watchers = 0
  const subscribers = new Map<string, ServedRun>()

  const isDraining = () => stopping || drainRequested
  function cancelRunning(): void {
    for (const attempt of attempts.all())
      if (attempt.phase === 'loading' || attempt.phase === 'running')
        attempts.cancel(attempt, 'WORKER_DRAINING', 'The drain deadline of this machine has passed.')
  }

  /** Stops and deletes every attempt, and stops installations. A call that waits for events of one gets this reason, because the events are deleted too. */
  function wipe(why: string): void {
    attempts.wipe(why)
    models.stopAll(owner)
    for (const call of subscribers.values()) call.fail('CONSENT_MISSING', why)
  }

  function begin(header: HeaderMessage): Attempt | Failure {
    if (isDraining()) return new Failure('WORKER_DRAINING', 'The machine accepts no new work.')
    try {
      return attempts.begin(header)
    } catch (error) {
      return Failure.from(error, 'WORKER_FAILED')
    }
  }

  /** Sends the events of the attempt after `seq` as they arrive, and keepalives in between. Ends when the call is over. */
  async function sendEvents(call: ServedRun, { spool }: Attempt, seq: number): Promise<void> {
    let at = seq
    let cancelTimer = () => {}
    const keepAlive = () => {
      call.write({ events: [{ seq: at, fact: 'progress', progress: { progress: 0, stage: '', keepalive: true } }] })
      cancelTimer = clock.after(KEEPALIVE_MS, keepAlive)
    }
    cancelTimer = clock.after(KEEPALIVE_MS, keepAlive)
    // Events of work that finishes at once leave in one message, which the studio commits once. Ticks run after the promises of that work.
    await new Promise<void>((resolve) => process.nextTick(resolve))
    try {
      while (!call.signal.aborted) {
        const events = spool.after(at)
        if (events.length === 0) {
          await spool.changed(call.signal)
          continue
        }
        at += events.length
        if (!call.write({ events })) await call.drained()
      }
    } finally {
      cancelTimer()
    }
  }

  function receive(attempt: Attempt, chunk: unknown): void {
    try {
      attempts.addInput(attempt, parseMessage(InputChunkMessage, chunk, 'INVALID_TASK_PARAMS'))
    } catch (error) {
      attempt.abort.abort(Failure.from(error))
    }
  }

  async function readInputs(call: ServedRun, attempt: Attempt): Promise<void> {
    for await (const input of call.inputs) {
      if (input.step === 'cancel') attempts.cancel(attempt)
      // A replaced call may still deliver chunks; the newer call delivers the missing ones.
      if (input.step === 'input' && subscribers.get(attempt.id) === call) receive(attempt, input.input)
      if (input.step === 'commit') {
        attempts.settle(attempt.id, attempt.epoch)
        call.end()
      }
    }
  }

  async function run(call: ServedRun): Promise<void> {
    const header = parseMessage(HeaderMessage, call.header, 'INVALID_TASK_PARAMS')
    const { attempt_id: id, epoch } = header
    if (consent === '' || header.consent_id !== consent) {
      log.warn({ taskId: header.task_id }, 'refused a task without the consent in force')
      throw new Failure('CONSENT_MISSING', 'There is no consent in force for this machine.')
    }
    let attempt = attempts.get(id)
    if (attempt && attempt.epoch !== epoch) throw new Failure('STALE_EPOCH', 'This attempt exists with another epoch.')
    if (!attempt) {
      if (attempts.isSettled(id) || header.from_seq > 0) throw new Failure('STALE_ATTEMPT', 'This machine no longer holds this attempt.')
      const begun = begin(header)
      if (begun instanceof Failure) {
        call.write({ events: [{ seq: 1, fact: 'declined', declined: { code: begun.code, message: begun.message.slice(0, 2000) } }] })
        return call.end()
      }
      attempt = begun
      const { engine, operation } = header
      log.info({ taskId: header.task_id, epoch, engine, operation, ...notices.started(operation, engine) }, 'attempt started')
    }
    subscribers.get(id)?.fail('STALE_ATTEMPT', 'A newer call receives the events of this attempt.')
    subscribers.set(id, call)
    const wanted = attempt.inputs?.missing()
    if (wanted) call.write({ events: [], wanted })
    try {
      await Promise.all([sendEvents(call, attempt, header.from_seq), readInputs(call, attempt)])
    } finally {
      if (subscribers.get(id) === call) subscribers.delete(id)
    }
  }

  /** Every link of a studio has a watch for as long as it is open. */
  function watched(signal: AbortSignal): void {
    if (signal.aborted) return
    if (watchers++ === 0) attempts.studioArrived()
    signal.addEventListener('abort', () => void (--watchers === 0 && attempts.studioLeft()), { once: true })
  }

  const service: AgentService = {
    describe,
    run,
    logs: (request, { signal }) => lines(request, signal),
    async *watch({ interval_ms }, { signal }) {
      watched(signal)
      const interval = Math.min(Math.max(interval_ms, BEAT_MS.min), BEAT_MS.max)
      while (!signal.aborted) {
        const free_disk_bytes = await freeDisk()
        yield {
          held: attempts.held(),
          resident_models: resident(),
          free_memory_bytes: freeMemory(),
          free_disk_bytes,
          draining: isDraining(),
          drain_requested: drainRequested,
          beat: beat++,
          inventory: inventory(),
          ...(use && { pool: use() }),
        }
        await clock.sleep(interval, signal).catch(() => {})
      }
    },
    async commit(request) {
      for (const { attempt_id, epoch } of parseMessage(CommitMessage, request, 'INVALID_TASK_PARAMS').verdicts)
        attempts.settle(attempt_id, epoch)
    },
    async consent(request) {
      const { consent_id } = parseMessage(ConsentMessage, request, 'INVALID_TASK_PARAMS')
      const granted = consent_id !== ''
      isConsentKnown = true
      if (consent_id === consent) {
        // The first message of a session repeats the state.
        if (!granted) log.info({ ...notices.unapproved }, 'the studio has not approved this machine')
        return
      }
      consent = consent_id
      if (!granted) wipe('Consent was withdrawn.')
      log.info({ granted, ...(granted ? notices.approved : notices.withdrawn) }, 'the consent of the studio changed')
    },
    async forgetVoices(request) {
      const { sha256 } = parseMessage(ForgetVoicesMessage, request, 'INVALID_TASK_PARAMS')
      log.info({ recordings: sha256.length }, 'the studio has deleted recordings')
      attempts.forgetVoices(sha256.map((digest) => Buffer.from(digest).toString('hex')))
    },
    async drain(request) {
      const { drain, deadline_ms } = parseMessage(DrainMessage, request, 'INVALID_TASK_PARAMS')
      if (drain !== drainRequested) log.info({ drain, deadline_ms }, 'the studio changed the drain state')
      drainRequested = drain
      cancelDeadline()
      if (drain && deadline_ms > 0) cancelDeadline = clock.after(deadline_ms, cancelRunning)
      return { held: attempts.count() }
    },
    rotate,
    inventory: async () => ({ models: models.inventory() }),
    async *install(request, { signal }) {
      const { id, consent_id, next } = parseMessage(InstallMessage, request, 'INVALID_TASK_PARAMS')
      // An installation fills a disk that may belong to another person, so it needs the same consent as work.
      if (consent === '' || consent_id !== consent) throw new Failure('CONSENT_MISSING', 'There is no consent in force for this machine.')
      yield* models.install(id, owner, signal, next)
    },
    async putFile(request) {
      const { consent_id, ...chunk } = parseMessage(PutFileMessage, request, 'INVALID_TASK_PARAMS')
      if (consent === '' || consent_id !== consent) throw new Failure('CONSENT_MISSING', 'There is no consent in force for this machine.')
      await models.putFile(chunk, owner)
    },
    async *addModel(request) {
      const { consent_id, ...addition } = parseMessage(AddModelMessage, request, 'INVALID_TASK_PARAMS')
      if (consent === '' || consent_id !== consent) throw new Failure('CONSENT_MISSING', 'There is no consent in force for this machine.')
      yield { ...EMPTY_INSTALL_EVENT, phase: 'install_start' }
      try {
        const { id } = await models.add(addition, owner)
        yield { ...EMPTY_INSTALL_EVENT, phase: 'install_done', file: id }
      } catch (error) {
        const { code, message } = Failure.from(error)
        // Without the message, which has the names of files.
        log.info({ code }, 'model not added')
        yield { ...EMPTY_INSTALL_EVENT, phase: 'install_error', code, message: message.slice(0, 2000) }
      }
    },
    stopInstall: async (request) => ({
      stopped: models.stopInstall(parseMessage(ModelMessage, request, 'INVALID_TASK_PARAMS').id, owner),
    }),
    removeModel: async (request) => ({
      freed_bytes: await models.remove(parseMessage(ModelMessage, request, 'INVALID_TASK_PARAMS').id, owner),
    }),
    async unload(request) {
      const { engine } = parseMessage(UnloadMessage, request, 'INVALID_TASK_PARAMS')
      if (consent === '') throw new Failure('CONSENT_MISSING', 'There is no consent in force for this machine.')
      try {
        return { unloaded: await unload(engine), reason: '' }
      } catch (error) {
        const failure = Failure.from(error)
        if (failure.code !== 'CONFLICT' && failure.code !== 'OPERATION_UNSUPPORTED') throw failure
        return { unloaded: [], reason: failure.message }
      }
    },
  }

  return {
    service,
    /** Declines every offer from now on; snapshots report it. */
    beginDrain(): void {
      stopping = true
    },
    endDrain(): void {
      stopping = false
    },
    isDraining,
    wipe,
    isApproved: () => (isConsentKnown ? consent !== '' : null),
  }
}
