// The attempts that this agent holds. Each begins once, its events can be read any number of times, and it is forgotten when the studio has
// stored or refused the result. A broken link has no effect: only a cancel, a withdrawn consent, the deadline or a verdict ends an attempt.
import { join } from 'node:path'
import { PROBE, PROBE_PERMITS } from '#shared/operations/probe.ts'
import { RESULT_BYTES, readParams } from '#shared/operations/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Held } from '#shared/protocol/messages.ts'
import type { HeaderMessage, InputChunkMessage } from '#shared/protocol/run-messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { createMemoryBudget, type MemoryBudget } from '#shared/runtime/memory/byte-log.ts'
import { noTracing, type Tracing } from '#shared/trace/tracing.ts'
import { type AttemptSpans, openAttemptSpans } from './attempt-spans.ts'
import type { SharedRequest } from './fair-share.ts'
import { type AttemptInputs, createAttemptInputs } from './inputs.ts'
import { createKeptReferences } from './kept-references.ts'
import { noticesAbout, type OwnerNotices } from './notices.ts'
import { runProbe, type WorkEvent } from './probe.ts'
import { createSpool, type Spool } from './spool.ts'

type Phase = 'loading' | 'running' | 'done' | 'failed' | 'cancelled'
export type Attempt = {
  readonly id: string
  readonly taskId: string
  readonly epoch: number
  readonly spool: Spool
  /** Null for an attempt without inputs. */
  readonly inputs: AttemptInputs | null
  phase: Phase
  /** Time of the monotonic clock; null while it runs. */
  endedAt: number | null
  readonly abort: AbortController
  /** Resolves when its work has ended. */
  ended: Promise<void>
}
export type Attempts = ReturnType<typeof createAttempts>
type Deps = {
  readonly pool: { readonly run: (request: SharedRequest) => AsyncIterable<WorkEvent> }
  readonly clock: Clock
  readonly log: Log
  readonly workDir: string
  /** Part of its file names: several controllers share the folder and choose their attempt ids independently. */
  readonly controller?: string
  readonly notices?: OwnerNotices
  /** Shared by all attempts of this machine; output beyond it goes to files. */
  readonly memory?: MemoryBudget
  /** Shared by all attempts of this machine: the announced bytes of their inputs, in memory or in files. */
  readonly inputBytes?: MemoryBudget
  /** Deletes what engines derived from recordings of this controller; null for all of them. */
  readonly forgetEncodings?: (digests: readonly string[] | null) => void
  readonly onBegun?: () => void
  /** Called when an attempt is forgotten: its studio has stored or refused the result, or may not have it any more. */
  readonly onForgotten?: (attemptId: string) => void
  readonly tracing?: Tracing
}

export const SPOOLED_BYTES = 256 * 1024 * 1024
/** Inputs of all attempts together, from the header to the end of the attempt. An attempt has at most 512 MiB. */
export const INPUT_BYTES = { machine: 4 * 1024 ** 3, controller: 1024 ** 3 }
const SETTLED_LIMIT = 4096
/** A studio that never fetches its results must not fill the machine with them. */
const HELD_LIMIT = 4096
/** Longer than any studio waits before it gives up a result. */
const UNFETCHED_MS = 3_600_000
/** Progress reports per set of inputs, from the first byte to the last. */
const INPUT_STEPS = 20

// Long factory: every method reads or changes the same map of attempts.
export function createAttempts({
  pool,
  clock,
  log,
  workDir,
  controller = 'studio',
  notices = noticesAbout(null),
  memory = createMemoryBudget(SPOOLED_BYTES),
  inputBytes = createMemoryBudget(INPUT_BYTES.machine),
  forgetEncodings = () => {},
  onBegun = () => {},
  onForgotten = () => {},
  tracing = noTracing,
}: Deps) {
  const attempts = new Map<string, Attempt>()
  const settled = new Set<string>()
  const ownInputBytes = createMemoryBudget(INPUT_BYTES.controller)
  const kept = createKeptReferences()
  let probes = 0
  let isStudioAway = false

  function source(header: HeaderMessage, attempt: Attempt): AsyncIterable<WorkEvent> {
    const { signal } = attempt.abort
    const params = readParams(header.params_json)
    const { engine, model, operation, model_digest: modelDigest } = header
    const inputs = attempt.inputs?.complete
    if (engine !== PROBE)
      return pool.run({
        id: header.attempt_id,
        attempt: header,
        engine,
        model,
        operation,
        modelDigest,
        params,
        signal,
        ...(inputs && { inputs }),
      })
    if (inputs) throw new Failure('INVALID_TASK_PARAMS', 'A probe takes no inputs.')
    if (probes >= PROBE_PERMITS) throw new Failure('WORKER_AT_CAPACITY', 'The machine runs too many probes. Try again later.')
    return runProbe(params, () => nextTurnOfLoop(), signal)
  }

  /** Same as `source`; inputs of an attempt that cannot begin are not kept. */
  function sourceOrWipe(header: HeaderMessage, attempt: Attempt): AsyncIterable<WorkEvent> {
    try {
      return source(header, attempt)
    } catch (error) {
      attempt.inputs?.wipe()
      throw error
    }
  }

  async function drive(attempt: Attempt, work: AsyncIterable<WorkEvent>, spans: AttemptSpans): Promise<void> {
    const { spool } = attempt
    let result: Record<string, unknown> | null = null
    try {
      for await (const event of work) {
        spans.record(event)
        switch (event.kind) {
          case 'loading':
            spool.append({ fact: 'loading', loading: { progress: -1, detail: event.detail } })
            break
          case 'running':
            attempt.phase = 'running'
            spool.append({ fact: 'running', running: { machine: event.machine ?? '' } })
            break
          case 'progress':
            spool.append({ fact: 'progress', progress: { progress: event.progress, stage: event.stage, keepalive: false } })
            break
          case 'audio':
            spool.output(event.part, event.bytes)
            break
          case 'text':
            spool.output(0, Buffer.from(event.text))
            break
          case 'result':
            result = event.result
        }
      }
      attempt.abort.signal.throwIfAborted()
      if (!result) throw new Failure('WORKER_FAILED', 'The engine ended without a result.')
      complete(attempt, result)
      log.info({ taskId: attempt.taskId, ...notices.completed }, 'an attempt is complete')
      spans.end(null)
    } catch (error) {
      const { reason } = attempt.abort.signal
      const failure = Failure.from(reason instanceof Failure ? reason : error, 'WORKER_FAILED')
      spans.end(failure.code)
      attempt.phase = failure.code === 'CANCELLED' ? 'cancelled' : 'failed'
      log.info({ taskId: attempt.taskId, code: failure.code, err: failure.message, ...notices.failed(failure) }, 'an attempt failed')
      spool.append({ fact: 'failed', failed: { code: failure.code, message: failure.message.slice(0, 2000) } })
    }
  }

  /** Throws WORKER_AT_CAPACITY. */
  function inputsOf({ inputs, attempt_id }: HeaderMessage, abort: AbortController): AttemptInputs | null {
    if (inputs.length === 0) return null
    const bytes = inputs.reduce((sum, { size }) => sum + size, 0)
    if (!ownInputBytes.reserve(bytes)) throw tooManyInputs()
    if (!inputBytes.reserve(bytes)) {
      ownInputBytes.release(bytes)
      throw tooManyInputs()
    }
    return createAttemptInputs(inputs, {
      path: join(workDir, `${controller}.${attempt_id}.input`),
      kept,
      clock,
      onSlow: () => abort.abort(new Failure('INPUT_FETCH_TIMEOUT', 'The studio sends the inputs of the task too slowly.')),
      onWiped() {
        ownInputBytes.release(bytes)
        inputBytes.release(bytes)
      },
    })
  }

  function complete(attempt: Attempt, { wrong_digest, ...result }: Record<string, unknown>): void {
    const { spool } = attempt
    const sha256 = spool.digest()
    // The test engine can be told to report a wrong digest, which the studio must detect.
    if (wrong_digest === true) sha256[0] = sha256[0]! ^ 0xff
    const result_json = Buffer.from(JSON.stringify(result))
    if (result_json.length > RESULT_BYTES) throw new Failure('RESULT_TOO_LARGE', 'The description of the result is larger than 1 MiB.')
    attempt.phase = 'done'
    spool.append({ fact: 'completed', completed: { result_json, sha256, size: spool.size } })
  }

  function forget(attempt: Attempt): void {
    if (!attempts.delete(attempt.id)) return
    settled.add(attempt.id)
    if (settled.size > SETTLED_LIMIT) settled.delete(settled.values().next().value!)
    // The engine may still write to the spool until its work has ended.
    void attempt.ended.then(() => {
      attempt.spool.wipe()
      onForgotten(attempt.id)
    })
  }

  function forgetVoices(digests: readonly string[] | null): void {
    kept.forget(digests)
    forgetEncodings(digests)
  }

  return {
    get: (id: string): Attempt | undefined => attempts.get(id),
    /** True for an attempt that was settled here: it never begins again. */
    isSettled: (id: string): boolean => settled.has(id),

    /** Throws WORKER_AT_CAPACITY, OPERATION_UNSUPPORTED, INVALID_TASK_PARAMS and the like, before it stores anything. */
    begin(header: HeaderMessage): Attempt {
      if (attempts.size >= HELD_LIMIT) throw new Failure('WORKER_AT_CAPACITY', 'Too many results wait on this machine to be fetched.')
      const abort = new AbortController()
      const spool = createSpool(join(workDir, `${controller}.${header.attempt_id}.spool`), memory)
      const attempt: Attempt = {
        id: header.attempt_id,
        taskId: header.task_id,
        epoch: header.epoch,
        spool,
        inputs: inputsOf(header, abort),
        phase: 'loading',
        endedAt: null,
        abort,
        ended: Promise.resolve(),
      }
      const work = sourceOrWipe(header, attempt)
      attempts.set(attempt.id, attempt)
      onBegun()
      spool.append({ fact: 'accepted', accepted: {} })
      const isProbe = header.engine === PROBE
      if (isProbe) probes++
      const cancelDeadline = clock.after(header.deadline_ms_left, () =>
        abort.abort(new Failure('TASK_DEADLINE_EXCEEDED', 'The deadline passed on the machine.')),
      )
      attempt.ended = drive(attempt, work, openAttemptSpans(tracing, clock, header)).finally(() => {
        cancelDeadline()
        attempt.inputs?.wipe()
        if (isProbe) probes--
        if (isStudioAway) forgetVoices(null)
        attempt.endedAt = clock.mono()
      })
      return attempt
    },

    /** Adds the next chunk of an input. An invalid chunk ends the attempt. */
    addInput(attempt: Attempt, chunk: InputChunkMessage): void {
      const { inputs, spool, abort } = attempt
      if (!inputs || abort.signal.aborted) return
      try {
        const before = inputs.progress()
        inputs.add(chunk)
        if (Math.floor(before * INPUT_STEPS) !== Math.floor(inputs.progress() * INPUT_STEPS))
          spool.append({ fact: 'loading', loading: { progress: inputs.progress(), detail: 'receiving inputs' } })
      } catch (error) {
        abort.abort(Failure.from(error, 'INPUT_FETCH_FAILED'))
      }
    },
    cancel(
      attempt: Attempt,
      code: 'CANCELLED' | 'CONSENT_MISSING' | 'WORKER_DRAINING' = 'CANCELLED',
      why = 'The attempt was cancelled on request.',
    ): void {
      attempt.abort.abort(new Failure(code, why))
    },

    /** The studio has stored the result durably, or refuses it. Either way the attempt is deleted. */
    settle(id: string, epoch: number): void {
      const attempt = attempts.get(id)
      if (!attempt || attempt.epoch !== epoch) return
      if (attempt.phase === 'loading' || attempt.phase === 'running')
        attempt.abort.abort(new Failure('CANCELLED', 'The studio settled the attempt.'))
      forget(attempt)
    },
    /** Consent was withdrawn: stops and deletes every attempt. */
    wipe(why: string): void {
      for (const attempt of [...attempts.values()]) {
        attempt.abort.abort(new Failure('CONSENT_MISSING', why))
        forget(attempt)
      }
      forgetVoices(null)
    },
    /** Cancels the attempts that have one of these recordings, and deletes the recordings and what engines derived from them. */
    forgetVoices(digests: readonly string[]): void {
      for (const attempt of attempts.values())
        if (attempt.inputs?.digests().some((digest) => digests.includes(digest)))
          attempt.abort.abort(new Failure('CANCELLED', 'The studio has deleted the voice of this task.'))
      forgetVoices(digests)
    },
    /** Called when the studio is away: without it the machine keeps no voice longer than an attempt needs it. */
    studioLeft(): void {
      isStudioAway = true
      forgetVoices(null)
    },
    studioArrived(): void {
      isStudioAway = false
    },
    /** Bytes of kept reference recordings. */
    keptBytes: kept.size,
    /** Deletes results that their studio never fetched. */
    forgetUnfetched(): void {
      for (const attempt of [...attempts.values()])
        if (attempt.endedAt !== null && clock.mono() - attempt.endedAt > UNFETCHED_MS) forget(attempt)
    },
    held: (): Held[] =>
      [...attempts.values()].map(({ id, taskId, epoch, phase, spool }) => ({
        attempt_id: id,
        task_id: taskId,
        epoch,
        phase,
        last_seq: spool.lastSeq,
      })),
    active: () => [...attempts.values()].filter(({ phase }) => phase === 'loading' || phase === 'running').length,
    count: () => attempts.size,
    /** Resolves with true when every attempt was settled, or with false when the signal aborts first. */
    async drained(signal: AbortSignal): Promise<boolean> {
      while (attempts.size > 0) {
        if (signal.aborted) return false
        await clock.sleep(50, signal).catch(() => {})
      }
      return true
    },
    all: () => attempts.values(),
  }
}

const tooManyInputs = () => new Failure('WORKER_AT_CAPACITY', 'The machine holds too many inputs of other tasks. Try again later.')
const nextTurnOfLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
