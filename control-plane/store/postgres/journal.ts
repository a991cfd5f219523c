// The journal on PostgreSQL. One batch is one statement, every part of which is conditional on the term, and it is durable when it is
// answered. Reads have connections of their own.
import type { CommitOutcome, Journal, OpenedJournal, Writes } from '../journal.ts'
import { createArtifactRows, createSealedRows } from './kept-rows.ts'
import { createWriteLine, type LineDeps } from './line.ts'
import { createJobReadsOf, JOB_PURGES } from './read/job-reads.ts'
import { openReadConnections } from './read/readers.ts'
import { readStateOf } from './read/state.ts'
import { createTaskReads, PURGE_KEYS, PURGES } from './read/task-reads.ts'

export type OpenedPostgres = OpenedJournal & {
  readonly sealed: ReturnType<typeof createSealedRows>
  readonly artifacts: ReturnType<typeof createArtifactRows>
  /** Hands the cell over to the next writer. */
  readonly release: () => Promise<void>
}

/** Reads the state of the cell whose term `hold` has. Throws errors of the connection. */
export async function openPostgresJournal(deps: LineDeps): Promise<OpenedPostgres> {
  const { url, connection, hold, clock } = deps
  const { cell } = hold.fence()
  const state = await readStateOf(connection, cell)
  const line = createWriteLine(deps)
  const readers = openReadConnections(url, clock)

  async function write(writes: Writes, outcome: CommitOutcome): Promise<void> {
    const answer = await line.send(writes)
    switch (answer?.by) {
      case 'written':
        outcome.written()
        return outcome.durable()
      case 'failed':
        return outcome.failed(answer.failure)
      case 'defect':
        return outcome.defect(answer.error, answer.taskSeq)
      case 'fenced':
        return outcome.fenced()
      case 'unknown': {
        const resolve = outcome.unknown()
        const isWritten = await answer.found
        if (isWritten !== null) return resolve(isWritten)
        if (hold.isLost()) outcome.fenced()
      }
    }
  }

  /** Runs a statement on condition of the term. */
  async function held<Row>(text: string, values: readonly unknown[]): Promise<Row | null> {
    const { term, writer } = hold.fence()
    const [row] = await readers.ask<Row>({ text, values: [cell, term, writer, ...values] })
    return row ?? null
  }
  const remove = async (text: string, before: number) => (await held<{ n: number }>(text, [before]))?.n ?? 0

  async function purgeKeys(keys: string, before: number): Promise<void> {
    let from: string | null = keys
    while (from !== null) {
      const row: { last: string | null } | null = await held(PURGE_KEYS, [before, from, `${keys}\u{10ffff}`])
      from = row?.last ? `${row.last}\u0001` : null
    }
  }

  const journal: Journal = {
    commit: (writes, outcome) => void write(writes, outcome),
    allowsEarlyOffers: false,
    readiness() {
      if (hold.isLost()) return 'standby'
      return line.isReady() ? 'ready' : 'suspended'
    },
    ...createTaskReads(readers.ask, cell),
    async purge(before, also) {
      if (also) await purgeKeys(also.keys, also.before)
      for (const text of PURGES) while ((await remove(text, before)) > 0);
    },
    jobs: {
      ...createJobReadsOf(readers.ask, cell),
      async purge(jobsBefore, resultsBefore) {
        const moments = [jobsBefore, resultsBefore, resultsBefore]
        for (const [index, text] of JOB_PURGES.entries()) await remove(text, moments[index]!)
      },
    },
    async close() {
      line.close()
      readers.close()
    },
  }
  const kept = { ask: readers.ask, hold }
  return { journal, state, sealed: createSealedRows(kept), artifacts: createArtifactRows(kept), release: line.release }
}
