// Speaks the parts of a take from `first` on as one task, and follows it: the sound for readers, the progress, and the machine. The leg
// ends with its task, or when the take moves to this machine; then the finished parts are kept.
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { bestOf, localOffers, type Offer } from '../../../inference/offers.ts'
import type { Run } from '../../../inference/run.ts'
import type { Synthesis } from '../../../inference/synthesis.ts'
import type { StepContext } from '../../../jobs/job-type.ts'
import { untilAbort } from '../../../jobs/until-abort.ts'
import type { Artifacts } from '../../../store/artifact.ts'
import type { Change, TaskRecord } from '../../../tasks/record.ts'
import { LOCAL, type WorkerStore } from '../../../workers/worker.store.ts'
import { type WholePart, wholeParts } from '../chunks.ts'
import type { createGenerate, TakePlan } from '../generate.service.ts'
import { type KeptParts, keepParts, NO_PARTS, readKept } from './kept-parts.ts'
import { isSamePlace, machineFrame, type Whereabouts, whereaboutsOf } from './machine.ts'
import type { RunningTake, RunningTakes } from './running-takes.ts'

export type SpokenLeg = {
  readonly task_id: string
  readonly took_ms: number
  /** The finished parts, if the take moved to this machine; null if the task ended well. */
  readonly kept: KeptParts | null
  /** The machine that spoke it last. */
  readonly machine: string
}
export type SpeakLeg = ReturnType<typeof createSpeakLeg>
export type LegParts = {
  readonly takes: Pick<ReturnType<typeof createGenerate>, 'begin'>
  readonly synthesis: Pick<Synthesis, 'resume' | 'offerFor' | 'sampleRateOf' | 'partsOf' | 'notice'>
  readonly offered: () => readonly Offer[]
  readonly workers: Pick<WorkerStore, 'get'>
  readonly taskOf: (id: string) => TaskRecord | null
  readonly artifacts: Pick<Artifacts, 'pathOf' | 'keep' | 'read'>
  readonly running: RunningTakes
  readonly clock: Clock
}
export type LegRequest = { readonly job: string; readonly plan: TakePlan; readonly first: number; readonly target: string | null }

/** The chosen machine will not take the task again, and this machine may finish it. */
const MACHINE_LOST: ReadonlySet<FailureCode> = new Set(['PINNED_WORKER_UNREACHABLE', 'PINNED_WORKER_EXHAUSTED'])

export function createSpeakLeg(deps: LegParts) {
  const { takes, synthesis, offered, workers, taskOf, artifacts, running, clock } = deps
  const watched = new Map<string, (record: TaskRecord) => void>()

  /** Adopts the task that an earlier run of the step has noted. */
  async function runOf({ plan, first, target }: LegRequest, { taskId, noteTask }: StepContext, caller: AbortSignal): Promise<Run<'tts'>> {
    const earlier = taskId === null ? null : await synthesis.resume(taskId, caller)
    if (earlier) return earlier
    const { segments } = plan.params
    const { run } = await takes.begin({ ...plan, params: { ...plan.params, segments: segments.slice(first) } }, caller, '', target)
    await noteTask(run.taskId)
    return run
  }

  function nameOf(workerId: string): string {
    const worker = workers.get(workerId)
    return worker?.name || worker?.pin.slice(0, 16) || workerId
  }

  /** How this machine can speak the rest: with the voice of `offer`, with another voice, or not at all. */
  function voiceHere(run: Run<'tts'>, offer: Offer | undefined, plan: TakePlan): 'same' | 'other' | 'none' {
    const own = bestOf(localOffers(offered(), 'tts'), run.spec.engine, 'tts')
    if (!own || (plan.reference && !own.cloning)) return 'none'
    return own.implementation === offer?.implementation && own.sample_rate === offer.sample_rate ? 'same' : 'other'
  }
  /** Finished parts and the rest must have one voice, and a total duration cannot be met by two tasks. */
  const canFinishHere = (voice: 'same' | 'other' | 'none', kept: number, { params }: TakePlan): boolean =>
    kept === 0 ? voice !== 'none' : voice === 'same' && params.duration == null

  async function speakLeg(request: LegRequest, context: StepContext): Promise<SpokenLeg> {
    const { job, plan } = request
    const { signal } = context
    const take = running.open(job, plan.crossfadeMs)
    // The task is cancelled with the job. It continues when only the studio stops.
    const caller = new AbortController()
    signal.addEventListener('abort', () => context.isCancelled() && caller.abort(signal.reason), { once: true })
    const startedAt = clock.mono()
    const run = await runOf(request, context, caller.signal)
    const leg = openLeg(run, request, take, context)
    try {
      const result = run.result()
      result.catch(() => {}) // awaited below, possibly after it rejects
      const moved = await untilAbort(Promise.race([result.then(() => false, leg.finishOrThrow), leg.moved]), signal)
      const kept = moved ? await leg.cut() : null
      return { task_id: run.taskId, took_ms: clock.mono() - startedAt, kept, machine: leg.machine() }
    } finally {
      leg.close()
    }
  }

  function openLeg(run: Run<'tts'>, { plan, first }: LegRequest, take: RunningTake, context: StepContext) {
    const over = new AbortController() // ends the readers of the task
    const total = plan.params.segments.length
    const finished: { samples: number }[] = []
    const moved = Promise.withResolvers<true>()
    let offer: Offer | undefined
    let place: Whereabouts | null = null
    let kept: KeptParts = NO_PARTS
    let keeping: Promise<void> = Promise.resolve()
    let isCut = false
    let machine = ''
    const isBegun = Promise.withResolvers<void>()
    isBegun.promise.catch(() => {}) // it may have no reader
    const mayFinishHere = () => first === 0 && canFinishHere(voiceHere(run, offer, plan), finished.length, plan)

    /** Written while the task still has its output, because a failed task has none. */
    function keep(): Promise<void> {
      const parts = [...finished]
      keeping = keeping.then(async () => {
        if (parts.length > kept.parts.length) kept = await keepParts(artifacts, run.taskId, run.output(), parts)
      })
      keeping.catch(() => {}) // awaited by `cut`
      return keeping
    }

    async function followParts(): Promise<void> {
      for (;;) {
        let part = 0
        let bytesOfPart = 0
        try {
          for await (const piece of run.output()) {
            if (context.signal.aborted || isCut) return
            if (!offer) await begun()
            for (; part < piece.part; part++) {
              if (part >= finished.length) finished.push({ samples: bytesOfPart / 2 })
              bytesOfPart = 0
            }
            bytesOfPart += piece.bytes.length
            progress(Math.min(first + part, plan.chunks - 1))
          }
          return
        } catch (error) {
          // Another attempt produced other audio: what was finished is generated again.
          if (Failure.from(error).code !== 'UPLOAD_INCOMPLETE') return
          finished.length = 0
        }
      }
    }
    let last = -1
    function progress(chunk: number): void {
      if (chunk <= last) return
      last = chunk
      context.report({ fraction: chunk / plan.chunks, secondsLeft: null, frame: { type: 'progress', chunk, total_chunks: plan.chunks } })
    }

    /** The first sound has arrived. Does nothing if its machine has disconnected already; the next machine begins again. */
    async function begun(): Promise<void> {
      const answering = await synthesis.offerFor(run, plan.model)
      if (!answering) return
      offer = answering
      take.sampleRate = await synthesis.sampleRateOf(run)
      isBegun.resolve()
      const { chunks, seed } = plan
      const notice = synthesis.notice(offer, plan.voice)
      await context.emit({ type: 'start', sample_rate: take.sampleRate, total_chunks: chunks, seed, notice })
    }

    function follow(record: TaskRecord): void {
      const now = whereaboutsOf(record, place)
      if (isSamePlace(place, now)) return
      place = now
      if (now.state === 'waiting') return
      if (now.state === 'lost') void keep().catch(() => {})
      machine = nameOf(now.workerId)
      const frame = machineFrame(now, {
        name: machine,
        isLocal: now.workerId === LOCAL,
        isPinned: record.task.target !== 'auto',
        canFinishHere: now.workerId !== LOCAL && mayFinishHere(),
        kept: first + finished.length,
        total,
      })
      context.emit(frame).catch(() => {}) // the job has ended, or reports it with its failure
    }

    take.spec ??= run.spec
    watched.set(run.taskId, follow)
    const record = taskOf(run.taskId)
    if (record) follow(record)
    void followParts().catch(() => {}) // the result rejects with the same failure
    take.sound.add({
      first,
      cutAfter: () => (isCut ? kept.parts.length : null),
      parts: (signal) => (isCut ? wholeParts(readKept(artifacts, kept), kept.parts) : runParts(AbortSignal.any([signal, over.signal]))),
    })
    async function* runParts(signal: AbortSignal): AsyncGenerator<WholePart> {
      // Followed before the lengths are read: when the task ends in between, both ways of cutting give the same parts.
      const pieces = run.output(signal)
      await untilAbort(isBegun.promise, signal)
      yield* wholeParts(pieces, await synthesis.partsOf(run))
    }
    if (first === 0 && run.spec.target !== LOCAL)
      take.move = () => {
        if (place && 'workerId' in place && place.workerId === LOCAL)
          throw new Failure('CONFLICT', 'The take already runs on this machine.')
        if (!mayFinishHere()) throw new Failure('CONFLICT', 'This machine speaks with another voice, so it cannot finish the take.')
        moved.resolve(true)
      }

    return {
      moved: moved.promise,
      machine: () => machine,
      /** True if this machine finishes the take after this failure of its task. Throws the failure otherwise. */
      finishOrThrow(error: unknown): true {
        const isLost = MACHINE_LOST.has(Failure.from(error).code)
        if (first === 0 && isLost && voiceHere(run, offer, plan) === 'same' && mayFinishHere()) return true
        throw error
      },
      /** Keeps the finished parts and ends the readers of the task. */
      async cut(): Promise<KeptParts> {
        take.move = null
        // If the disk refuses or the task has failed, the parts that were kept before count.
        await keep().catch(() => {})
        isCut = true
        over.abort(new Failure('CANCELLED', 'The take has moved to another machine.'))
        return kept
      },
      close(): void {
        take.move = null
        isBegun.reject(new Failure('WORKER_FAILED', 'The engine returned no audio.'))
        watched.delete(run.taskId)
      },
    }
  }

  return {
    speakLeg,
    committed(changes: readonly Change[]): void {
      for (const { record } of changes) watched.get(record.task.id)?.(record)
    },
  }
}
