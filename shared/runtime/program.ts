// Where a program of this machine lies, and how a child of ours is ended.
import type { ChildProcess } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where a program lies on a PATH string, or null. Empty entries are skipped: they would mean the current folder. */
export function findProgram(name: string, path = ''): string | null {
  for (const folder of path.split(delimiter).filter(Boolean)) {
    const candidate = join(folder, name)
    try {
      accessSync(candidate, constants.X_OK)
      if (statSync(candidate).isFile()) return candidate
    } catch {
      // Not here: most folders of a PATH do not hold the program.
    }
  }
  return null
}

/**
 * Sends the signal, if the child has a process. Of one that could not be started the library still has a number, until it says so, that nobody
 * has set: seen was 0, which means our own group, the studio and its agent included.
 */
export function signalChild(child: Pick<ChildProcess, 'pid' | 'kill'>, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) child.kill(signal)
}
