// A batch of a few rows, given to a journal without a group commit.
import { emptyWrites, type Journal, type Writes } from '#control-plane/store/journal.ts'
import type { Failure } from '#shared/protocol/failure.ts'

/** Rows by id, in the form of `Writes`. */
export const byId = <Row extends { readonly id: string }>(...rows: readonly Row[]): Map<string, Row> =>
  new Map(rows.map((row) => [row.id, row]))
export const writesOf = (rows: Partial<Writes>): Writes => ({ ...emptyWrites(), ...rows })
/** Resolves when the batch is durable; rejects with the failure. The calls arrive in `calls`. */
export const commit = (journal: Journal, rows: Partial<Writes>, calls: string[] = []): Promise<void> =>
  new Promise((resolve, reject) => {
    journal.commit(writesOf(rows), {
      written: () => void calls.push('written'),
      durable() {
        calls.push('durable')
        resolve()
      },
      failed(failure: Failure) {
        calls.push('failed')
        reject(failure)
      },
    })
  })
