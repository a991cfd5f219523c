// The job `prep_<dub>` of a film on the Internet: its download, and then the steps of every preparation.

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
  type StepRun,
  stepOutput,
} from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { readOutput } from '#control-plane/jobs/run/step-outputs.ts'
import { errorFrame } from '../prep/prep.rules.ts'
import type { PrepSteps } from '../prep/prep-job.ts'
import { type createDownload, Downloaded, IngestParams } from './download.ts'
import { ingestErrorStage } from './ingest.rules.ts'
import { IngestEvent } from './ingest-events.schema.ts'
import type { IngestFolders } from './ingest-folders.ts'

export type IngestJobs = {
  /** Resolves with the id of the job. Throws what `Jobs.create` throws. */
  readonly start: (params: IngestParams) => Promise<string>
}
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'makerOf'>
  readonly jobs: Pick<Jobs, 'add' | 'create'>
  readonly prep: PrepSteps
  readonly download: ReturnType<typeof createDownload>
  readonly folders: IngestFolders
  readonly removal: Removal
}
const AT_ONCE = 2
const TYPE = 'dub_ingest'

export function createIngestJobs({ core, jobs, prep, download, folders, removal }: Deps): IngestJobs {
  async function fetched(params: IngestParams, context: StepContext<IngestEvent>) {
    try {
      return stepOutput(await download(params, context))
    } catch (error) {
      // A download that the end of the studio interrupts goes on where it was.
      if (!context.signal.aborted || context.isCancelled()) await folders.remove(params.dub, params.run)
      throw error
    }
  }
  function steps(params: IngestParams, outcomes: StepOutcomes): StepPlan<IngestEvent>[][] {
    const own = <T>(
      name: string,
      output: z.ZodType<T>,
      run: StepRun<T, IngestEvent>,
      frame?: (output: StepOutput<T>) => IngestEvent,
    ): StepPlan<IngestEvent> =>
      jobStep({
        name,
        output,
        key: { kind: `dub.ingest.${name}`, version: 1, inputs: [], params: { run: params.run } },
        run,
        ...(frame && { frame }),
      })
    const begin = own(
      'download start',
      z.null(),
      async () => stepOutput(null),
      () => ({ type: 'download_start', url: params.url }),
    )
    const fetch = own('download', Downloaded, (context) => fetched(params, context), doneFrame)
    // A step of its own: a download that repeats, because its end was not written, needs its cookies again.
    const end = own('download end', z.null(), async () => {
      await folders.remove(params.dub, params.run)
      return stepOutput(null)
    })
    const done = readOutput(outcomes, 'download', Downloaded)
    if (!done) return [[begin], [fetch]]
    const { source, filename, inputType } = done
    return [[begin], [fetch], [end], ...prep.steps({ dub: params.dub, run: params.run, source, filename, inputType }, outcomes)]
  }

  jobs.add(
    jobType({
      type: TYPE,
      params: IngestParams,
      events: IngestEvent,
      steps,
      concurrency: AT_ONCE,
      onRestart: 'resume',
      onCancel: 'discard',
      async cleanUp(_, { dub, run }) {
        await folders.remove(dub, run)
        if (core.store.dubs.find(dub)?.sound === null) await removal.remove(dub)
      },
      doneFrame: (_, outcomes) => prep.doneFrame(outcomes),
      errorFrame: (fault) => ({ ...errorFrame(fault), stage: ingestErrorStage(fault) }),
    }),
  )

  return {
    async start(params) {
      const id = `prep_${params.dub}`
      await jobs.create({ type: TYPE, id, params, meta: { dub: params.dub, filename: '' }, madeBy: core.makerOf(params.dub) })
      return id
    },
  }
}

function doneFrame({ json: { title, size, filename, youtube_subs } }: StepOutput<z.output<typeof Downloaded>>): IngestEvent {
  return { type: 'download_done', title, size, filename, youtube_subs }
}
