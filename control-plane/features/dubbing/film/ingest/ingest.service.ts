// POST /dub/ingest-url: checks the request, keeps the cookies until the download has ended, and starts the job.

import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Random } from '#shared/runtime/random.ts'
import { requireFilmPrograms, wantedId } from '../upload/upload.rules.ts'
import { isPlainFile } from './download.ts'
import { filmUrl, requireCookies, type Sender } from './ingest.rules.ts'
import type { IngestFolders } from './ingest-folders.ts'
import type { IngestJobs } from './ingest-job.ts'

const ID_BYTES = 4
const RUN_BYTES = 8

type Deps = {
  readonly core: Pick<DubCore, 'claim'>
  readonly ingest: IngestJobs
  readonly abort: AbortDub
  readonly folders: IngestFolders
  readonly hasPrograms: () => boolean
  readonly hasDownloader: () => boolean
  readonly random: Pick<Random, 'hex'>
}
export type IngestFields = {
  readonly url: string
  readonly job_id?: string | null | undefined
  readonly fetch_subs: boolean
  readonly sub_langs?: readonly string[] | null | undefined
  readonly cookie_file?: string | null | undefined
}

export const createDubIngests = ({ core, ingest, abort, folders, hasPrograms, hasDownloader, random }: Deps) => ({
  /** Throws CONFLICT; can be called before the request is received. */
  requirePrograms: (): void => requireFilmPrograms(hasPrograms),
  /**
   * Resolves when the job is durable. Throws BAD_REQUEST for a wrong address, id or file of cookies, FORBIDDEN for cookies that could be read on their
   * way and for the id of another client's dub, VIDEO_FETCH_FAILED without yt-dlp, CONFLICT for an id that is being worked on and without ffmpeg, and what the creation of a job throws.
   */
  async start(form: IngestFields, client: ClientId, sender: Sender) {
    const url = filmUrl(form.url)
    const dub = wantedId(form.job_id) ?? random.hex(ID_BYTES)
    const cookies = form.cookie_file || null
    if (cookies !== null) requireCookies(cookies, sender)
    const languages = form.fetch_subs ? [...(form.sub_langs ?? [])] : null
    const params = { dub, run: random.hex(RUN_BYTES), url, languages, hasCookies: cookies !== null }
    requireFilmPrograms(hasPrograms)
    if (!isPlainFile(params) && !hasDownloader())
      throw new Failure('VIDEO_FETCH_FAILED', 'yt-dlp, which reads video pages, is not installed on this machine.')
    if (abort.activeOf(dub).length > 0)
      throw new Failure('CONFLICT', 'A dub with this id is being worked on. Cancel it first, or use another id.')
    core.claim(dub, client)
    try {
      if (cookies !== null) await folders.keepCookies(await folders.open(dub, params.run), cookies)
      return { job_id: dub, task_id: await ingest.start(params), filename: '' }
    } catch (error) {
      await folders.remove(dub, params.run)
      throw error
    }
  },
})
