// The recordings of kept transcripts: DATA_DIR/transcripts/<project>.<digest>. Each is a second name of the file that the job had, so it needs no
// space of its own while that is there. A recording goes with its project; the oldest go when they are too many, and the text stays.

import { createReadStream } from 'node:fs'
import { link, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ranged } from '#control-plane/http/contract/respond.ts'
import { fileIn, privateFolder, syncPath } from '#shared/runtime/file.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'

export type KeptSound = { readonly path: string; readonly digest: string; readonly bytes: number }
type Kept = { readonly name: string; readonly path: string; readonly at: number; readonly bytes: number }
type Deps = {
  readonly dataDir: string
  /** True for a project that exists or may come back. */
  readonly isKnown: (project: string) => boolean
  readonly mostBytes?: number
}
/** All of them together. */
const MOST_BYTES = 50e9
const READ_BYTES = 256 * 1024
const projectOf = (name: string): string => name.split('.')[0]!

export function createKeptSounds({ dataDir, isKnown, mostBytes = MOST_BYTES }: Deps) {
  const folder = privateFolder(join(dataDir, 'transcripts'))

  /** Newest first. More than one are left by a kill, and by two browsers at once. */
  async function filesOf(project: string): Promise<Kept[]> {
    const found = await Promise.all((await readdir(folder)).filter((one) => projectOf(one) === project).map(facts))
    return found.filter((one) => one !== null).sort((left, right) => right.at - left.at)
  }
  async function facts(name: string): Promise<Kept | null> {
    const path = fileIn(folder, name)
    const found = await stat(path).catch(() => null)
    // Another name of the file that comes or goes changes only its ctime.
    return found && { name, path, at: found.mtimeMs, bytes: found.size }
  }

  async function find(project: string): Promise<KeptSound | null> {
    const newest = (await filesOf(project))[0]
    return newest ? { path: newest.path, digest: newest.name.slice(project.length + 1), bytes: newest.bytes } : null
  }

  /** `newest`: a recording that came now; the times of files are coarse */
  async function sweep(newest: string = ''): Promise<void> {
    const kept: Kept[] = []
    for (const name of await readdir(folder)) {
      const found = isKnown(projectOf(name)) ? await facts(name) : null
      if (found) kept.push(found.path === newest ? { ...found, at: Number.POSITIVE_INFINITY } : found)
      else await rm(fileIn(folder, name), { force: true })
    }
    let bytes = 0
    const seen = new Set<string>()
    for (const one of kept.sort((left, right) => right.at - left.at)) {
      const isReplaced = seen.has(projectOf(one.name))
      seen.add(projectOf(one.name))
      if (!isReplaced) bytes += one.bytes
      if (isReplaced || bytes > mostBytes) await rm(one.path, { force: true })
    }
  }

  /** One after the other: each removes what the one before it replaced. */
  const alone = createSerialQueue()
  async function put(project: string, digest: string, place: (to: string) => Promise<void>): Promise<void> {
    const before = await find(project)
    if (before?.digest === digest) return
    const to = fileIn(folder, `${project}.${digest}`)
    await place(to)
    await syncPath(folder)
    await sweep(to)
  }

  return {
    find,
    sweep: () => alone(() => sweep()),
    /** Gives a file a second name. Without effect for a file that is gone, and on a disk without such names. */
    async keep(project: string, digest: string, path: string): Promise<void> {
      await alone(() => put(project, digest, async (to) => await link(path, to))).catch(() => {})
    },
    /** Moves a file here, in place of an earlier recording. */
    replace: (project: string, digest: string, path: string): Promise<void> =>
      alone(() =>
        put(project, digest, async (to) => {
          await syncPath(path)
          await rename(path, to)
        }),
      ),
    /** Another name of the recording, for a dub that takes it. Throws the error of the disk. */
    lend: (sound: KeptSound, to: string): Promise<void> => link(sound.path, to),
    ranged: ({ path, bytes }: KeptSound): Ranged => ({
      size: bytes,
      read: (start, end) => createReadStream(path, { start, end, highWaterMark: READ_BYTES }),
    }),
  }
}
