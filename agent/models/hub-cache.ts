// A cache that other programs keep in the layout of the Hugging Face hub: what lies there need not be fetched again. It is somebody else's
// folder: nothing in it is believed before its digest is, and nothing in it is changed.
import { constants, realpathSync, statSync } from 'node:fs'
import { copyFile, link } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { withKind } from './address.ts'
import type { ResolvedFile } from './listing.ts'

/** Where a file of this size and name would lie, or null. `cache`: the folder with `models--owner--name` and `spaces--owner--name` in it. */
export function findCached(cache: string | null, { repo, revision, remotePath, size, digest }: ResolvedFile): string | null {
  if (cache === null) return null
  const home = join(cache, withKind(repo).replaceAll('/', '--'))
  for (const place of [join(home, 'snapshots', revision, remotePath), join(home, 'blobs', digest.hex)]) {
    try {
      const path = realpathSync(place)
      // A link that leads out of the cache is not the hub's.
      if (!path.startsWith(realpathSync(home) + sep)) continue
      const found = statSync(path)
      if (found.isFile() && found.size === size) return path
    } catch {} // not there, or not for us
  }
  return null
}

/** A second name for the file where the disk allows it, a copy otherwise. Throws when neither can be made. */
export const takeFrom = (path: string, to: string): Promise<void> =>
  link(path, to).catch(() => copyFile(path, to, constants.COPYFILE_FICLONE))
