// Finished exports as files of the store: found by what they are made from, or made once for all who ask.
import { createReadStream } from 'node:fs'
import { z } from 'zod'
import type { DubCore } from '../core.ts'
import type { DubFile } from '../files/file.store.ts'
import type { Ranged } from '../reading/byte-range.ts'
import type { ExportRuns } from './export-runs.ts'

const READ_BYTES = 256 * 1024
const Detail = z.object({ warning: z.string().nullable(), notices: z.array(z.string()) })
/** `warning`: the value of X-Dub-Export-Warning. `notices`: what the export lacks, as sentences. */
export type ExportDetail = z.output<typeof Detail>
export type ExportedFile = ExportDetail & {
  readonly path: string
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
type Deps = { readonly core: Pick<DubCore, 'store' | 'files'>; readonly runs: ExportRuns<DubFile> }
export type ExportFiles = ReturnType<typeof createExportFiles>

export const createExportFiles = ({ core: { store, files }, runs }: Deps) => ({
  /** Throws as `ExportRuns.join`, what `make` throws, and STORAGE_FULL. */
  async obtain(
    { dubId, key, kind, name, type, waitMs }: ExportRequest,
    make: (to: string, signal: AbortSignal) => Promise<ExportDetail>,
    signal: AbortSignal,
  ): Promise<ExportedFile> {
    const run = (stopping: AbortSignal) =>
      files.obtain(key, { kind, maker: dubId }, dubId, async (to, own) => JSON.stringify(await make(to, own)), stopping)
    const stored = (await files.find(key)) ?? (await runs.join({ dubId, key, waitMs }, run, signal))
    files.use(dubId, key)
    const detail = Detail.parse(JSON.parse(stored.detail))
    store.dubs.changeOptions(dubId, { last_export_warning: detail.warning })
    const path = files.pathOf(key)
    const read = (start: number, end: number) => createReadStream(path, { start, end, highWaterMark: READ_BYTES })
    return { ...detail, path, name, type, file: { size: stored.bytes, read } }
  },
})
