// Who waits when the processor is short: children that compute, never the loops that answer, watch leases and carry sound.
import { constants, setPriority } from 'node:os'

/** Puts a child behind the loops of both programs. One that could not be started or has ended already is nobody's loss. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Ended in between, or the system does not allow it: then it competes as before.
  }
}
