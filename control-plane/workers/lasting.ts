// Changes that take something away from a machine. They stay in force when their batch fails, because a full disk must not give back what a
// person took away: memory keeps them, and the next batch writes them again. Only the end of the process before that undoes them.
import type { GroupCommit, StagedChange } from '#control-plane/store/group-commit.ts'

type LastingChange = Pick<StagedChange, 'write'> & {
  /** Stages the entry of the audit log, which fails with the batch. */
  readonly record: () => void
}
export type Lasting = ReturnType<typeof createLasting>

export function createLasting(commits: Pick<GroupCommit, 'stage' | 'beforeCommit'>) {
  let unwritten: readonly LastingChange[] = [] // oldest first

  function stage(change: LastingChange): void {
    change.record()
    commits.stage({
      write: change.write,
      // Not staged at once: a full disk would be tried again without a pause. Undone in reverse order.
      undo() {
        unwritten = [change, ...unwritten]
      },
    })
  }
  commits.beforeCommit(() => {
    const again = unwritten
    unwritten = []
    for (const change of again) stage(change)
  })
  return { stage }
}
