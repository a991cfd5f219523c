// The breakers that have tripped, as rows. A breaker reports what was observed and not what was decided, so a row that could not be
// written does not put the breaker back: only a restart would return to the row before it.

import type { GroupCommit, StagedChange } from '#control-plane/store/group-commit.ts'
import type { JournalState } from '#control-plane/store/journal.ts'
import type { BreakerRow } from '#control-plane/store/rows.ts'
import type { Log } from '#shared/runtime/log.ts'

export type BreakerStore = ReturnType<typeof createBreakerStore>
type Deps = { readonly state: Pick<JournalState, 'breakers'>; readonly commits: Pick<GroupCommit, 'stage'>; readonly log: Log }

export function createBreakerStore({ state, commits, log }: Deps) {
  const stage = (workerId: string, write: StagedChange['write']) =>
    commits.stage({
      write,
      undo: ({ message }) => log.warn({ workerId, err: message }, 'the state of a breaker was not written'),
    })
  return {
    /** Breakers at the start. */
    all: (): readonly BreakerRow[] => state.breakers,
    put: (row: BreakerRow): void => stage(row.workerId, ({ breakers }) => void breakers.set(`${row.workerId} ${row.modelKey}`, row)),
    /** Removes every breaker of the worker. */
    remove(workerId: string): void {
      stage(workerId, ({ breakers, clearedBreakers }) => {
        for (const [key, row] of breakers) if (row.workerId === workerId) breakers.delete(key)
        clearedBreakers.add(workerId)
      })
    },
  }
}
