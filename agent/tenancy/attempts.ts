// The attempts this agent holds: begun once, heard as often as asked, forgotten when the studio has the result or no longer wants it.
// A broken link changes nothing here; only a cancel, a withdrawn consent, the deadline or the verdict of the studio does.
import { join } from 'node:path'
import type { Held } from '#shared/link/definitions.ts'
import { RESULT_BYTES, readParams } from '#shared/operations/table.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { HeaderMessage, InputChunkMessage } from '#shared/protocol/messages.ts'
import { createMemoryBudget, type MemoryBudget } from '#shared/runtime/byte-log.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import { noTracing, type Tracing } from '#shared/trace/tracing.ts'
import type { PoolRequest } from '../engine/host/pool.ts'
import { type AttemptSpans, openAttemptSpans } from './attempt-spans.ts'
import { createInputs, type Inputs } from './inputs.ts'
import { PROBE, PROBE_PERMITS, probe, type WorkEvent } from './probe.ts'
import { createSpool, type Spool } from './spool.ts'

type Phase = 'loading' | 'running' | 'done' | 'failed' | 'cancelled'
export type Attempt = {
  readonly id: string
  readonly taskId: string
  readonly epoch: number
  readonly spool: Spool
  /** null: it is given nothing besides its parameters. */
  readonly inputs: Inputs | null
  phase: Phase
  /** On the monotonic clock; null while it is worked on. */
  endedAt: number | null
  readonly abort: AbortController
  /** Resolves when no more work is done for it. */
  ended: Promise<void>
}
export type Attempts = ReturnType<typeof createAttempts>
type Deps = {
  readonly pool: { readonly run: (request: PoolRequest) => AsyncIterable<WorkEvent> }
  readonly clock: Clock
  readonly log: Log
  readonly workDir: string
  /** In the names of its files: the folder may hold the attempts of several masters, who choose the ids of their attempts themselves. */
  readonly master?: string
  /** Of all attempts of this machine together; what is beyond it goes to files. */
  readonly memory?: MemoryBudget
  readonly onBegun?: () => void
  readonly tracing?: Tracing
}

export const SPOOLED_BYTES = 256 * 1024 * 1024
const SETTLED_REMEMBERED = 4096
/** A studio that fetches nothing must not fill the machine with what it asked for. */
const HELD_LIMIT = 4096
/** Long after every studio has given up a result that it did not fetch. */
const KEPT_MS = 3_600_000
/** How often the studio hears of inputs on their way, from the first byte to the last. */
const INPUT_STEPS = 20

export function createAttempts({
  pool,
  clock,
  log,
  workDir,
  master = 'studio',
  memory = createMemoryBudget(SPOOLED_BYTES),
  onBegun = () => {},
  tracing = noTracing,
}: Deps) {
  const attempts = new Map<string, Attempt>()
  const settled = new Set<string>()
  let probes = 0

  function source(header: HeaderMessage, attempt: Attempt): AsyncIterable<WorkEvent> {
    const { signal } = attempt.abort
    const params = readParams(header.params_json)
    const { engine, model, operation } = header
    const inputs = attempt.inputs?.complete
    if (engine !== PROBE) return pool.run({ id: header.attempt_id, engine, model, operation, params, signal, ...(inputs && { inputs }) })
    if (inputs) throw new Failure('INVALID_TASK_PARAMS', 'inputs: a probe takes none')
    if (probes >= PROBE_PERMITS) throw new Failure('WORKER_AT_CAPACITY', 'too many probes')
    return probe(params, () => turn(), signal)
  }

  async function drive(attempt: Attempt, work: AsyncIterable<WorkEvent>, spans: AttemptSpans): Promise<void> {
    const { spool } = attempt
    let result: Record<string, unknown> | null = null
    try {
      for await (const event of work) {
        spans.hear(event)
        switch (event.kind) {
          case 'loading':
            spool.append({ fact: 'loading', loading: { progress: -1, detail: event.detail } })
            break
          case 'running':
            attempt.phase = 'running'
            spool.append({ fact: 'running', running: {} })
            break
          case 'progress':
            spool.append({ fact: 'progress', progress: { progress: event.progress, stage: event.stage, keepalive: false } })
            break
          case 'audio':
            spool.output(event.part, event.bytes)
            break
          case 'result':
            result = event.result
        }
      }
      attempt.abort.signal.throwIfAborted()
      if (!result) throw new Failure('WORKER_FAILED', 'the engine ended without a result')
      complete(attempt, result)
      spans.end(null)
    } catch (error) {
      const { reason } = attempt.abort.signal
      const failure = Failure.from(reason instanceof Failure ? reason : error, 'WORKER_FAILED')
      spans.end(failure.code)
      attempt.phase = failure.code === 'CANCELLED' ? 'cancelled' : 'failed'
      log.info({ taskId: attempt.taskId, code: failure.code, err: failure.message }, 'an attempt failed')
      spool.append({ fact: 'failed', failed: { code: failure.code, message: failure.message.slice(0, 2000) } })
    }
  }

  function inputsOf({ inputs, attempt_id }: HeaderMessage, abort: AbortController): Inputs | null {
    if (inputs.length === 0) return null
    return createInputs(inputs, {
      path: join(workDir, `${master}.${attempt_id}.input`),
      clock,
      onSilence: () => abort.abort(new Failure('INPUT_FETCH_TIMEOUT', 'the studio stopped sending what the task works on')),
    })
  }

  function complete(attempt: Attempt, { wrong_digest, ...result }: Record<string, unknown>): void {
    const { spool } = attempt
    const sha256 = spool.digest()
    // The test voice can be asked to lie about its bytes; the studio has to notice.
    if (wrong_digest === true) sha256[0] = sha256[0]! ^ 0xff
    const result_json = Buffer.from(JSON.stringify(result))
    if (result_json.length > RESULT_BYTES) throw new Failure('RESULT_TOO_LARGE', 'The description of the result is larger than 1 MiB.')
    attempt.phase = 'done'
    spool.append({ fact: 'completed', completed: { result_json, sha256, size: spool.size } })
  }

  function forget(attempt: Attempt): void {
    if (!attempts.delete(attempt.id)) return
    settled.add(attempt.id)
    if (settled.size > SETTLED_REMEMBERED) settled.delete(settled.values().next().value!)
    // Its bytes may still be written to until the engine has let go of it.
    void attempt.ended.then(() => attempt.spool.wipe())
  }

  return {
    get: (id: string): Attempt | undefined => attempts.get(id),
    /** An attempt that was here and is over for good: it is never begun again. */
    isSettled: (id: string): boolean => settled.has(id),

    /** Throws before anything is kept: WORKER_AT_CAPACITY, OPERATION_UNSUPPORTED, INVALID_TASK_PARAMS and the like. */
    begin(header: HeaderMessage): Attempt {
      if (attempts.size >= HELD_LIMIT) throw new Failure('WORKER_AT_CAPACITY', 'too many results wait here to be fetched')
      const abort = new AbortController()
      const spool = createSpool(join(workDir, `${master}.${header.attempt_id}.spool`), memory)
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
      const work = source(header, attempt)
      attempts.set(attempt.id, attempt)
      onBegun()
      spool.append({ fact: 'accepted', accepted: {} })
      const isProbe = header.engine === PROBE
      if (isProbe) probes++
      const forgetDeadline = clock.after(header.deadline_ms_left, () =>
        abort.abort(new Failure('TASK_DEADLINE_EXCEEDED', 'the deadline passed on the machine')),
      )
      attempt.ended = drive(attempt, work, openAttemptSpans(tracing, clock, header)).finally(() => {
        forgetDeadline()
        attempt.inputs?.wipe()
        if (isProbe) probes--
        attempt.endedAt = clock.mono()
      })
      return attempt
    },

    /** The next piece of an input; what is wrong with it ends the attempt. */
    give(attempt: Attempt, chunk: InputChunkMessage): void {
      const { inputs, spool, abort } = attempt
      if (!inputs || abort.signal.aborted) return
      try {
        const before = inputs.share()
        inputs.take(chunk)
        if (Math.floor(before * INPUT_STEPS) !== Math.floor(inputs.share() * INPUT_STEPS))
          spool.append({ fact: 'loading', loading: { progress: inputs.share(), detail: 'receiving what it works on' } })
      } catch (error) {
        abort.abort(Failure.from(error, 'INPUT_FETCH_FAILED'))
      }
    },
    cancel(attempt: Attempt, code: 'CANCELLED' | 'CONSENT_MISSING' | 'WORKER_DRAINING' = 'CANCELLED', why = 'cancelled on request'): void {
      attempt.abort.abort(new Failure(code, why))
    },

    /** The studio has it durably, or does not want it: in both cases nothing of it stays here. */
    settle(id: string, epoch: number): void {
      const attempt = attempts.get(id)
      if (!attempt || attempt.epoch !== epoch) return
      if (attempt.phase === 'loading' || attempt.phase === 'running') attempt.abort.abort(new Failure('CANCELLED', 'settled by the studio'))
      forget(attempt)
    },
    /** Consent was withdrawn: everything stops and is wiped. */
    wipe(why: string): void {
      for (const attempt of [...attempts.values()]) {
        attempt.abort.abort(new Failure('CONSENT_MISSING', why))
        forget(attempt)
      }
    },
    /** The results of a studio that never came back for them. */
    forgetUnfetched(): void {
      for (const attempt of [...attempts.values()])
        if (attempt.endedAt !== null && clock.mono() - attempt.endedAt > KEPT_MS) forget(attempt)
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
    /** Resolves when nothing is being worked on and everything was settled, or with false when the signal aborts first. */
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

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
