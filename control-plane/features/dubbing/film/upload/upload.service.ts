// POST /dub/upload: the file gets its place under its digest, the dub its row, and the preparation begins.

import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import { bareName, type Upload } from '#control-plane/http/input/form.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { PrepJobs } from '../prep/prep-job.ts'
import type { AdoptFilm } from './adopt-film.ts'
import { inputTypeOf, requireAudioType, requireFilmPrograms, wantedId } from './upload.rules.ts'

const ID_BYTES = 4
const RUN_BYTES = 8

type Deps = {
  readonly core: Pick<DubCore, 'claim'>
  readonly adopt: AdoptFilm
  readonly prep: Pick<PrepJobs, 'start'>
  readonly abort: AbortDub
  readonly removal: Removal
  readonly hasPrograms: () => boolean
  readonly random: Pick<Random, 'hex'>
}
export type DubUploadFields = { readonly job_id?: string | null | undefined; readonly input_type?: string | null | undefined }

export function createDubUploads({ core, adopt, prep, abort, removal, hasPrograms, random }: Deps) {
  /** Ids that are being created. */
  const claimed = new Set<string>()

  function requireIdle(id: string): void {
    if (abort.activeOf(id).length > 0)
      throw new Failure('CONFLICT', 'A dub with this id is being worked on. Cancel it first, or use another id.')
  }

  async function create(
    id: string,
    upload: Upload,
    filename: string,
    inputType: 'video' | 'audio',
    client: ClientId,
    adopted: (dub: string) => void,
  ) {
    requireIdle(id)
    core.claim(id, client)
    const run = random.hex(RUN_BYTES)
    const source = upload.digest!
    await adopt({ id, run, path: upload.path, digest: source, filename, inputType, lastCheck: () => requireIdle(id) })
    try {
      adopted(id)
      return { job_id: id, task_id: await prep.start({ dub: id, run, source, inputType, filename }), filename }
    } catch (error) {
      await removal.remove(id)
      throw error
    }
  }

  return {
    /** Throws CONFLICT; can be called before the file is received. */
    requirePrograms: (): void => requireFilmPrograms(hasPrograms),
    /**
     * Resolves when the job is durable. Throws BAD_REQUEST for a wrong id, type or file, FORBIDDEN for the id of
     * another client's dub, CONFLICT for an id that is being worked on and without
     * ffmpeg, STORAGE_FULL, and what the creation of a job throws. `adopted`: called with the new dub before its preparation
     */
    async start(upload: Upload, form: DubUploadFields, client: ClientId, adopted: (dub: string) => void = () => {}) {
      const id = wantedId(form.job_id) ?? random.hex(ID_BYTES)
      const inputType = inputTypeOf(form.input_type)
      const filename = bareName(upload.filename) || 'upload'
      if (inputType === 'audio') requireAudioType(filename)
      if (upload.size === 0) throw new Failure('BAD_REQUEST', 'The file is empty.')
      requireFilmPrograms(hasPrograms)
      if (claimed.has(id)) throw new Failure('CONFLICT', 'A dub with this id is being created.')
      claimed.add(id)
      try {
        // No other start of work on an earlier dub with this id comes between the check and the replacement.
        return await abort.startAlone(id, () => create(id, upload, filename, inputType, client, adopted))
      } finally {
        claimed.delete(id)
      }
    },
  }
}
