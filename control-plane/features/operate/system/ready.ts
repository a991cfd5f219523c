// The answer to GET /ready: the studio can take work.
import { statfs } from 'node:fs/promises'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'

type Deps = {
  readonly dataDir: string
  readonly jobs: Pick<Jobs, 'get'>
  readonly spaceOf?: (folder: string) => Promise<{ readonly bavail: number; readonly blocks: number; readonly bsize: number }>
}

/** Free space below which the next batch of the database may fail, or a hundredth of a small disk. */
const LEAST_FREE_BYTES = 64 * 1024 ** 2
const LEAST_FREE_SHARE = 0.01

/** Throws STORAGE_FULL for a disk without space for the database, NOT_READY for a database that cannot be read. */
export const createReady =
  ({ dataDir, jobs, spaceOf = statfs }: Deps) =>
  async (): Promise<{ readonly status: 'ready' }> => {
    const { bavail, blocks, bsize } = await spaceOf(dataDir)
    const free = bavail * bsize
    if (free < Math.min(LEAST_FREE_BYTES, blocks * bsize * LEAST_FREE_SHARE))
      throw new Failure('STORAGE_FULL', `The disk of the data folder has ${shortBytes(free)} left.`)
    await jobs.get('none').catch((cause: unknown) => {
      throw new Failure('NOT_READY', 'The database of the studio cannot be read.', { cause })
    })
    return { status: 'ready' }
  }
