// The models of this machine: what is here, what is being fetched, for whom. One is fetched at a time, for whichever of the masters asked
// first; the others wait in a line.
import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findModel, runsOn } from '#shared/models/catalogue.ts'
import { type CatalogueModel, folderOf } from '#shared/models/model.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { EMPTY_INSTALL_EVENT, type InstallEvent, type StoredModel } from '#shared/protocol/messages.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { type InstallDeps, installModel, type Tell } from './install.ts'
import { type FilesOf, filesIn, isWhole, readManifest } from './manifest.ts'
import { createModelEvents, type ModelEvents } from './model-events.ts'

export type StoreDeps = InstallDeps & {
  readonly models: readonly CatalogueModel[]
  readonly platform: string
  readonly random: Random
  readonly log: Log
  /** Throws CONFLICT while an engine works with the model; lets go of it otherwise. */
  readonly release: (engine: string) => Promise<void>
  /** A model came or went. */
  readonly onChange: () => void
}
export type ModelStore = {
  readonly filesOf: FilesOf
  /** SHA-256 over what is here of the model, or ''. */
  readonly digestOf: (engine: string, model: string) => string
  readonly inventory: () => StoredModel[]
  /** Counts the changes. */
  readonly generation: () => number
  /** Begins, or listens to what runs. The last event tells how it ended; leaving early stops nothing. Throws MODEL_REF_REJECTED. */
  readonly install: (id: string, by: string, signal: AbortSignal) => AsyncIterable<InstallEvent>
  /** Whether there was one. A master stops what it asked for, and nobody else's. */
  readonly stopInstall: (id: string, by: string) => boolean
  /** Answers with the bytes that are free again. Throws NOT_FOUND, FORBIDDEN, CONFLICT. */
  readonly remove: (id: string, by: string) => Promise<number>
  readonly stop: () => Promise<void>
}
type Job = { readonly by: string; readonly news: ModelEvents<InstallEvent>; readonly abort: AbortController; readonly done: Promise<void> }

const REMOVED = '.removed-'
/** Installations that wait or run, of all masters. */
const LINE = 16

export function createModelStore(deps: StoreDeps): ModelStore {
  const { models, platform, random, log } = deps
  const folder = privateFolder(deps.folder)
  // A kill in the middle of a removal leaves this.
  for (const name of readdirSync(folder)) if (name.startsWith(REMOVED)) rmSync(join(folder, name), { recursive: true, force: true })
  const jobs = new Map<string, Job>()
  let generation = 1
  let line: Promise<void> = Promise.resolve()

  const placeOf = (model: CatalogueModel) => join(folder, folderOf(model))
  const known = (id: string): CatalogueModel => {
    const model = findModel(models, id)
    if (!model) throw new Failure('MODEL_REF_REJECTED', `the catalogue of this machine has no model ${id}`)
    return model
  }
  const isInstalled = (model: CatalogueModel): boolean => {
    const manifest = readManifest(placeOf(model))
    return manifest?.id === model.id && isWhole(placeOf(model), manifest)
  }
  const changed = () => {
    generation++
    deps.onChange()
  }

  function begin(model: CatalogueModel, by: string): Job {
    const news = createModelEvents<InstallEvent>()
    const abort = new AbortController()
    const tell: Tell = (phase, more = {}) =>
      news.tell({ ...EMPTY_INSTALL_EVENT, phase, ...more }, phase === 'install_plan' || phase === 'aggregate')
    const work = async () => {
      try {
        if (abort.signal.aborted) throw new Failure('CANCELLED', 'the installation was cancelled')
        if (!isInstalled(model)) {
          log.info({ model: model.id }, 'a model is fetched')
          await installModel(model, by, tell, abort.signal, deps)
          changed()
          log.info({ model: model.id }, 'a model is here')
        }
        tell('install_done')
      } catch (error) {
        const { code, message } = Failure.from(error)
        if (code === 'CANCELLED') tell('install_cancelled')
        else tell('install_error', { code, message: message.slice(0, 2000) })
        log[code === 'CANCELLED' ? 'info' : 'warn']({ model: model.id, code, why: message }, 'a model was not fetched')
      } finally {
        jobs.delete(model.id)
        news.end()
      }
    }
    tell('install_start')
    if (jobs.size > 0) tell('resolving', { message: 'waiting for other models' })
    line = line.then(work)
    return { by, news, abort, done: line }
  }

  return {
    filesOf: filesIn(folder),
    digestOf(engine, model) {
      const manifest = readManifest(join(folder, folderOf({ engine, model })))
      return manifest?.digest ?? ''
    },
    generation: () => generation,
    inventory: () =>
      models.map((model) => {
        const { size_bytes, files } = weigh(placeOf(model))
        const installed = files > 0 && isInstalled(model)
        const installing = jobs.has(model.id)
        return {
          id: model.id,
          supported: runsOn(model, platform),
          installed,
          incomplete: files > 0 && !installed,
          installing,
          size_bytes,
          files,
        }
      }),
    install(id, by, signal) {
      const model = known(id)
      if (!runsOn(model, platform)) throw new Failure('MODEL_REF_REJECTED', `${model.label} does not run on this system`)
      let job = jobs.get(id)
      if (!job) {
        if (jobs.size >= LINE) throw new Failure('WORKER_AT_CAPACITY', `${LINE} models are being fetched already`)
        job = begin(model, by)
        jobs.set(id, job)
      }
      return job.news.listen(signal)
    },
    stopInstall(id, by) {
      const job = jobs.get(id)
      if (!job) return false
      if (job.by !== by) throw new Failure('FORBIDDEN', 'another master of this machine asked for this model')
      job.abort.abort(new Failure('CANCELLED', 'the installation was cancelled'))
      return true
    },
    async remove(id, by) {
      const model = known(id)
      const place = placeOf(model)
      if (jobs.has(id)) throw new Failure('CONFLICT', 'the model is being fetched; cancel that first')
      const { size_bytes, files } = weigh(place)
      if (files === 0) throw new Failure('NOT_FOUND', `${id} is not installed`)
      const owner = readManifest(place)?.by
      if (owner !== undefined && owner !== by) throw new Failure('FORBIDDEN', 'another master of this machine installed this model')
      await deps.release(model.engine)
      // One step for all who look: the model is gone, whatever happens to its files.
      const grave = join(folder, `${REMOVED}${random.hex(8)}`)
      renameSync(place, grave)
      changed()
      rmSync(grave, { recursive: true, force: true })
      log.info({ model: id }, 'a model was removed')
      return size_bytes
    },
    async stop() {
      for (const { abort } of jobs.values()) abort.abort(new Failure('CANCELLED', 'the agent stops'))
      await Promise.allSettled([...jobs.values()].map(({ done }) => done))
    },
  }
}

/** What lies in the folder, unfinished parts included. */
function weigh(place: string): { size_bytes: number; files: number } {
  let size_bytes = 0
  let files = 0
  let entries: string[] = []
  try {
    entries = readdirSync(place, { recursive: true }) as string[]
  } catch {} // nothing was ever fetched
  for (const name of entries) {
    const found = lstatSync(join(place, name), { throwIfNoEntry: false })
    if (!found?.isFile()) continue
    size_bytes += found.size
    files++
  }
  return { size_bytes, files }
}
