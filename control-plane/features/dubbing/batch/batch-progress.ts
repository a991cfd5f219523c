// Progress of the running item. Kept in memory: the first step after a restart sets it again.
import { type BatchStage, batchPercent } from './batch.rules.ts'

export type BatchPlace = {
  readonly stage: BatchStage
  /** Null in the stages that all languages share. */
  readonly language: string | null
  /** Positions, from 0 on, and how many there are. */
  readonly at: { readonly language: number; readonly languages: number; readonly step: number; readonly steps: number }
}
export type BatchCounts = { readonly current: number; readonly total: number }
export type BatchProgress = {
  readonly stage: BatchStage
  readonly percent: number
  readonly language: string | null
  /** Lines of the stage; null if it does not count them. */
  readonly counts: BatchCounts | null
}

export function createBatchProgress() {
  const running = new Map<string, BatchProgress>()
  return {
    /** `fraction`: 0 to 1 of the step; null while unknown. The percentage never falls. */
    report(id: string, { stage, language, at }: BatchPlace, fraction: number | null, counts: BatchCounts | null): void {
      const before = running.get(id)
      const percent = batchPercent(stage, {
        language: at.language,
        languages: at.languages,
        fraction: (at.step + (fraction ?? 0)) / Math.max(1, at.steps),
      })
      const isSame = before?.stage === stage && before.language === language
      running.set(id, {
        stage,
        language,
        percent: Math.max(before?.percent ?? 0, percent),
        counts: counts ?? (isSame ? before.counts : null),
      })
    },
    of: (id: string): BatchProgress | null => running.get(id) ?? null,
    forget: (id: string): void => void running.delete(id),
  }
}
export type BatchProgresses = ReturnType<typeof createBatchProgress>
