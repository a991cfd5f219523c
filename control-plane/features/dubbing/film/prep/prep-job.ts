// The job `prep_<dub>`: from an uploaded file to sound, isolated voice, still picture and cuts.
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import {
  jobStep,
  jobType,
  type StepContext,
  type StepOutcomes,
  type StepOutput,
  type StepPlan,
  stepOutput,
} from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type FilmSteps, FoundScenes } from './film-steps.ts'
import { errorFrame } from './prep.rules.ts'
import { Extracted, PrepEvent, type PrepReady, type PrepStage, type PrepStepEvent } from './prep-events.schema.ts'
import { PrepParams } from './prep-params.ts'
import type { Separating } from './separating.ts'
import { createSeparationSteps, Known, Separated, SeparatedPart } from './separation-steps.ts'
import { untilPossible } from './until-possible.ts'

/** Steps for jobs that prepare a film among other things. */
export type PrepSteps = {
  /** Pure, as the steps of a job type. */
  readonly steps: (params: PrepParams, outcomes: StepOutcomes) => StepPlan<PrepStepEvent>[][]
  /** The frame `ready`, from the outputs of all steps. */
  readonly doneFrame: (outcomes: StepOutcomes) => PrepReady
}
export type PrepJobs = PrepSteps & {
  /** Resolves with the id of the job. Throws what `Jobs.create` throws. */
  readonly start: (params: PrepParams) => Promise<string>
}
type Deps = {
  readonly core: DubCore
  readonly jobs: Pick<Jobs, 'add' | 'create'>
  readonly film: FilmSteps
  readonly separating: Separating
  readonly removal: Removal
  readonly clock: Pick<Clock, 'mono' | 'sleep'>
}
const AT_ONCE = 2
const TYPE = 'dub_upload'

export function createPrepJobs({ core, jobs, film, separating, removal, clock }: Deps): PrepJobs {
  const separation = createSeparationSteps({ core, separating, clock })

  type Run<T> = (params: PrepParams, context: StepContext<PrepStepEvent>) => Promise<StepOutput<T>>
  const whenPossible =
    <T>(stage: PrepStage, run: Run<T>): Run<T> =>
    (params, context) =>
      untilPossible(() => run(params, context), context, stage, clock)
  /** A film that cannot be read leaves nothing behind. */
  const orForgotten =
    <T>(run: Run<T>): Run<T> =>
    async (params, context) => {
      try {
        return await whenPossible('extract', run)(params, context)
      } catch (error) {
        if (!context.signal.aborted) await removal.remove(params.dub)
        throw error
      }
    }

  function steps(params: PrepParams, outcomes: StepOutcomes): StepPlan<PrepStepEvent>[][] {
    const own = <T>(
      name: string,
      output: z.ZodType<T>,
      run: Run<NoInfer<T>>,
      frame: (json: T) => PrepStepEvent | null = () => null,
    ): StepPlan<PrepStepEvent> =>
      jobStep({
        name,
        output,
        // Results are shared by their files and not by this key: each run reports whether it found them.
        key: { kind: `dub.prep.${name}`, version: 1, inputs: [params.source], params: { run: params.run } },
        run: (context) => run(params, context),
        frame: ({ json }) => frame(json),
      })
    const first = [
      [own('probe', z.null(), orForgotten(film.probe), () => ({ type: 'extract_start' }))],
      [own('extract', Extracted, orForgotten(film.extract), (json) => ({ type: 'extract_done', ...json }))],
      [
        own('known', Known, whenPossible('demucs', separation.known), ({ cached, has_bg, scene_count }) => {
          return cached ? { type: 'cached', has_bg, scene_count } : { type: 'demucs_start' }
        }),
      ],
    ]
    const found = readOutput(outcomes, 'known', Known)
    if (!found || found.cached) return first
    const { parts } = found
    const isWhole = (part: number) => part === 0 || readOutput(outcomes, `separate ${part - 1}`, SeparatedPart)?.failed === null
    const isComplete = parts > 0 && isWhole(parts)
    return [
      ...first,
      ...Array.from({ length: parts }, (_, part) => part)
        .filter(isWhole)
        .map((part) => [
          own(
            `separate ${part}`,
            SeparatedPart,
            whenPossible('demucs', (given, context) => separation.part(given, part, parts, context)),
          ),
        ]),
      [
        own(
          'separated',
          Separated,
          whenPossible('demucs', (given, context) => separation.join(given, isComplete, context)),
          ({ has_bg }) => ({ type: 'demucs_done', has_bg }),
        ),
      ],
      ...(params.inputType === 'video' ? [[own('thumb', z.null(), film.thumb)]] : []),
      [
        own(
          'scene',
          z.null(),
          async () => stepOutput(null),
          () => ({ type: 'scene_start' }),
        ),
      ],
      [own('scenes', FoundScenes, film.scenes, ({ count }) => ({ type: 'scene_done', count }))],
    ]
  }

  jobs.add(
    jobType({
      type: TYPE,
      params: PrepParams,
      events: PrepEvent,
      steps,
      concurrency: AT_ONCE,
      onRestart: 'resume',
      onCancel: 'discard',
      // A dub whose sound is there can be used; one without would never appear.
      cleanUp: async (_, { dub }) => {
        if (core.store.dubs.find(dub)?.sound === null) await removal.remove(dub)
      },
      doneFrame: (_, outcomes) => doneFrame(outcomes),
      errorFrame,
    }),
  )

  return {
    steps,
    doneFrame,
    async start(params) {
      const id = `prep_${params.dub}`
      const { dub, filename } = params
      await jobs.create({ type: TYPE, id, params, meta: { dub, filename }, madeBy: core.makerOf(dub) })
      return id
    },
  }
}

function doneFrame(outcomes: StepOutcomes): PrepReady {
  const { job_id, duration, filename } = readOutput(outcomes, 'extract', Extracted)!
  return { type: 'ready', job_id, duration, filename }
}
