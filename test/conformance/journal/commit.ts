// A batch of a few rows, given to a journal without a group commit.
import { type CommitOutcome, emptyWrites, type Journal, type Writes } from '#control-plane/store/journal.ts'
import { Failure } from '#shared/protocol/failure.ts'

/** Rows by id, in the form of `Writes`. */
export const byId = <Row extends { readonly id: string }>(...rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))
export const writesOf = (rows: Partial<Writes>): Writes => ({ ...emptyWrites(), ...rows })
/** End of a batch that was not written. `taskSeq`: as in `defect`; absent from other ends. */
export type Refusal = { readonly by: 'failed' | 'defect' | 'fenced'; readonly failure: Failure | null; readonly taskSeq?: number | null }

/** Resolves with null when the batch is durable, otherwise with its end. The calls arrive in `calls`; a batch without an answer is committed again. */
export const answerTo = (journal: Journal, rows: Partial<Writes>, calls: string[] = []): Promise<Refusal | null> =>
  new Promise((resolve) => {
    const writes = writesOf(rows)
    const end = (refusal: Refusal) => {
      calls.push(refusal.by)
      resolve(refusal)
    }
    const outcome: CommitOutcome = {
      written: () => void calls.push('written'),
      durable() {
        calls.push('durable')
        resolve(null)
      },
      failed: (failure) => end({ by: 'failed', failure }),
      defect: (error, taskSeq) => end({ by: 'defect', failure: Failure.from(error, 'INTERNAL'), taskSeq }),
      unknown() {
        calls.push('unknown')
        return (isWritten) => {
          calls.push(isWritten ? 'it was written' : 'it was not written')
          if (isWritten) resolve(null)
          else journal.commit(writes, outcome)
        }
      },
      fenced: () => end({ by: 'fenced', failure: null }),
    }
    journal.commit(writes, outcome)
  })

/** Resolves when the batch is durable; rejects with the failure. */
export async function commit(journal: Journal, rows: Partial<Writes>, calls: string[] = []): Promise<void> {
  const refusal = await answerTo(journal, rows, calls)
  if (refusal) throw refusal.failure ?? new Error('another process writes')
}
