// The job `prep_<dub>` of a film on the Internet: its download, and then the steps of every preparation.

import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import { type JobFrame, jobType, type StepContext, type StepOutcomes, type StepPlan } from '#control-plane/jobs/job-type.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { outputOf } from '../prep/film-steps.ts'
import { errorFrame } from '../prep/prep.rules.ts'
import type { PrepSteps } from '../prep/prep-job.ts'
import { type createDownload, Downloaded, IngestParams } from './download.ts'
import { ingestErrorStage } from './ingest.rules.ts'
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
  async function fetched(params: IngestParams, context: StepContext) {
    try {
      return outputOf(await download(params, context))
    } catch (error) {
      // A download that the end of the studio interrupts goes on where it was.
      if (!context.signal.aborted || context.isCancelled()) await folders.remove(params.dub, params.run)
      throw error
    }
  }
  function steps(params: IngestParams, outcomes: StepOutcomes): StepPlan[][] {
    const step = (name: string, run: StepPlan['run'], frame: StepPlan['frame']): StepPlan => ({
      name,
      key: { kind: `dub.ingest.${name}`, version: 1, inputs: [], params: { run: params.run } },
      run,
      ...(frame && { frame }),
    })
    const begin = step(
      'download start',
      async () => outputOf(null),
      () => ({ type: 'download_start', url: params.url }),
    )
    const fetch = step('download', (context) => fetched(params, context), doneFrame)
    // A step of its own: a download that repeats, because its end was not written, needs its cookies again.
    const end = step(
      'download end',
      async () => {
        await folders.remove(params.dub, params.run)
        return outputOf(null)
      },
      () => null,
    )
    const done = outcomes.outputs.get('download')
    if (!done) return [[begin], [fetch]]
    const { source, filename, inputType } = Downloaded.parse(done.json)
    return [[begin], [fetch], [end], ...prep.steps({ dub: params.dub, run: params.run, source, filename, inputType }, outcomes)]
  }

  jobs.add(
    jobType<IngestParams>({
      type: TYPE,
      params: IngestParams,
      steps,
      concurrency: AT_ONCE,
      onRestart: 'resume',
      onCancel: 'discard',
      async cleanUp(_, { dub, run }) {
        await folders.remove(dub, run)
        if (core.store.dubs.find(dub)?.sound === null) await removal.remove(dub)
      },
      doneFrame: (_, { outputs }) => prep.doneFrame(outputs),
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

function doneFrame({ json }: { readonly json: unknown }): JobFrame {
  const { title, size, filename, youtube_subs } = Downloaded.parse(json)
  return { type: 'download_done', title, size, filename, youtube_subs }
}
