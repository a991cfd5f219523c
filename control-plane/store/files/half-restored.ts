// The mark of a restore that was killed between its renames. It has the name of the database, so that no studio starts with a part of a backup.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

export const HALF_RESTORED = 'A restore into this folder was not completed. Empty the folder, then restore again.\n'

/** `folder`: a data folder. */
export function isHalfRestored(folder: string): boolean {
  const path = join(folder, 'studio.db')
  return statSync(path, { throwIfNoEntry: false })?.size === HALF_RESTORED.length && readFileSync(path, 'utf8') === HALF_RESTORED
}
