// The candidates of the running studio. A worker is read again after something about it has changed, and once more just before it gets a task:
// a change that was not reported costs a little time, never a task on a machine that may not have it.

import type { Ledger } from '#control-plane/tasks/ledger.ts'
import type { Change } from '#control-plane/tasks/record.ts'
import type { Worker, WorkerStore } from '#control-plane/workers/worker.store.ts'
import { AWAY_PATIENCE_MS } from '#shared/protocol/backoff.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type Candidates, createCandidates } from './candidates.ts'
import type { WorkerView } from './worker-view.ts'

export type LiveCandidates = ReturnType<typeof createLiveCandidates>
type Deps = {
  readonly workers: Pick<WorkerStore, 'all' | 'get' | 'onChanged'>
  readonly ledger: Pick<Ledger, 'onStaged' | 'onUndone'>
  readonly clock: Pick<Clock, 'mono'>
  readonly view: (worker: Worker) => WorkerView
  /** True if the owner allows other machines than this one. */
  readonly remoteOn: () => boolean
}

export function createLiveCandidates({ workers, ledger, clock, view, remoteOn }: Deps) {
  const changed = new Set<string>()
  /** Workers whose state changes with the time alone, and the monotonic time of it. */
  const changesAt = new Map<string, number>()
  let wasRemoteOn: boolean | null = null
  const { candidates, put, remove } = createCandidates((_slot, id) => read(id))

  function read(id: string): void {
    const worker = workers.get(id)
    changesAt.delete(id)
    if (!worker || worker.revokedAt !== null) return remove(id)
    const seen = view(worker)
    put(seen)
    if (seen.cooling) changesAt.set(id, clock.mono())
    else if (seen.session === null && seen.awayMs <= AWAY_PATIENCE_MS) changesAt.set(id, clock.mono() + AWAY_PATIENCE_MS - seen.awayMs)
  }

  const touch = (id: string | null | undefined) => void (id && changed.add(id))
  function touchAll(): void {
    for (const { id } of workers.all()) changed.add(id)
  }

  workers.onChanged(touch)
  ledger.onStaged(({ task }, before) => {
    touch(task.workerId)
    touch(before?.workerId)
  })
  ledger.onUndone(touchAll)

  return {
    /** Something about the worker has changed that only its session or its breakers know. */
    touch,
    /** Called with changes after the followers that measure or judge the workers. */
    follow(changes: readonly Change[]): void {
      for (const { record, before } of changes) touch(record.task.workerId ?? before?.workerId)
    },
    /** Reads what has changed since the last call. */
    current(): Candidates {
      const isRemoteOn = remoteOn()
      if (isRemoteOn !== wasRemoteOn) touchAll()
      wasRemoteOn = isRemoteOn
      const now = clock.mono()
      for (const [id, at] of changesAt) if (at <= now) changed.add(id)
      const ids = [...changed]
      changed.clear()
      for (const id of ids) read(id)
      return candidates
    },
  }
}
