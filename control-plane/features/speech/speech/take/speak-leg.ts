// Speaks the parts of a take from `first` on as one task. The leg ends with its task, or when the take moves to this machine; then the
// finished parts are kept.

import { z } from 'zod'
import type { Run } from '#control-plane/inference/run.ts'
import type { Synthesis } from '#control-plane/inference/synthesis.ts'
import { whenReady } from '#control-plane/inference/when-ready.ts'
import type { StepContext } from '#control-plane/jobs/job-type.ts'
import { untilAbort } from '#control-plane/jobs/until-abort.ts'
import type { Change, TaskRecord } from '#control-plane/tasks/record.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { createGenerate } from '../generate.service.ts'
import type { TakeEvent } from '../stream/take-events.schema.ts'
import type { TakePlan } from '../take.ts'
import { KeptParts } from './kept-parts.ts'
import { type LegParts, type OpenLeg, openLeg } from './leg.ts'
import type { RunningTakes } from './running-takes.ts'

export const SpokenLeg = z.object({
  task_id: z.string(),
  took_ms: z.number(),
  /** The finished parts, if the take moved to this machine; null if the task ended well. */
  kept: KeptParts.nullable(),
  /** The machine that spoke it last. */
  machine: z.string(),
  /** Reason why it ran here although another machine was chosen, as a sentence; null if it did not. */
  fallback: z.string().nullable(),
})
export type SpokenLeg = z.output<typeof SpokenLeg>
export type SpeakLeg = ReturnType<typeof createSpeakLeg>
/** `first`: index of the first part to speak. `target`: null for the machine that the owner chose. */
export type LegRequest = { readonly job: string; readonly plan: TakePlan; readonly first: number; readonly target: string | null }
type Deps = LegParts & {
  readonly synthesis: Pick<Synthesis, 'resume' | 'fallback'>
  readonly takes: Pick<ReturnType<typeof createGenerate>, 'begin'>
  readonly taskOf: (id: string) => TaskRecord | null
  readonly running: RunningTakes
  readonly clock: Clock
}

export function createSpeakLeg(deps: Deps) {
  const { takes, synthesis, taskOf, running, clock } = deps
  const open = new Map<string, OpenLeg>()

  /** Adopts the task that an earlier run of the step has noted. */
  async function runOf(
    { plan, first, target }: LegRequest,
    { taskId, noteTask, signal }: StepContext,
    caller: AbortSignal,
  ): Promise<Run<'tts'>> {
    const earlier = taskId === null ? null : await synthesis.resume(taskId, caller)
    if (earlier) return earlier
    const { segments } = plan.params
    const rest = { ...plan, params: { ...plan.params, segments: segments.slice(first) } }
    const { run } = await whenReady(() => takes.begin(rest, caller, '', target), clock, signal)
    await noteTask(run.taskId)
    return run
  }

  return {
    async speakLeg({ job, plan, ...request }: LegRequest, context: StepContext<TakeEvent>): Promise<SpokenLeg> {
      const { signal } = context
      const take = running.open(job, plan)
      // The task is cancelled with the job. It continues when only the studio stops.
      const caller = new AbortController()
      signal.addEventListener('abort', () => context.isCancelled() && caller.abort(signal.reason), { once: true })
      const startedAt = clock.mono()
      const fallback = request.target === null ? synthesis.fallback() : null
      const run = await runOf({ job, plan, ...request }, context, caller.signal)
      const leg = openLeg(deps, { run, plan, first: request.first, take, fallback }, context)
      open.set(run.taskId, leg)
      const record = taskOf(run.taskId)
      if (record) leg.changed(record)
      try {
        const result = run.result()
        result.catch(() => {}) // awaited below, possibly after it rejects
        const isMoved = await untilAbort(Promise.race([result.then(() => false, leg.finishOrThrow), leg.moved]), signal)
        const kept = isMoved ? await leg.cut() : null
        return { task_id: run.taskId, took_ms: clock.mono() - startedAt, kept, machine: leg.machine(), fallback }
      } finally {
        leg.close()
        open.delete(run.taskId)
      }
    },
    /** Follows the machines of the tasks. */
    committed(changes: readonly Change[]): void {
      for (const { record } of changes) open.get(record.task.id)?.changed(record)
    },
  }
}
