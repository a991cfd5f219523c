// What the agent answers a studio: every message is checked, every task needs the consent that is in force, and nothing in a task is
// ever a path, a URL or code.
import type { AgentService, ServedRun } from '#shared/link/definitions.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { KEEPALIVE_MS } from '#shared/protocol/lease.ts'
import {
  CommitMessage,
  ConsentMessage,
  DrainMessage,
  HeaderMessage,
  InputChunkMessage,
  InstallMessage,
  ModelMessage,
  parseMessage,
  UnloadMessage,
} from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Describe } from './connection/fingerprint.ts'
import type { LogSource } from './connection/log-lines.ts'
import type { ModelStore } from './models/store.ts'
import type { Attempt, Attempts } from './tenancy/attempts.ts'

type Deps = {
  readonly attempts: Attempts
  readonly describe: Describe
  readonly resident: () => string[]
  readonly freeMemory: () => number
  readonly freeDisk: () => Promise<number>
  readonly models: ModelStore
  /** Counts the changes of what `describe` tells. */
  readonly inventory: () => number
  readonly master: string
  /** Renews the certificate now. */
  readonly rotate: () => Promise<void>
  /** Ends the idle process of an engine, or of every engine ('') and tells which ones have ended. Throws CONFLICT for one at work. */
  readonly unload: (engine: string) => Promise<string[]>
  /** What this master may read of the log; see log-lines.ts. */
  readonly lines: LogSource
  readonly clock: Clock
  readonly log: Log
}
const BEAT_MS = { min: 1_000, max: 60_000 }

export function createService({
  attempts,
  describe,
  resident,
  freeMemory,
  freeDisk,
  models,
  inventory,
  master,
  rotate,
  unload,
  lines,
  clock,
  log,
}: Deps) {
  let consent = '' // the one consent in force; empty: nothing may be sent here
  // Each of the two has a word in it, and neither takes back what the other has said.
  let stopping = false
  let drained = false
  let forgetDeadline = () => {}
  let beat = 0
  const subscribers = new Map<string, ServedRun>()

  const isDraining = () => stopping || drained
  function giveBack(): void {
    for (const attempt of attempts.all())
      if (attempt.phase === 'loading' || attempt.phase === 'running')
        attempts.cancel(attempt, 'WORKER_DRAINING', 'the time for what was running here is over')
  }

  function begin(header: HeaderMessage): Attempt | Failure {
    if (isDraining()) return new Failure('WORKER_DRAINING', 'the machine takes no new work')
    try {
      return attempts.begin(header)
    } catch (error) {
      return Failure.from(error, 'WORKER_FAILED')
    }
  }

  /** Everything of the attempt after `seq`, as it comes; keepalives while nothing does. Ends when the call is over. */
  async function speak(call: ServedRun, { spool }: Attempt, seq: number): Promise<void> {
    let at = seq
    let forget = () => {}
    const keepAlive = () => {
      call.write({ events: [{ seq: at, fact: 'progress', progress: { progress: 0, stage: '', keepalive: true } }] })
      forget = clock.after(KEEPALIVE_MS, keepAlive)
    }
    forget = clock.after(KEEPALIVE_MS, keepAlive)
    // Work that is done at once leaves as one message, which the studio turns into one commit.
    await new Promise((resolve) => setImmediate(resolve))
    while (!call.signal.aborted) {
      const events = spool.after(at)
      if (events.length === 0) {
        await spool.news(call.signal)
        continue
      }
      at += events.length
      if (!call.write({ events })) await call.drained()
    }
    forget()
  }

  function receive(attempt: Attempt, chunk: unknown): void {
    try {
      attempts.give(attempt, parseMessage(InputChunkMessage, chunk, 'INVALID_TASK_PARAMS'))
    } catch (error) {
      attempt.abort.abort(Failure.from(error))
    }
  }

  async function listen(call: ServedRun, attempt: Attempt): Promise<void> {
    for await (const input of call.inputs) {
      if (input.step === 'cancel') attempts.cancel(attempt)
      // A call that another one has replaced may still bring pieces; what is missing comes over the newer one.
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
      log.warn({ taskId: header.task_id }, 'a task came without the consent in force and was refused')
      throw new Failure('CONSENT_MISSING', 'there is no consent in force for this machine')
    }
    let attempt = attempts.get(id)
    if (attempt && attempt.epoch !== epoch) throw new Failure('STALE_EPOCH', 'this attempt is known with another epoch')
    if (!attempt) {
      if (attempts.isSettled(id) || header.from_seq > 0) throw new Failure('STALE_ATTEMPT', 'this attempt is not held here any more')
      const begun = begin(header)
      if (begun instanceof Failure) {
        call.write({ events: [{ seq: 1, fact: 'declined', declined: { code: begun.code, message: begun.message.slice(0, 2000) } }] })
        return call.end()
      }
      attempt = begun
      log.info({ taskId: header.task_id, epoch, engine: header.engine, operation: header.operation }, 'an attempt begins')
    }
    subscribers.get(id)?.fail('STALE_ATTEMPT', 'a newer call listens to this attempt')
    subscribers.set(id, call)
    const wanted = attempt.inputs?.wanted()
    if (wanted) call.write({ events: [], wanted })
    try {
      await Promise.all([speak(call, attempt, header.from_seq), listen(call, attempt)])
    } finally {
      if (subscribers.get(id) === call) subscribers.delete(id)
    }
  }

  const service: AgentService = {
    describe,
    run,
    logs: (request, { signal }) => lines(request, signal),
    async *watch({ interval_ms }, { signal }) {
      const interval = Math.min(Math.max(interval_ms, BEAT_MS.min), BEAT_MS.max)
      while (!signal.aborted) {
        const free_disk_bytes = await freeDisk()
        yield {
          held: attempts.held(),
          resident_models: resident(),
          free_memory_bytes: freeMemory(),
          free_disk_bytes,
          draining: isDraining(),
          beat: beat++,
          inventory: inventory(),
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
      if (consent_id === consent) return
      const had = consent !== ''
      consent = consent_id
      if (consent_id === '') attempts.wipe('consent was withdrawn')
      if (had || consent_id !== '') log.info({ granted: consent_id !== '' }, 'the consent of the studio changed')
    },
    async drain(request) {
      const { drain, deadline_ms } = parseMessage(DrainMessage, request, 'INVALID_TASK_PARAMS')
      if (drain !== drained) log.info({ drain, deadline_ms }, 'the studio changed whether new work is taken')
      drained = drain
      forgetDeadline()
      if (drain && deadline_ms > 0) forgetDeadline = clock.after(deadline_ms, giveBack)
      return { held: attempts.count() }
    },
    rotate,
    inventory: async () => ({ models: models.inventory() }),
    async *install(request, { signal }) {
      const { id, consent_id } = parseMessage(InstallMessage, request, 'INVALID_TASK_PARAMS')
      // It fills a disk that may be somebody else's: whoever may not send work may not send for models.
      if (consent === '' || consent_id !== consent) throw new Failure('CONSENT_MISSING', 'there is no consent in force for this machine')
      yield* models.install(id, master, signal)
    },
    stopInstall: async (request) => ({
      stopped: models.stopInstall(parseMessage(ModelMessage, request, 'INVALID_TASK_PARAMS').id, master),
    }),
    removeModel: async (request) => ({
      freed_bytes: await models.remove(parseMessage(ModelMessage, request, 'INVALID_TASK_PARAMS').id, master),
    }),
    async unload(request) {
      const { engine } = parseMessage(UnloadMessage, request, 'INVALID_TASK_PARAMS')
      if (consent === '') throw new Failure('CONSENT_MISSING', 'there is no consent in force for this machine')
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
    /** From now on every offer is declined; the snapshots say so. */
    beginDrain(): void {
      stopping = true
    },
    endDrain(): void {
      stopping = false
    },
    isDraining,
  }
}
