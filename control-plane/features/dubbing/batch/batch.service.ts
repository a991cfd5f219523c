// The batch as its clients see it. What can be refused is refused before a film waits for hours.

import { createReadStream } from 'node:fs'
import { link, rm } from 'node:fs/promises'
import type { AdoptFilm } from '#control-plane/features/dubbing/film/upload/adopt-film.ts'
import { isAudioName, requireFilmPrograms } from '#control-plane/features/dubbing/film/upload/upload.rules.ts'
import type { DubExports } from '#control-plane/features/dubbing/leave/export/exports.service.ts'
import { baseName } from '#control-plane/features/dubbing/leave/export/names.rules.ts'
import type { DubGenerating } from '#control-plane/features/dubbing/make/generate/generate.service.ts'
import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { InputType } from '#control-plane/features/dubbing/store/dub.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import type { RecognitionApi } from '#control-plane/features/listening/recognition/api.ts'
import type { TranslationApi } from '#control-plane/features/listening/translation/api.ts'
import { bareName, type Upload } from '#control-plane/http/input/form.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { fileIn } from '#shared/runtime/file.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { BatchJob } from './batch.contract.ts'
import { batchLanguages } from './batch.rules.ts'
import type { BatchChoices, BatchItem, BatchRows } from './batch.store.ts'
import type { BatchJobs } from './batch-job.ts'
import type { BatchProgresses } from './batch-progress.ts'
import { batchChoice } from './batch-steps.ts'
import { type BatchStatus, createBatchView } from './batch-view.ts'

const ID_BYTES = 6
const RUN_BYTES = 8
const MAX_ITEMS = 1_000
/** An aborted step has ten seconds to remove what it made. */
const STOPPED_WITHIN_MS = 15_000
const READ_BYTES = 256 * 1024

type Deps = {
  readonly core: DubCore
  readonly rows: BatchRows
  readonly batchJobs: BatchJobs
  readonly jobs: Pick<Jobs, 'get' | 'cancel' | 'follow'>
  readonly progress: BatchProgresses
  readonly adopt: AdoptFilm
  readonly abort: Pick<AbortDub, 'abort'>
  readonly removal: Removal
  readonly exports: Pick<DubExports, 'download'>
  readonly recognition: Pick<RecognitionApi, 'partwise'>
  readonly translation: Pick<TranslationApi, 'requireTarget'>
  readonly generating: Pick<DubGenerating, 'requireVoice'>
  readonly hasPrograms: () => boolean
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly random: Pick<Random, 'hex'>
}
export type BatchFields = {
  readonly langs: readonly string[]
  readonly voice_id?: string | null | undefined
  readonly preserve_bg: boolean
  readonly hold?: boolean
}
const ACTIVE: ReadonlySet<BatchStatus> = new Set(['queued', 'running'])

/** Long factory: what adds, starts and removes a film shares the items whose job is being created. */
export function createBatch(deps: Deps) {
  const { core, rows, batchJobs, jobs, progress, adopt, abort, removal, exports, recognition, translation, generating, hasPrograms } = deps
  const { clock, random } = deps
  /** Items whose job is being created. */
  const claimed = new Set<string>()
  const { current, form } = createBatchView({ core, rows, jobs, progress, isClaimed: (id) => claimed.has(id), clock })

  function itemOf(id: string): BatchItem {
    const item = rows.find(id)
    if (!item) throw new Failure('NOT_FOUND', 'The batch has no film with this id. It may have been deleted.')
    return item
  }

  const requirePrograms = () => requireFilmPrograms(hasPrograms)

  /** Throws for what would fail hours later. */
  async function requireAble(languages: readonly string[], voice: string | null): Promise<void> {
    requirePrograms()
    recognition.partwise.require()
    for (const language of languages) await translation.requireTarget(language)
    generating.requireVoice(voice)
  }

  async function activeItems(): Promise<string[]> {
    const found: string[] = []
    for (const id of rows.open()) {
      const item = rows.find(id)
      if (item && ACTIVE.has((await current(item)).status)) found.push(id)
    }
    return found
  }

  type NewFilm = BatchChoices & { readonly path: string; readonly digest: string; readonly filename: string }

  /** Adds an item, with its job unless it is held. Throws as `enqueue`. */
  async function add({ path, digest: source, filename, langs, voiceId, preserveBg }: NewFilm, held: boolean, client: ClientId) {
    await activeItems()
    // Counted and claimed in one turn: many films may be added at the same time.
    const waiting = new Set([...rows.open(), ...claimed]).size
    if (rows.count() >= MAX_ITEMS)
      throw new Failure('QUEUE_FULL', `The batch has ${MAX_ITEMS} films. Delete some that are done (DELETE /batch/jobs/{job_id}).`)
    const reservation = held ? null : batchJobs.reserve()
    const [id, run] = [random.hex(ID_BYTES), random.hex(RUN_BYTES)]
    const inputType: InputType = isAudioName(filename) ? 'audio' : 'video'
    claimed.add(id)
    try {
      core.claim(id, client)
      await adopt({ id, run, path, digest: source, filename, inputType })
      rows.add({ id, filename, sourceDigest: source, langs, voiceId, preserveBg, held, createdAt: clock.now() })
      const film = { dub: id, run, source, inputType, filename, langs: [...langs], voiceId, preserveBg }
      if (reservation) await batchJobs.start(film, reservation)
    } catch (error) {
      rows.remove(id)
      await removal.remove(id)
      throw error
    } finally {
      claimed.delete(id)
      reservation?.giveBack()
    }
    return { job_id: id, status: 'queued' as const, queue_position: waiting + 1 }
  }

  async function startHeld(id: string): Promise<void> {
    const { sourceDigest: source, filename, langs, voiceId, preserveBg } = itemOf(id)
    const reservation = batchJobs.reserve()
    try {
      const film = { dub: id, run: random.hex(RUN_BYTES), source, inputType: core.dub(id).inputType, filename }
      await batchJobs.start({ ...film, langs: [...langs], voiceId, preserveBg }, reservation)
      // A kill before this leaves a film with a job, which is started.
      rows.released(id)
    } finally {
      reservation.giveBack()
    }
  }

  async function stop(id: string): Promise<boolean> {
    try {
      await jobs.cancel(id)
      return true
    } catch (error) {
      if (Failure.from(error).code !== 'NOT_FOUND') throw error
      return false
    }
  }

  /** Resolves when the job has ended, or after a while. */
  async function stopped(id: string): Promise<void> {
    const leaving = new AbortController()
    const follow = async () => {
      for await (const _ of await jobs.follow(id, 0, leaving.signal));
    }
    await Promise.race([follow(), clock.sleep(STOPPED_WITHIN_MS, leaving.signal)]).catch(() => {})
    leaving.abort()
  }

  return {
    /** Stores how jobs ended whose items were not read since. */
    settle: async (): Promise<void> => void (await activeItems()),

    /**
     * Resolves when the job is durable. Throws BAD_REQUEST for the languages, the file, the voice and a missing translator, MODEL_NOT_INSTALLED
     * and NOT_READY without a recogniser, CONFLICT without ffmpeg, QUEUE_FULL, STORAGE_FULL.
     */
    async enqueue(upload: Upload, { langs, voice_id, preserve_bg, hold = false }: BatchFields, client: ClientId) {
      const choices = { langs: batchLanguages(langs.join()), voiceId: voice_id || null, preserveBg: preserve_bg }
      if (upload.size === 0) throw new Failure('BAD_REQUEST', 'The file is empty.')
      if (hold) requirePrograms()
      else await requireAble(choices.langs, choices.voiceId)
      return await add(
        { path: upload.path, digest: upload.digest!, filename: bareName(upload.filename) || 'upload', ...choices },
        hold,
        client,
      )
    },

    /** True for a film that waits for its start. */
    isHeld: rows.isHeld,
    /** Throws NOT_FOUND, CONFLICT for a film that was started, BAD_REQUEST for the languages. */
    async change(id: string, { langs, voice_id, preserve_bg }: BatchFields): Promise<BatchJob> {
      const { isHeld = false } = await current(itemOf(id))
      if (!isHeld || claimed.has(id)) throw new Failure('CONFLICT', 'This film was started already. Add it again for other languages.')
      rows.choose(id, { langs: batchLanguages(langs.join()), voiceId: voice_id || null, preserveBg: preserve_bg })
      return form(await current(itemOf(id)), true)
    },

    /** Throws NOT_FOUND, QUEUE_FULL, STORAGE_FULL, and for what would fail hours later. */
    async start(id: string): Promise<BatchJob> {
      const { isHeld = false } = await current(itemOf(id))
      if (isHeld && !claimed.has(id)) {
        claimed.add(id)
        try {
          // Read now: its choices may have changed meanwhile, and no longer do.
          const { langs, voiceId } = itemOf(id)
          await requireAble(langs, voiceId)
          await startHeld(id)
        } finally {
          claimed.delete(id)
        }
      }
      return form(await current(itemOf(id)), true)
    },

    /** The same film as another item. Throws NOT_FOUND for a film whose file is gone, and as `enqueue`. */
    async again(id: string, wanted: readonly string[], client: ClientId) {
      const { sourceDigest: digest, filename, voiceId, preserveBg } = itemOf(id)
      const langs = batchLanguages(wanted.join())
      await requireAble(langs, voiceId)
      const path = fileIn(core.files.scratch, `again-${random.hex(RUN_BYTES)}`)
      try {
        await link(core.files.pathOf(digest), path).catch((cause) => {
          throw new Failure('NOT_FOUND', 'The file of this film was deleted. Add it again.', { cause })
        })
        return await add({ path, digest, filename, langs, voiceId, preserveBg }, false, client)
      } finally {
        await rm(path, { force: true })
      }
    },

    /** A zip file with every finished film, made while it is read. Throws NOT_FOUND without one. */
    async everything(viewer: ClientId | null): Promise<AsyncIterable<Uint8Array>> {
      const { zipOfFilms } = await import('#control-plane/features/dubbing/leave/films/zip-of-films.ts')
      return await zipOfFilms({
        items: rows.list(viewer),
        files: core.files,
        isSound: (id) => core.store.dubs.find(id)?.inputType === 'audio',
      })
    },

    /** `status`: null for all, `active` for queued and running; an unknown one finds nothing. `viewer`: null for the films of all clients. */
    async list(status: string | null, limit: number, viewer: ClientId | null): Promise<BatchJob[]> {
      const found: BatchJob[] = []
      for (const item of rows.list(viewer)) {
        if (found.length >= limit) break
        const now = await current(item)
        if (status === null || status === '' || now.status === status || (status === 'active' && ACTIVE.has(now.status)))
          found.push(form(now, false))
      }
      return found
    },
    /** Throws NOT_FOUND. */
    get: async (id: string): Promise<BatchJob> => form(await current(itemOf(id)), true),

    /** Resolves when the cancel is durable. Throws NOT_FOUND, STORAGE_FULL. */
    async cancel(id: string) {
      const { status } = await current(itemOf(id))
      if (!ACTIVE.has(status)) return { already: status }
      if (await stop(id)) return { cancelled: true as const }
      return { already: (await current(itemOf(id))).status }
    },

    /** Throws NOT_FOUND, STORAGE_FULL. */
    async remove(id: string): Promise<void> {
      const { status } = await current(itemOf(id))
      // Also what was started with the finished dub: a new voice track, a check, an export.
      await abort.abort(id)
      if (ACTIVE.has(status)) await stopped(id)
      await removal.remove(id)
      rows.remove(id)
      progress.forget(id)
    },

    /** Throws NOT_FOUND, BAD_REQUEST for a film that is not done, and as `DubExports.download`. */
    async download(id: string, language: string, signal: AbortSignal) {
      const { item, status } = await current(itemOf(id))
      if (status !== 'done') throw new Failure('BAD_REQUEST', `The film is not done. It is ${status}.`)
      if (!Object.hasOwn(item.outputs, language))
        throw new Failure(
          'NOT_FOUND',
          `There is no film in ${language.slice(0, 32)}. This one has ${Object.keys(item.outputs).join(', ')}.`,
        )
      const isSound = core.dub(id).inputType === 'audio'
      const name = `${baseName(item.filename)}_${language}.${isSound ? 'm4a' : 'mp4'}`
      const type = isSound ? 'audio/mp4' : 'video/mp4'
      const digest = item.outputs[language]!
      const stored = await core.files.find(digest)
      if (!stored) {
        // It was removed because the disk space for dubs was used up.
        const made = await exports.download(id, batchChoice(language, item.preserveBg), signal)
        return { file: made.file, type: made.type, name }
      }
      const path = core.files.pathOf(digest)
      const read = (start: number, end: number) => createReadStream(path, { start, end, highWaterMark: READ_BYTES })
      return { file: { size: stored.bytes, read }, type, name }
    },
  }
}
