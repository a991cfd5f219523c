// One leg of a take while its task runs: the sound for readers, the progress, the machine, and the finished parts in case the take moves to
// this machine.

import type { Offer } from '#control-plane/inference/offers.ts'
import type { Run } from '#control-plane/inference/run.ts'
import { type Synthesis, spokenLanguage } from '#control-plane/inference/synthesis.ts'
import type { StepContext } from '#control-plane/jobs/job-type.ts'
import { untilAbort } from '#control-plane/jobs/until-abort.ts'
import type { LocalArtifacts } from '#control-plane/store/artifact.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import { LOCAL, type WorkerStore } from '#control-plane/workers/worker.store.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { type WholePart, wholeParts } from '../chunks.ts'
import type { TakeEvent } from '../stream/take-events.schema.ts'
import type { TakePlan } from '../take.ts'
import { type KeptParts, keepParts, NO_PARTS, readKept } from './kept-parts.ts'
import { canFinishHere, isSamePlace, machineFrame, voiceHere, type Whereabouts, whereaboutsOf } from './machine.ts'
import { countParts } from './part-counter.ts'
import type { RunningTake } from './running-takes.ts'

export type LegParts = {
  readonly synthesis: Pick<Synthesis, 'offerFor' | 'sampleRateOf' | 'partsOf' | 'notice'>
  readonly offered: () => readonly Offer[]
  readonly workers: Pick<WorkerStore, 'get'>
  readonly artifacts: Pick<LocalArtifacts, 'pathOf' | 'keep' | 'read'>
}
export type OpenLeg = ReturnType<typeof openLeg>
/** `first`: index of the first part. Only a leg from the first part on can move. */
type Request = {
  readonly run: Run<'tts'>
  readonly plan: TakePlan
  readonly first: number
  readonly take: RunningTake
  readonly fallback: string | null
}

/** The chosen machine will not take the task again. */
const MACHINE_LOST: ReadonlySet<FailureCode> = new Set(['PINNED_WORKER_UNREACHABLE', 'PINNED_WORKER_EXHAUSTED'])

export function openLeg(
  { synthesis, offered, workers, artifacts }: LegParts,
  { run, plan, first, take, fallback }: Request,
  context: StepContext<TakeEvent>,
) {
  const over = new AbortController() // ends the readers of the task
  const moved = Promise.withResolvers<true>()
  const isBegun = Promise.withResolvers<void>()
  isBegun.promise.catch(() => {}) // it may have no reader
  let offer: Offer | undefined
  let place: Whereabouts | null = null
  let machine = ''
  let kept: KeptParts = NO_PARTS
  let keeping: Promise<void> = Promise.resolve()
  let isCut = false
  let last = -1

  take.spec ??= run.spec
  const finished = countParts(run, {
    begin,
    isOver: () => isCut || context.signal.aborted,
    speaking(part) {
      const chunk = Math.min(first + part, plan.chunks - 1)
      if (chunk <= last) return
      last = chunk
      context.report({ fraction: chunk / plan.chunks, secondsLeft: null, frame: { type: 'progress', chunk, total_chunks: plan.chunks } })
    },
  })
  const voice = () =>
    voiceHere(offered(), run.spec.engine, offer, { isCloning: plan.reference !== null, voices: run.spec.speaks?.voices ?? [] })
  const mayFinishHere = () => first === 0 && canFinishHere(voice(), finished.length, plan.params.duration != null)

  /** False if the machine has disconnected already: the next one begins again. */
  async function begin(): Promise<boolean> {
    const answering = await synthesis.offerFor(run, plan.model)
    if (!answering) return false
    offer = answering
    take.sampleRate = await synthesis.sampleRateOf(run)
    isBegun.resolve()
    const { chunks, seed } = plan
    const notice = synthesis.notice(
      offer,
      { voice: plan.voice, language: spokenLanguage(run), reported: null, segments: plan.params.segments },
      [fallback, ...(plan.replaced ?? [])],
    )
    await context.emit({ type: 'start', sample_rate: take.sampleRate, total_chunks: chunks, seed, notice })
    return true
  }

  /** Written while the task still has its output, because a failed task has none. */
  function keep(): Promise<void> {
    const parts = [...finished]
    keeping = keeping.then(async () => {
      if (parts.length > kept.parts.length) kept = await keepParts(artifacts, run.taskId, run.output(), parts)
    })
    keeping.catch(() => {}) // `cut` reports it by what is kept
    return keeping
  }

  async function* runningParts(signal: AbortSignal): AsyncGenerator<WholePart> {
    // Followed before the lengths are read: when the task ends in between, both ways of cutting give the same parts.
    const pieces = run.output(signal)
    await untilAbort(isBegun.promise, signal)
    yield* wholeParts(pieces, await synthesis.partsOf(run))
  }
  take.sound.add({
    first,
    cutAfter: () => (isCut ? kept.parts.length : null),
    parts: (signal) => (isCut ? wholeParts(readKept(artifacts, kept), kept.parts) : runningParts(AbortSignal.any([signal, over.signal]))),
  })
  if (first === 0 && run.spec.target !== LOCAL)
    take.move = () => {
      if (place && 'workerId' in place && place.workerId === LOCAL) throw new Failure('CONFLICT', 'The take already runs on this machine.')
      if (!mayFinishHere()) throw new Failure('CONFLICT', 'This machine speaks with another voice, so it cannot finish the take.')
      moved.resolve(true)
    }

  return {
    /** Resolves when the take moves to this machine. */
    moved: moved.promise,
    /** The name of the machine that had the task last. */
    machine: () => machine,
    /** The task has changed. */
    changed(record: TaskRecord): void {
      const now = whereaboutsOf(record, place)
      if (isSamePlace(place, now)) return
      place = now
      if (now.state === 'waiting') return
      if (now.state === 'lost') void keep()
      const worker = workers.get(now.workerId)
      machine = worker?.name || worker?.pin.slice(0, 16) || now.workerId
      const frame = machineFrame(now, {
        name: machine,
        isLocal: now.workerId === LOCAL,
        isPinned: record.task.target !== 'auto',
        canFinishHere: now.workerId !== LOCAL && mayFinishHere(),
        kept: first + finished.length,
        total: first + plan.params.segments.length,
      })
      context.emit(frame).catch(() => {}) // the job has ended, or reports it with its failure
    },
    /** True if this machine finishes the take after this failure of its task. Throws the failure otherwise. */
    finishOrThrow(error: unknown): true {
      if (MACHINE_LOST.has(Failure.from(error).code) && voice() === 'same' && mayFinishHere()) return true
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
    },
  }
}
