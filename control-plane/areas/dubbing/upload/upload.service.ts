// POST /dub/upload: the file gets its place under its digest, the dub its row, and the preparation begins.
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { bareName, type Upload } from '../../../http/input/form.ts'
import type { DubCore } from '../core.ts'
import type { AbortDub } from '../history/abort.service.ts'
import type { Removal } from '../history/removal.ts'
import type { PrepJobs } from '../prep/prep-job.ts'
import { inputTypeOf, requireAudioType, wantedId } from './upload.rules.ts'

const ID_BYTES = 4
const RUN_BYTES = 8

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'rows'>
  readonly prep: PrepJobs
  readonly abort: AbortDub
  readonly removal: Removal
  readonly hasPrograms: () => boolean
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
}
export type DubUploadFields = { readonly job_id?: string | null | undefined; readonly input_type?: string | null | undefined }

export function createDubUploads({ core: { store, files, rows }, prep, abort, removal, hasPrograms, clock, random }: Deps) {
  /** Ids that are being created. */
  const claimed = new Set<string>()

  async function create(id: string, upload: Upload, filename: string, inputType: 'video' | 'audio') {
    if ((await abort.activeOf(id)).length > 0)
      throw new Failure('CONFLICT', 'A dub with this id is being worked on. Cancel it first, or use another id.')
    const run = random.hex(RUN_BYTES)
    const sourceDigest = upload.digest!
    await files.keep(sourceDigest, upload.path, { kind: 'source', maker: run }, null)
    const before = rows.usedBy(id)
    store.dubs.create({ id, filename, inputType, sourceDigest, createdAt: clock.now() })
    files.use(id, sourceDigest)
    await removal.free(before)
    try {
      return { job_id: id, task_id: await prep.start({ dub: id, run, source: sourceDigest, inputType, filename }), filename }
    } catch (error) {
      await removal.remove(id)
      throw error
    }
  }

  return {
    /**
     * Resolves when the job is durable. Throws BAD_REQUEST for a wrong id, type or file, CONFLICT for an id that is being worked on and without
     * ffmpeg, STORAGE_FULL, and what the creation of a job throws.
     */
    async start(upload: Upload, form: DubUploadFields) {
      const id = wantedId(form.job_id) ?? random.hex(ID_BYTES)
      const inputType = inputTypeOf(form.input_type)
      const filename = bareName(upload.filename) || 'upload'
      if (inputType === 'audio') requireAudioType(filename)
      if (upload.size === 0) throw new Failure('BAD_REQUEST', 'The file is empty.')
      if (!hasPrograms())
        throw new Failure('CONFLICT', 'Dubbing needs ffmpeg and ffprobe, which are not on this machine. ./studio setup installs them.')
      if (claimed.has(id)) throw new Failure('CONFLICT', 'A dub with this id is being created.')
      claimed.add(id)
      try {
        return await create(id, upload, filename, inputType)
      } finally {
        claimed.delete(id)
      }
    },
  }
}
