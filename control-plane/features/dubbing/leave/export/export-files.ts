// Finished exports as files of the store: found by what they are made from, or made once for all who ask.
import { createReadStream } from 'node:fs'
import { z } from 'zod'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { DubFile } from '#control-plane/features/dubbing/store/files/file.store.ts'
import type { Ranged } from '#control-plane/http/contract/respond.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { ExportRuns } from './export-runs.ts'

const READ_BYTES = 256 * 1024
/** Milliseconds for which a result of lower quality is reused: ranges that a client requests one after another must be of the same file. */
const WORSE_MS = 3600_000
const Detail = z.object({
  warning: z.string().nullable(),
  notices: z.array(z.string()),
  /** Time (epoch ms) from which a result of lower quality is made again; null for others. */
  againAt: z.number().nullable().default(null),
})
/** `warning`: the value of X-Dub-Export-Warning. `notices`: what the export lacks, as sentences. */
export type ExportDetail = Pick<z.output<typeof Detail>, 'warning' | 'notices'> & {
  /** Something failed, and another attempt may succeed. */
  readonly isWorse?: boolean
}
export type ExportedFile = ExportDetail & {
  readonly path: string
  /** Digest of everything that it is made from. */
  readonly key: string
  readonly file: Ranged
  /** The name that users see. */
  readonly name: string
  readonly type: string
}
export type ExportRequest = {
  readonly dubId: string
  readonly key: string
  readonly kind: 'export' | 'preview'
  readonly name: string
  readonly type: string
  readonly waitMs: number
}
type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files'>
  readonly runs: ExportRuns<DubFile>
  readonly clock: Pick<Clock, 'now'>
}
export type ExportFiles = ReturnType<typeof createExportFiles>

export function createExportFiles({ core: { store, files }, runs, clock }: Deps) {
  const detailOf = ({ detail }: DubFile) => Detail.parse(JSON.parse(detail))
  const detailText = ({ isWorse = false, warning, notices }: ExportDetail): string =>
    JSON.stringify({ warning, notices, againAt: isWorse ? clock.now() + WORSE_MS : null } satisfies z.output<typeof Detail>)

  async function find(key: string): Promise<DubFile | null> {
    const stored = await files.find(key)
    const againAt = stored && detailOf(stored).againAt
    if (againAt === null || clock.now() < againAt) return stored
    await files.remove([key])
    return null
  }

  return {
    /** Throws as `ExportRuns.join`, what `make` throws, and STORAGE_FULL. */
    async obtain(
      { dubId, key, kind, name, type, waitMs }: ExportRequest,
      make: (to: string, signal: AbortSignal) => Promise<ExportDetail>,
      signal: AbortSignal,
    ): Promise<ExportedFile> {
      const run = (stopping: AbortSignal) =>
        files.obtain(key, { kind, maker: dubId }, dubId, async (to, own) => detailText(await make(to, own)), stopping)
      const stored = (await find(key)) ?? (await runs.join({ dubId, key, waitMs }, run, signal))
      files.use(dubId, key)
      const { warning, notices } = detailOf(stored)
      store.dubs.noteExport(dubId, warning)
      return { warning, notices, key, path: files.pathOf(key), name, type, file: rangedFile(files.pathOf(key), stored.bytes) }
    },
  }
}

export const rangedFile = (path: string, size: number): Ranged => ({
  size,
  read: (start, end) => createReadStream(path, { start, end, highWaterMark: READ_BYTES }),
})
