// The disk space that the files of one noun may use: its own limit, and the space that always stays free for the database. A device that may
// add files could fill the disk otherwise.
import { Failure } from '#shared/protocol/failure.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import { type DiskSpace, readSpace, reserveOf } from '../disk-budget.ts'

export type StorageRoom = {
  /** Call before a file is stored. Rejects with STORAGE_FULL and what to do about it. */
  readonly take: (bytes: number) => Promise<void>
}
type Deps = {
  /** A folder on the disk of the files. */
  readonly folder: string
  /** Bytes of the stored files. It may read every row, so it is asked rarely. */
  readonly stored: () => number
  readonly mostGigabytes: () => number
  /** Such as "The recordings of voices". */
  readonly what: string
  /** Such as "Delete voices that are not needed, or raise the setting voices.most_gigabytes." */
  readonly wayOut: string
  readonly spaceOf?: (folder: string) => Promise<DiskSpace>
}

const GIGABYTE = 1e9

export function createStorageRoom({ folder, stored, mostGigabytes, what, wayOut, spaceOf = readSpace }: Deps): StorageRoom {
  /** At least the stored bytes: what is taken counts before its row is written, and after it was deleted until the rows are read again. */
  let used: number | null = null
  return {
    async take(bytes) {
      const most = mostGigabytes() * GIGABYTE
      if (used === null || used + bytes > most) used = stored()
      if (used + bytes > most)
        // The usual hint speaks of a full disk.
        throw new Failure('STORAGE_FULL', `${what} use ${(used / GIGABYTE).toFixed(1)} of ${mostGigabytes()} GB. ${wayOut}`, {
          hint: wayOut,
        })
      used += bytes
      const { free, size } = await spaceOf(folder)
      if (free - bytes < reserveOf(size))
        throw new Failure('STORAGE_FULL', `The disk of the studio has ${shortBytes(free)} left. ${wayOut}`)
    },
  }
}
