// The steps of another kind of job as a part of a larger job. Their names get a prefix; their keys stay as they are, so results are shared.
import type { JobFault } from '#control-plane/jobs/job.ts'
import type { JobFrame, StepContext, StepOutcomes, StepPlan } from '#control-plane/jobs/job-type.ts'

export type SubSteps<E extends JobFrame> = {
  readonly stages: readonly (readonly StepPlan<E>[])[]
  /** True if nothing of it is left to do. */
  readonly isOver: boolean
  /** Set when a step of an optional part failed. */
  readonly fault: JobFault | null
}
export type SubStepPlace = { readonly step: number; readonly steps: number }
type Options<E extends JobFrame> = {
  /** Prefix without a space at its end; no prefix may begin with another one and a space. */
  readonly prefix: string
  /** The job goes on when a step fails, and the steps after it are left out. */
  readonly isOptional: boolean
  /** The context that a step gets. */
  readonly contextOf: (context: StepContext<E>, place: SubStepPlace) => StepContext<E>
}

/** Pure. `plan`: the stages of the part, from its own outcomes. */
export function subSteps<E extends JobFrame>(
  outcomes: StepOutcomes,
  { prefix, isOptional, contextOf }: Options<E>,
  plan: (own: StepOutcomes) => readonly (readonly StepPlan<E>[])[],
): SubSteps<E> {
  const own: StepOutcomes = { outputs: stripped(outcomes.outputs, prefix), failures: stripped(outcomes.failures, prefix) }
  const stages = plan(own)
  const fails = (step: StepPlan<E>) => own.failures.has(step.name)
  const failedAt = isOptional ? stages.findIndex((stage) => stage.some(fails)) : -1
  const kept = failedAt < 0 ? stages : stages.slice(0, failedAt + 1)
  const steps = kept.flat()
  const hasEnded = (step: StepPlan<E>) => own.outputs.has(step.name) || ((isOptional || step.optional === true) && fails(step))
  return {
    stages: kept.map((stage) =>
      stage.map((step) => ({
        ...step,
        name: `${prefix} ${step.name}`,
        optional: isOptional || step.optional === true,
        run: (context) => step.run(contextOf(context, { step: steps.indexOf(step), steps: steps.length })),
      })),
    ),
    isOver: steps.every(hasEnded),
    fault: failedAt < 0 ? null : own.failures.get(stages[failedAt]!.find(fails)!.name)!,
  }
}

const stripped = <T>(all: ReadonlyMap<string, T>, prefix: string): Map<string, T> =>
  new Map([...all].flatMap(([name, value]) => (name.startsWith(`${prefix} `) ? [[name.slice(prefix.length + 1), value] as const] : [])))
