// The recordings of kept transcripts: DATA_DIR/transcripts/<project>.<digest>. Each is a second name of the file that the job had, so it needs no
// space of its own while that is there. A recording goes with its project; the oldest go when they are too many, and the text stays.

import { createReadStream } from 'node:fs'
import { link, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ranged } from '#control-plane/http/contract/respond.ts'
import { fileIn, privateFolder, syncPath } from '#shared/runtime/file.ts'

export type KeptSound = { readonly path: string; readonly digest: string; readonly bytes: number }
type Deps = {
  readonly dataDir: string
  /** True for a project that exists or may come back. */
  readonly isKnown: (project: string) => boolean
  readonly mostBytes?: number
}
/** All of them together. */
const MOST_BYTES = 50e9
const READ_BYTES = 256 * 1024

export function createKeptSounds({ dataDir, isKnown, mostBytes = MOST_BYTES }: Deps) {
  const folder = privateFolder(join(dataDir, 'transcripts'))

  async function find(project: string): Promise<KeptSound | null> {
    const name = (await readdir(folder)).find((one) => one.startsWith(`${project}.`))
    if (name === undefined) return null
    const path = fileIn(folder, name)
    const found = await stat(path).catch(() => null)
    return found && { path, digest: name.slice(project.length + 1), bytes: found.size }
  }

  /** `newest`: a recording that came now; the times of files are coarse */
  async function sweep(newest: string = ''): Promise<void> {
    const kept: { readonly path: string; readonly at: number; readonly bytes: number }[] = []
    for (const name of await readdir(folder)) {
      const path = fileIn(folder, name)
      const found = isKnown(name.split('.')[0]!) ? await stat(path).catch(() => null) : null
      if (found) kept.push({ path, at: path === newest ? Number.POSITIVE_INFINITY : found.ctimeMs, bytes: found.size })
      else await rm(path, { force: true })
    }
    let bytes = 0
    for (const one of kept.sort((left, right) => right.at - left.at)) {
      bytes += one.bytes
      if (bytes > mostBytes) await rm(one.path, { force: true })
    }
  }

  async function put(project: string, digest: string, place: (to: string) => Promise<void>): Promise<void> {
    const before = await find(project)
    if (before?.digest === digest) return
    const to = fileIn(folder, `${project}.${digest}`)
    await place(to)
    await syncPath(folder)
    if (before) await rm(before.path, { force: true })
    await sweep(to)
  }

  return {
    find,
    sweep: () => sweep(),
    /** Gives a file a second name. Without effect for a file that is gone, and on a disk without such names. */
    async keep(project: string, digest: string, path: string): Promise<void> {
      await put(project, digest, async (to) => await link(path, to)).catch(() => {})
    },
    /** Moves a file here, in place of an earlier recording. */
    replace: (project: string, digest: string, path: string): Promise<void> =>
      put(project, digest, async (to) => {
        await syncPath(path)
        await rename(path, to)
      }),
    /** Another name of the recording, for a dub that takes it. Throws the error of the disk. */
    lend: (sound: KeptSound, to: string): Promise<void> => link(sound.path, to),
    ranged: ({ path, bytes }: KeptSound): Ranged => ({
      size: bytes,
      read: (start, end) => createReadStream(path, { start, end, highWaterMark: READ_BYTES }),
    }),
  }
}
