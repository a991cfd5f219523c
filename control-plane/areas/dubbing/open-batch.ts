// Puts the parts of the batch together.
import type { AreaApis } from '../apis.ts'
import type { Platform } from '../platform.ts'
import { batchRoutes } from './batch/batch.routes.ts'
import { createBatch } from './batch/batch.service.ts'
import { createBatchRows } from './batch/batch.store.ts'
import { createBatchJobs } from './batch/batch-job.ts'
import { createBatchProgress } from './batch/batch-progress.ts'
import { createBatchSteps } from './batch/batch-steps.ts'
import type { DubCore } from './core.ts'
import type { DubExports } from './export/exports.service.ts'
import type { DubGenerating } from './generate/generate.service.ts'
import type { GenerateJobs } from './generate/generate-job.ts'
import type { AbortDub } from './history/abort.service.ts'
import type { Removal } from './history/removal.ts'
import type { PrepSteps } from './prep/prep-job.ts'
import type { TranscribeJobs } from './transcribe/transcribe-job.ts'
import type { AdoptFilm } from './upload/adopt-film.ts'

type Parts = {
  readonly core: DubCore
  readonly prep: PrepSteps
  readonly transcriptions: Pick<TranscribeJobs, 'steps'>
  readonly generation: { readonly generateJobs: GenerateJobs; readonly generating: DubGenerating }
  readonly exports: { readonly exports: DubExports; readonly abort: (dubId: string) => boolean }
  readonly adopt: AdoptFilm
  readonly abort: Pick<AbortDub, 'abort'>
  readonly removal: Removal
  readonly hasPrograms: () => boolean
}

export function openBatch(
  { db, jobs, clock, random }: Pick<Platform, 'db' | 'jobs' | 'clock' | 'random'>,
  { recognition, translation }: Pick<AreaApis, 'recognition' | 'translation'>,
  parts: Parts,
) {
  const { core, prep, transcriptions, adopt, abort, removal, hasPrograms } = parts
  const { generateJobs, generating } = parts.generation
  const { exports, abort: stopExports } = parts.exports
  const rows = createBatchRows({ db })
  const progress = createBatchProgress()
  const own = createBatchSteps({ core, rows, translation, generating, generateJobs, exports, clock })
  const batchJobs = createBatchJobs({ core, rows, jobs, prep, transcriptions, generateJobs, own, progress, removal, stopExports, clock })
  const batch = createBatch({
    ...{ core, rows, batchJobs, jobs, progress, adopt, abort, removal, exports, recognition, translation, generating, hasPrograms },
    clock,
    random,
  })
  return { routes: batchRoutes(batch), settle: batch.settle }
}
