// The harness that a journal needs to be tested. Each body writes one file like sqlite.test.ts, which gives its harness to the suites.
import type { TestContext } from 'node:test'
import type { OpenedJournal } from '#control-plane/store/journal.ts'
import type { EventRow } from '#control-plane/store/rows.ts'

export type JournalHarness = {
  /** Opens the journal of this test; after `crash` the same one again. */
  readonly open: () => Promise<OpenedJournal>
  /** The process ends: what was not written is lost. */
  readonly crash: () => Promise<void>
  /** From now on every write fails for lack of room, or succeeds again. */
  readonly setDiskFull: (isFull: boolean) => Promise<void>
  /** Every event that was written, in order. */
  readonly events: () => Promise<readonly EventRow[]>
}
export type JournalFactory = (t: TestContext) => JournalHarness

/** For a journal whose database is behind a connection. */
export type DistantHarness = JournalHarness & {
  /** The connection breaks once, under the next batch: its rows were written, or they were not. */
  readonly loseAnswer: (isWritten: boolean) => Promise<void>
  /** Another process takes over, which the journal has not noticed. */
  readonly takeOver: () => Promise<void>
}
export type DistantFactory = (t: TestContext) => DistantHarness
