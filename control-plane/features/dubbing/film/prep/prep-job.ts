// The job `prep_<dub>`: from an uploaded file to sound, isolated voice, still picture and cuts.
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import {
  type JobFrame,
  jobType,
  type StepContext,
  type StepOutcomes,
  type StepOutput,
  type StepPlan,
} from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { Json } from '#control-plane/jobs/key.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type FilmSteps, outputOf } from './film-steps.ts'
import { errorFrame, type PrepStage } from './prep.rules.ts'
import { PrepParams } from './prep-params.ts'
import type { Separating } from './separating.ts'
import { createSeparationSteps } from './separation-steps.ts'
import { untilPossible } from './until-possible.ts'

/** For jobs that prepare a film among other things. */
export type PrepSteps = {
  /** Pure, as the steps of a job type. */
  readonly steps: (params: PrepParams, outcomes: StepOutcomes) => StepPlan[][]
  /** The frame `ready`, from the outputs of all steps. */
  readonly doneFrame: (outputs: StepOutcomes['outputs']) => JobFrame
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
const Known = z.object({ cached: z.boolean(), has_bg: z.boolean(), scene_count: z.int(), parts: z.int() })

export function createPrepJobs({ core, jobs, film, separating, removal, clock }: Deps): PrepJobs {
  const separation = createSeparationSteps({ core, separating, clock })

  type Run = (params: PrepParams, context: StepContext) => Promise<StepOutput>
  const whenPossible =
    (stage: PrepStage, run: Run): Run =>
    (params, context) =>
      untilPossible(() => run(params, context), context, stage, clock)
  /** A film that cannot be read leaves nothing behind. */
  const orForgotten =
    (run: Run): Run =>
    async (params, context) => {
      try {
        return await whenPossible('extract', run)(params, context)
      } catch (error) {
        if (!context.signal.aborted) await removal.remove(params.dub)
        throw error
      }
    }

  function steps(params: PrepParams, { outputs }: StepOutcomes): StepPlan[][] {
    const step = (name: string, run: Run, frame: (json: Json) => JobFrame | null = () => null): StepPlan => ({
      name,
      // Results are shared by their files and not by this key: each run reports whether it found them.
      key: { kind: `dub.prep.${name}`, version: 1, inputs: [params.source], params: { run: params.run } },
      run: (context) => run(params, context),
      frame: ({ json }) => frame(json),
    })
    const mark = (name: string, type: string) =>
      step(
        name,
        async () => outputOf(null),
        () => ({ type }),
      )
    const first = [
      [step('probe', orForgotten(film.probe), () => ({ type: 'extract_start' }))],
      [step('extract', orForgotten(film.extract), (json) => ({ type: 'extract_done', ...(json as object) }))],
      [
        step('known', whenPossible('demucs', separation.known), (json) => {
          const { cached, has_bg, scene_count } = Known.parse(json)
          return cached ? { type: 'cached', has_bg, scene_count } : { type: 'demucs_start' }
        }),
      ],
    ]
    const found = outputs.get('known')
    if (!found) return first
    const { cached, parts } = Known.parse(found.json)
    if (cached) return first
    const isWhole = (part: number) => part === 0 || separation.isMade(outputs.get(`separate ${part - 1}`)?.json)
    const isComplete = parts > 0 && isWhole(parts)
    return [
      ...first,
      ...Array.from({ length: parts }, (_, part) => part)
        .filter(isWhole)
        .map((part) => [
          step(
            `separate ${part}`,
            whenPossible('demucs', (given, context) => separation.part(given, part, parts, context)),
          ),
        ]),
      [
        step(
          'separated',
          whenPossible('demucs', (given, context) => separation.join(given, isComplete, context)),
          (json) => ({ type: 'demucs_done', has_bg: (json as { has_bg: boolean }).has_bg }),
        ),
      ],
      ...(params.inputType === 'video' ? [[step('thumb', film.thumb)]] : []),
      [mark('scene', 'scene_start')],
      [step('scenes', film.scenes, (json) => ({ type: 'scene_done', count: (json as { count: number }).count }))],
    ]
  }

  jobs.add(
    jobType<PrepParams>({
      type: TYPE,
      params: PrepParams,
      steps,
      concurrency: AT_ONCE,
      onRestart: 'resume',
      onCancel: 'discard',
      // A dub whose sound is there can be used; one without would never appear.
      cleanUp: async (_, { dub }) => {
        if (core.store.dubs.find(dub)?.sound === null) await removal.remove(dub)
      },
      doneFrame: (_, { outputs }) => doneFrame(outputs),
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

function doneFrame(outputs: StepOutcomes['outputs']): JobFrame {
  const extracted = z.object({ job_id: z.string(), duration: z.number(), filename: z.string() }).parse(outputs.get('extract')!.json)
  return { type: 'ready', ...extracted }
}
