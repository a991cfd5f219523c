// Free space in the folder of the models.
import { statfs } from 'node:fs/promises'

/** Free bytes; null if the system does not report them. */
export const freeDiskIn = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )
