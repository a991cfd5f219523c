// Finds installed programs, and signals and deprioritises child processes.
import type { ChildProcess } from 'node:child_process'
import { accessSync, constants, readlinkSync, statSync } from 'node:fs'
import { setPriority, constants as systemConstants } from 'node:os'
import { basename, delimiter, join } from 'node:path'

/** The path of a program on a PATH string, or null. Skips empty entries, which would mean the current folder. */
export function findProgram(name: string, path = ''): string | null {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const candidate = join(folder, name)
    try {
      accessSync(candidate, constants.X_OK)
      if (statSync(candidate).isFile()) return candidate
    } catch {
      // Not in this folder.
    }
  }
  return null
}

/**
 * Sends the signal if the child has a process. For a child that could not be started the library may still hold pid 0, which would signal our
 * own process group, including the studio and its agent.
 */
export function signalChild(child: Pick<ChildProcess, 'pid' | 'kill'>, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) child.kill(signal)
}

/** Lowers the priority of a computing child below the event loops of both programs. Ignores a child that has no process. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, systemConstants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // The child has ended, or the system forbids it; the priority then stays normal.
  }
}

/**
 * Lowers the priority of the thread that calls it below that of computing children, so that engines do not wait for it. Only Linux has a priority
 * for each thread; elsewhere it stays normal.
 */
export function lowerThreadPriority(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), systemConstants.priority.PRIORITY_LOW)
  } catch {
    // Not Linux, or the system forbids it.
  }
}
