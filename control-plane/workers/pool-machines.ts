// The machines of pools in the audit log: names that were added and removed, at most one entry a minute for each pool, so that a pool whose
// machines come and go can't fill the disk.
import type { Audit } from '#control-plane/audit/audit.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { DeclaredPool } from './pool-terms.ts'

type Deps = { readonly audit: Pick<Audit, 'record'>; readonly clock: Pick<Clock, 'mono'> }
type Names = DeclaredPool['names']

const ENTRY_EVERY_MS = 60_000
/** Names in one entry, of added and removed machines together. */
export const NAMES_IN_ENTRY = 20

/** The change between two lists of names for people; `more`: changed names that are left out. Null without a change. */
export function machineChange(was: Names, now: Names): { added: string[]; removed: string[]; more: number } | null {
  if (was === null || now === null) return null
  const [before, after] = [new Set(was), new Set(now)]
  const added = now.filter((name) => !before.has(name))
  const removed = was.filter((name) => !after.has(name))
  if (added.length + removed.length === 0) return null
  // Half of the room for each, and the rest of one for the other.
  const half = NAMES_IN_ENTRY / 2
  const shownAdded = added.slice(0, Math.max(half, NAMES_IN_ENTRY - removed.length))
  const shownRemoved = removed.slice(0, NAMES_IN_ENTRY - shownAdded.length)
  return { added: shownAdded, removed: shownRemoved, more: added.length + removed.length - shownAdded.length - shownRemoved.length }
}

export function createPoolMachines({ audit, clock }: Deps) {
  const recordedAt = new Map<string, number>()
  /** Declarations whose change waits for its entry. */
  const waiting = new Map<string, DeclaredPool>()
  const isLimited = (id: string) => clock.mono() - (recordedAt.get(id) ?? Number.NEGATIVE_INFINITY) < ENTRY_EVERY_MS
  return {
    /** Takes the declarations whose change may have its entry now. */
    due(): [id: string, pool: DeclaredPool][] {
      const due = [...waiting].filter(([id]) => !isLimited(id))
      for (const [id] of due) waiting.delete(id)
      return due
    },
    /** The names to keep after a description: those of `now` if the change has its entry, else those of `was` until it has. */
    record(id: string, was: DeclaredPool, now: DeclaredPool): Names {
      const change = machineChange(was.names, now.names)
      const isUncounted = (was.names === null || now.names === null) && was.machines !== now.machines
      waiting.delete(id)
      if (change === null && !isUncounted) return now.names
      if (isLimited(id)) {
        waiting.set(id, now)
        return was.names
      }
      recordedAt.set(id, clock.mono())
      audit.record('pool-machines', id, { ...change, machines: now.machines })
      return now.names
    },
  }
}
