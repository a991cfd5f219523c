// What is free where the models lie.
import { statfs } from 'node:fs/promises'

/** Null when nobody can tell. */
export const freeDiskIn = (folder: string): Promise<number | null> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  )
