// Puts the parts of the batch together.

import { batchRoutes } from '#control-plane/features/dubbing/batch/batch.routes.ts'
import { createBatch } from '#control-plane/features/dubbing/batch/batch.service.ts'
import { createBatchRows } from '#control-plane/features/dubbing/batch/batch.store.ts'
import { createBatchJobs } from '#control-plane/features/dubbing/batch/batch-job.ts'
import { createBatchProgress } from '#control-plane/features/dubbing/batch/batch-progress.ts'
import { createBatchSteps } from '#control-plane/features/dubbing/batch/batch-steps.ts'
import type { PrepSteps } from '#control-plane/features/dubbing/film/prep/prep-job.ts'
import type { AdoptFilm } from '#control-plane/features/dubbing/film/upload/adopt-film.ts'
import type { DubExports } from '#control-plane/features/dubbing/leave/export/exports.service.ts'
import type { TranscribeJobs } from '#control-plane/features/dubbing/lines/transcribe/transcribe-job.ts'
import type { DubGenerating } from '#control-plane/features/dubbing/make/generate/generate.service.ts'
import type { GenerateJobs } from '#control-plane/features/dubbing/make/generate/generate-job.ts'
import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import type { AreaApis } from '#control-plane/kernel/define.ts'
import type { Platform } from '#control-plane/kernel/platform.ts'

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
  { library: { db }, jobs, clock, random }: Pick<Platform, 'library' | 'jobs' | 'clock' | 'random'>,
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
  return { routes: batchRoutes(batch), settle: batch.settle, isHeld: batch.isHeld }
}
