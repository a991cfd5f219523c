// The answer to GET /ready: the studio can take work. Every caller may ask, so answers are kept for a moment and have no figures.
import { statfs } from 'node:fs/promises'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { createGuard } from './overview/guarded.ts'

type Disk = { readonly bavail: number; readonly blocks: number; readonly bsize: number }
type Ready = { readonly status: 'ready' }
type Deps = {
  readonly dataDir: string
  readonly jobs: Pick<Jobs, 'get'>
  readonly clock: Pick<Clock, 'after' | 'mono'>
  readonly spaceOf?: (folder: string) => Promise<Disk>
}

/** Free space below which the next batch of the database may fail, or a hundredth of a small disk. */
const LEAST_FREE_BYTES = 64 * 1024 ** 2
const LEAST_FREE_SHARE = 0.01
const KEPT_MS = 1_000

/** Throws STORAGE_FULL for a disk without space for the database, NOT_READY for a disk or a database that cannot be read. */
export function createReady({ dataDir, jobs, clock, spaceOf = statfs }: Deps): () => Promise<Ready> {
  let answer: Promise<Ready> | null = null
  let lookedAt = Number.NEGATIVE_INFINITY
  /** One at a time: each on a disk that hangs takes a thread from all others. */
  let looking: Promise<Disk> | null = null

  async function look(): Promise<Ready> {
    looking ??= spaceOf(dataDir).finally(() => {
      looking = null
    })
    const disk = await createGuard(clock).value('disk', null, () => looking)
    if (disk === null) throw new Failure('NOT_READY', 'The disk of the data folder does not answer.')
    const { bavail, blocks, bsize } = disk
    if (bavail * bsize < Math.min(LEAST_FREE_BYTES, blocks * bsize * LEAST_FREE_SHARE))
      throw new Failure('STORAGE_FULL', 'The disk of the data folder is full.')
    await jobs.get('none').catch((cause: unknown) => {
      throw new Failure('NOT_READY', 'The database of the studio cannot be read.', { cause })
    })
    return { status: 'ready' }
  }

  return () => {
    if (answer === null || clock.mono() - lookedAt >= KEPT_MS) {
      lookedAt = clock.mono()
      answer = look()
    }
    return answer
  }
}
