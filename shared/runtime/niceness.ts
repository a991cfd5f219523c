// Priorities: computing children yield to the event loops that answer requests, watch leases and stream audio.
import { constants, setPriority } from 'node:os'

/** Lowers the priority of a child. Ignores a child that could not be started or has ended. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The child has ended, or the system forbids it; the priority then stays normal.
  }
}
