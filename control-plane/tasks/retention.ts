// Keeps ended tasks for a week, and their inputs only as long as the task has not ended. A task with an idempotency key keeps its row for
// ever, because the key must stand for the same task for ever. The tasks that a pool runs for studios are kept for an hour: the studios keep them.
import type { Journal } from '#control-plane/store/journal.ts'
import type { Ledger } from './ledger.ts'

export type Retention = ReturnType<typeof createRetention>
/** Beginning of the keys of tasks that a pool runs for studios. The key of a caller has no space. */
export const RELAYED_KEY = 'relay '
const HOUR_MS = 3600_000
const WEEK_MS = 7 * 24 * 3600_000

export function createRetention({ journal, ledger }: { readonly journal: Journal; readonly ledger: Pick<Ledger, 'live'> }) {
  let purgedAt = 0
  return {
    /** `at`: epoch milliseconds. Rejects with STORAGE_FULL. */
    async purge(at: number): Promise<void> {
      purgedAt = at
      await journal.purge(at - WEEK_MS, { keys: RELAYED_KEY, before: at - HOUR_MS })
    },
    /** Returns those of `digests` that a kept task needs, as a result or as an input. */
    async names(digests: readonly string[]): Promise<ReadonlySet<string>> {
      const results = await journal.resultFilesAmong(digests, purgedAt - WEEK_MS)
      const inputs = [...ledger.live()].flatMap(({ spec }) => (spec.inputs ?? []).map(({ sha256 }) => sha256))
      return new Set([...results, ...inputs])
    },
  }
}
