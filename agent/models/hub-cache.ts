// A cache of other programs in the layout of the Hugging Face hub, whose files need no download. It belongs to others: files are used only
// after their digest was verified, and never changed.
import { realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { withKind } from '#shared/download/hub.ts'
import type { ResolvedFile } from './listing.ts'

/** Path of a cached file with this name and size, or null. `cache` is the folder that contains `models--owner--name`. */
export function findCached(cache: string | null, { repo, revision, remotePath, size, digest }: ResolvedFile): string | null {
  if (cache === null) return null
  const home = join(cache, withKind(repo).replaceAll('/', '--'))
  for (const place of [join(home, 'snapshots', revision, remotePath), join(home, 'blobs', digest.hex)]) {
    try {
      const path = realpathSync(place)
      // A link that leads out of the cache does not belong to the hub.
      if (!path.startsWith(realpathSync(home) + sep)) continue
      const found = statSync(path)
      if (found.isFile() && found.size === size) return path
    } catch {} // missing or unreadable
  }
  return null
}
