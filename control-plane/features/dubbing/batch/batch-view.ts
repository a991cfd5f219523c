// A batch item in the form of the API: its row, the state of its job, and what its dub contains.

import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import { secondsOf } from '#control-plane/features/dubbing/store/dub.ts'
import { lineRow } from '#control-plane/features/dubbing/store/line.ts'
import { isSetAside } from '#control-plane/jobs/job.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { BatchJob } from './batch.contract.ts'
import { BATCH_STAGES, batchPercent } from './batch.rules.ts'
import type { BatchEnd, BatchItem, BatchRows } from './batch.store.ts'
import type { BatchProgresses } from './batch-progress.ts'

export type BatchStatus = BatchJob['status']
export type BatchState = {
  readonly item: BatchItem
  readonly status: BatchStatus
  /** The step of its job that began last; null without a running job. */
  readonly step?: string | null
  /** It waits for a person to start it. */
  readonly isHeld?: boolean
}
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files'>
  readonly rows: Pick<BatchRows, 'find' | 'ended'>
  readonly jobs: Pick<Jobs, 'get'>
  readonly progress: BatchProgresses
  /** True if the job of an item is being created. */
  readonly isClaimed: (id: string) => boolean
  readonly clock: Pick<Clock, 'now'>
}

const NOTHING = { language: 0, languages: 1, fraction: 0 }

export function createBatchView({ core: { store, files }, rows, jobs, progress, isClaimed, clock }: Deps) {
  /** Stores how the job ended, because jobs are forgotten after a month. */
  async function current(item: BatchItem): Promise<BatchState> {
    if (item.end) return { item, status: item.end.status }
    const record = (await jobs.get(item.id))?.record ?? null
    if (record === null) {
      // Its dub may have been deleted from the history, or have got another film.
      const isThere = !item.held || store.dubs.find(item.id)?.sourceDigest === item.sourceDigest
      if (isClaimed(item.id) || (item.held && isThere)) return { item, status: 'queued', isHeld: item.held }
      const why = isThere ? 'The studio ended before the film was in the batch.' : 'The film was deleted before it was started.'
      return settled(item, 'failed', clock.now(), `${why} Add it again.`)
    }
    const { status, failure } = record.job
    // It can be tried again.
    if (status === 'failed' && isSetAside(record.job))
      return { item: { ...item, end: { status, finishedAt: record.finishedAt ?? clock.now(), error: failure?.message ?? null } }, status }
    if (status === 'pending') return { item, status: item.startedAt === null ? 'queued' : 'running' }
    if (status === 'running') return { item, status, step: record.step?.name ?? null }
    return settled(item, status, record.finishedAt ?? clock.now(), failure?.message ?? null)
  }
  function settled(item: BatchItem, status: BatchEnd, finishedAt: number, error: string | null) {
    rows.ended(item.id, status, finishedAt, error)
    progress.forget(item.id)
    return { item: rows.find(item.id) ?? { ...item, end: { status, finishedAt, error } }, status }
  }

  function progressOf(id: string, { status, step }: BatchState, lines: number): BatchJob['progress'] {
    const segments = lines > 0 ? { segments_count: lines } : {}
    if (status === 'done') return { stage: 'done', percent: 100, ...segments }
    const found = status === 'running' ? progress.of(id) : null
    if (!found) {
      // After a restart, until the next step begins.
      const stage = BATCH_STAGES.find((one) => step?.startsWith(`${one} `)) ?? 'extract'
      return status === 'running' ? { stage, percent: batchPercent(stage, NOTHING), ...segments } : null
    }
    const { stage, percent, language, counts } = found
    return {
      stage,
      percent,
      ...(language !== null && { current_lang: language }),
      ...(counts && { current_segment: counts.current, total_segments: counts.total }),
      ...segments,
    }
  }

  /** `isWhole`: with its lines. */
  function form(state: BatchState, isWhole: boolean): BatchJob {
    const { item, status } = state
    const { id, end, outputs, warnings } = item
    const dub = store.dubs.find(id)
    const lines = dub ? store.segments.count(id) : 0
    return {
      id,
      status,
      filename: item.filename,
      video_path: files.pathOf(item.sourceDigest),
      langs: [...item.langs],
      voice_id: item.voiceId,
      preserve_bg: item.preserveBg,
      created_at: item.createdAt / 1000,
      started_at: item.startedAt === null ? null : item.startedAt / 1000,
      finished_at: end ? end.finishedAt / 1000 : null,
      error: end?.error ?? null,
      progress: progressOf(id, state, lines),
      ...(state.isHeld && { held: true as const }),
      ...(dub?.sound && { duration: secondsOf(dub.sound.durationUs) }),
      ...(dub && dub.sourceLang !== '' && { source_lang: dub.sourceLang }),
      ...(isWhole && lines > 0 && { segments: store.segments.list(id).map(lineRow) }),
      ...(dub &&
        Object.keys(outputs).length > 0 && {
          outputs: Object.fromEntries(Object.entries(outputs).map(([language, file]) => [language, files.pathOf(file)])),
        }),
      ...(warnings.length > 0 && { warnings: [...warnings] }),
    }
  }

  return { current, form }
}
