// Where a program of this machine lies.
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
