// Finds files that other users could change, before they are run as this user. A path is safe when every folder of it, links resolved, and
// the file itself belong to this user or to root, and none of them can be written by others. Sticky folders such as /tmp are an exception:
// others cannot replace the entries of this user there.
import { lstatSync, readdirSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { quoted } from './quoted.ts'

/** The problem, as a sentence, and its remedy. */
export type ForeignAccess = { readonly problem: string; readonly remedy: string }

const ROOT = 0
const ADMIN_GROUP_OF_MACOS = 80
const MAX_ENTRIES = 200_000

/** Null when only this user and root can change `path`. Throws the error of the system when it does not exist. */
export function foreignAccess(path: string): ForeignAccess | null {
  const real = realpathSync(path)
  for (const part of partsOf(real)) {
    const found = foreignEntry(part, lstatSync(part), part === real ? real : null)
    if (found) return found
  }
  return null
}

/** The same for everything in the folder `root`, without the folders that `isSkipped`. Links may lead anywhere where the target is safe. */
export function foreignAccessBelow(root: string, isSkipped: (path: string) => boolean): ForeignAccess | null {
  const top = realpathSync(root)
  const waiting = [top]
  let entries = 0
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (isSkipped(path)) continue
      if (++entries > MAX_ENTRIES)
        return { problem: `${root} has more than ${MAX_ENTRIES} files.`, remedy: 'Choose the folder of the program itself.' }
      const stats = lstatSync(path)
      const found = stats.isSymbolicLink() ? foreignTarget(path) : foreignEntry(path, stats, top)
      if (found) return found
      if (stats.isDirectory()) waiting.push(path)
    }
  }
  return null
}

function foreignTarget(link: string): ForeignAccess | null {
  try {
    return foreignAccess(link)
  } catch {
    return { problem: `${link} is a link to a file that does not exist.`, remedy: `Remove it: rm ${quoted(link)}` }
  }
}

/** `tree`: the remedy is for all of it; null for a parent. */
function foreignEntry(path: string, { uid, gid, mode }: Stats, tree: string | null): ForeignAccess | null {
  const user = process.getuid?.()
  if (user === undefined) return null
  if (uid !== user && uid !== ROOT)
    return {
      problem: `${path} belongs to another user (uid ${uid}).`,
      remedy: `Check it, then copy it to a folder of your own, or run: sudo chown -R ${user} ${quoted(path)}`,
    }
  const isSticky = (mode & 0o1000) !== 0
  const byGroup = (mode & 0o020) !== 0 && !isAdminGroup(gid)
  if (!(byGroup || (mode & 0o002) !== 0) || (tree === null && isSticky)) return null
  return {
    problem: `Other users can change ${path} (mode ${(mode & 0o7777).toString(8)}).`,
    remedy: `Run: chmod ${tree === null ? 'go-w' : '-R go-w'} ${quoted(tree ?? path)}`,
  }
}

/** Groups whose members can become root anyway. */
const isAdminGroup = (gid: number): boolean => gid === ROOT || (process.platform === 'darwin' && gid === ADMIN_GROUP_OF_MACOS)

/** The path and its parents, the root first. */
function partsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [...partsOf(parent), path]
}
