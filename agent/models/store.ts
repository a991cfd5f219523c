// The models of this machine: which are installed or being installed, and by which tenant. Installations run one at a time, in the order of
// their requests, which a tenant may change among its own.

import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findModel, runsOn } from '#shared/models/catalogue.ts'
import { type CatalogueModel, folderOf, REMOVED } from '#shared/models/model.ts'
import { ADDITION, modelOfOwnId, type OwnModel, ownRow } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { EMPTY_INSTALL_EVENT } from '#shared/protocol/messages.ts'
import { privateFolder } from '#shared/runtime/file.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { createSerialQueue } from '#shared/runtime/serial-queue.ts'
import type { InstallDeps, ReportInstall } from './install.ts'
import { type LentSpace, type LentSpaceRules, lentSpace, OWN_STUDIO, requireLentSpace } from './lent-space.ts'
import { type FilesOf, filesIn, isComplete, readModelManifest } from './manifest.ts'
import { createModelEvents, type ModelEvents } from './model-events.ts'
import { type Addition, createAdditions } from './own/additions.ts'
import { ownModelsIn, type PreparedModel } from './own/own-models.ts'
import type { SentChunk } from './own/sent-files.ts'
import { createPartials } from './partials.ts'

export type StoreDeps = Omit<InstallDeps, 'admit'> & {
  readonly models: readonly CatalogueModel[]
  readonly platform: string
  readonly random: Random
  readonly log: Log
  /** Unloads the engine of the model. Throws CONFLICT while it is busy. */
  readonly release: (engine: string) => Promise<void>
  /** A model was installed or removed. */
  readonly onChange: () => void
  /** Makes a model of the files in the folder of an addition. Throws BAD_REQUEST, NOT_FOUND, and disk errors. */
  readonly prepareModel: (folder: string, wanted: Omit<Addition, 'addition'>, signal: AbortSignal) => Promise<PreparedModel>
  /** Limits of the disk for other studios; by default half of it. */
  readonly spaceRules?: LentSpaceRules
}
export type ModelStore = {
  readonly filesOf: FilesOf
  /** SHA-256 over the installed files of the model, or ''. */
  readonly digestOf: (engine: string, model: string) => string
  readonly inventory: () => Wire<'StoredModel'>[]
  /** Counts the changes. */
  readonly generation: () => number
  /** Starts an installation or subscribes to a running one. The last event reports how it ended; leaving early does not stop it. `isNext`: one that waits begins before the others of the tenant; none is started. Throws MODEL_REF_REJECTED, CONFLICT. */
  readonly install: (id: string, by: string, signal: AbortSignal, isNext?: boolean) => AsyncIterable<Wire<'InstallEvent'>>
  /** Returns whether there was one. Throws CONFLICT for the installation of another tenant. */
  readonly stopInstall: (id: string, by: string) => boolean
  /** Stops the installations of a tenant that may not use this machine any more. */
  readonly stopAll: (by: string) => void
  /** Takes bytes of a file of a model from another studio. Throws CONFLICT for what the owner of this machine does not allow, and for a full disk. */
  readonly putFile: (chunk: SentChunk, by: string) => Promise<void>
  /** Makes a model of the files of an addition. Throws NOT_FOUND, CONFLICT for a name that is taken, what `prepareModel` throws, STORAGE_FULL. */
  readonly add: (addition: Addition, by: string) => Promise<OwnModel>
  /** Resolves with the freed bytes. Throws NOT_FOUND, CONFLICT. */
  readonly remove: (id: string, by: string) => Promise<number>
  /** Disk space that other studios use, and their limit. */
  readonly lentSpace: () => Promise<LentSpace>
  /** Removes the models of other studios that are not in use, for the owner of this machine. Resolves with the freed bytes. */
  readonly removeOfOthers: () => Promise<number>
  readonly stop: () => Promise<void>
}
type Job = {
  readonly by: string
  readonly events: ModelEvents<Wire<'InstallEvent'>>
  readonly abort: AbortController
  readonly work: () => Promise<void>
}

/** Waiting and running installations of all tenants, and of one other studio. */
const INSTALL_LIMIT = 16
const STUDIO_INSTALL_LIMIT = 4
/** Unfinished files that no installation continued for so long are removed. */
const PARTIAL_MS = 14 * 24 * 3600 * 1000
const HALF: LentSpaceRules = { chosenBytes: () => null, studios: () => 1 }

const LENDING_OWNER = 'studio-'
/** The owner of what a studio installs to which this machine lends, which knows it under this id. */
export const lendingOwner = (workerId: string): string => `${LENDING_OWNER}${workerId}`
/** Earlier versions numbered the studios again after each start, so their models belong to every studio to which the machine lends. */
const isOwner = (owner: string, by: string): boolean => owner === by || (/^lending-[0-9]+$/.test(owner) && by.startsWith(LENDING_OWNER))

/** Long factory: installations, their order and the files of models share one state. */
export function createModelStore(deps: StoreDeps): ModelStore {
  const { models, platform, random, clock, log, spaceRules = HALF } = deps
  const folder = privateFolder(deps.folder)
  // A process that was killed during a removal, or while it wrote a file, leaves these.
  for (const name of readdirSync(folder))
    if ([REMOVED, ADDITION].some((prefix) => name.startsWith(prefix)) || name.endsWith('.new'))
      rmSync(join(folder, name), { recursive: true, force: true })
  const partials = createPartials(folder)
  const jobs = new Map<string, Job>()
  let generation = 1
  /** One turn for each installation that was requested; a turn runs the first one that waits then. */
  let turns: Promise<void> = Promise.resolve()
  let waiting: Job[] = []
  /** Admits one at a time: an admitted installation counts before the next is checked. */
  const admitting = createSerialQueue()
  /** Bytes on the disk that the running installation of a model will have. */
  const expected = new Map<string, number>()

  const placeOf = (model: CatalogueModel) => join(folder, folderOf(model))
  const modelOf = (id: string): CatalogueModel => {
    const model = findModel(models, id)
    if (!model) throw new Failure('MODEL_REF_REJECTED', `The catalogue of this machine has no model ${id}.`)
    return model
  }
  const ownModels = () => ownModelsIn(folder)
  const rowOfOwn = (own: OwnModel): CatalogueModel => ownRow(own, sizeOnDisk(join(folder, folderOf(own))).size_bytes)
  /** A model of the catalogue, or one that the owner added. */
  const modelHere = (id: string): CatalogueModel => {
    const own = modelOfOwnId(id) === null ? undefined : ownModels().find((model) => model.id === id)
    if (own) return rowOfOwn(own)
    if (modelOfOwnId(id) !== null) throw new Failure('NOT_FOUND', `There is no model ${id} on this machine.`)
    return modelOf(id)
  }
  const isInstalled = (model: CatalogueModel): boolean => {
    const manifest = readModelManifest(placeOf(model))
    return manifest?.id === model.id && isComplete(placeOf(model), manifest)
  }
  const changed = () => {
    generation++
    deps.onChange()
  }

  /** Removes an unfinished model. Never throws: what is left is found again at the next start. */
  function dropPartial(id: string): void {
    try {
      const model = findModel(models, id)
      if (model && !isInstalled(model)) rmSync(placeOf(model), { recursive: true, force: true })
      partials.delete(id)
    } catch (error) {
      log.warn({ model: id, err: String(error) }, 'an unfinished download could not be removed')
    }
  }
  /** After a process that was killed, too: its files are continued, or removed in time. Never throws. */
  function tidyPartials(): void {
    try {
      for (const model of models) {
        const partial = partials.get(model.id)
        const isPartial = !jobs.has(model.id) && sizeOnDisk(placeOf(model)).files > 0 && !isInstalled(model)
        if (isPartial && !partial) partials.set(model.id, '', clock.now())
        else if (isPartial && partial && clock.now() - partial.at > PARTIAL_MS) dropPartial(model.id)
      }
    } catch (error) {
      log.warn({ err: String(error) }, 'unfinished downloads could not be checked')
    }
  }
  tidyPartials()

  async function spaceNow(): Promise<LentSpace> {
    additions.tidy()
    const taken = { usage: new Map<string, number>(), expected: new Map<string, number>() }
    const count = (to: Map<string, number>, by: string, bytes: number) => bytes > 0 && to.set(by, (to.get(by) ?? 0) + bytes)
    for (const model of [...models, ...ownModels().map(rowOfOwn)]) {
      const { size_bytes } = sizeOnDisk(placeOf(model))
      const owner = readModelManifest(placeOf(model))?.by ?? partials.get(model.id)?.by ?? ''
      count(taken.usage, owner, size_bytes)
      count(taken.expected, owner, (expected.get(model.id) ?? 0) - size_bytes)
    }
    for (const { by, written, unwritten } of additions.usage()) {
      count(taken.usage, by, written)
      count(taken.expected, by, unwritten)
    }
    return lentSpace(spaceRules, taken, await deps.freeDisk(folder))
  }
  /** Without what other installations and additions will write; 0 when unknown. `except`: id of the model that asks. */
  async function freeNow(except = ''): Promise<number> {
    const free = await deps.freeDisk(folder)
    const others = [...expected].filter(([id]) => id !== except)
    const installing = others.map(([id, bytes]) => Math.max(0, bytes - sizeOnDisk(placeOf(modelOf(id))).size_bytes))
    const sending = additions.usage().map(({ unwritten }) => unwritten)
    const left = [...installing, ...sending].reduce((rest, bytes) => rest - bytes, free)
    return free === 0 ? 0 : Math.max(1, left)
  }
  const additions = createAdditions({
    folder,
    limitBytes: () => spaceRules.filesBytes?.() ?? 0,
    clock,
    log,
    prepareModel: deps.prepareModel,
    release: deps.release,
    changed,
    admit: (bytes, by, begin) =>
      admitting(async () => {
        requireLentSpace(await spaceNow(), by, 'this model', bytes)
        const free = await freeNow()
        if (free !== 0 && free < bytes + deps.headroomBytes)
          throw new Failure('STORAGE_FULL', 'The disk of that machine has too little free space.')
        return begin()
      }),
  })
  const admit: InstallDeps['admit'] = (model, by, bytes) =>
    admitting(async () => {
      expected.delete(model.id) // of an earlier attempt
      partials.set(model.id, by, clock.now())
      if (by !== OWN_STUDIO) requireLentSpace(await spaceNow(), by, model.label, bytes)
      expected.set(model.id, sizeOnDisk(placeOf(model)).size_bytes + bytes)
    })

  function begin(model: CatalogueModel, by: string): Job {
    const events = createModelEvents<Wire<'InstallEvent'>>()
    const abort = new AbortController()
    const report: ReportInstall = (phase, more = {}) =>
      events.publish({ ...EMPTY_INSTALL_EVENT, phase, ...more }, phase === 'install_plan' || phase === 'aggregate')
    const end = () => {
      jobs.delete(model.id)
      expected.delete(model.id)
      events.end()
    }
    tidyPartials()
    // Without waiting for its turn.
    const endWaiting = () => {
      if (!waiting.includes(job)) return
      waiting = waiting.filter((other) => other !== job)
      report('install_cancelled')
      end()
    }
    abort.signal.addEventListener('abort', endWaiting, { once: true })
    const work = async () => {
      try {
        if (!isInstalled(model)) {
          log.info({ model: model.id }, 'installing a model')
          // Most starts install nothing.
          const { installModel } = await import('./install.ts')
          await installModel(model, by, report, abort.signal, { ...deps, admit, freeDisk: () => freeNow(model.id) })
          partials.delete(model.id)
          changed()
          log.info({ model: model.id }, 'model installed')
        }
        report('install_done')
      } catch (error) {
        const { code, message } = Failure.from(error)
        if (code === 'CANCELLED') report('install_cancelled')
        else report('install_error', { code, message: message.slice(0, 2000) })
        log[code === 'CANCELLED' ? 'info' : 'warn']({ model: model.id, code, why: message }, 'model not installed')
      } finally {
        end()
        if (sizeOnDisk(placeOf(model)).files === 0) dropPartial(model.id)
      }
    }
    report('install_start')
    if (jobs.size > 0) report('resolving', { message: 'waiting for other models' })
    const job: Job = { by, events, abort, work }
    waiting.push(job)
    turns = turns.then(() => waiting.shift()?.work())
    return job
  }

  function stored(model: CatalogueModel): Wire<'StoredModel'> {
    const { size_bytes, files } = sizeOnDisk(placeOf(model))
    const installed = files > 0 && isInstalled(model)
    return {
      id: model.id,
      supported: runsOn(model, platform),
      installed,
      incomplete: size_bytes > 0 && !installed,
      installing: jobs.has(model.id),
      size_bytes,
      files,
    }
  }

  /** The places of other tenants stay as they are. */
  function moveFirst(job: Job): void {
    if (!waiting.includes(job)) return
    const own = [job, ...waiting.filter((other) => other.by === job.by && other !== job)]
    waiting = waiting.map((other) => (other.by === job.by ? own.shift()! : other))
  }

  /** Renaming removes the model atomically; deleting its files may fail or be interrupted. */
  function take(model: CatalogueModel): void {
    const removed = join(folder, `${REMOVED}${random.hex(8)}`)
    renameSync(placeOf(model), removed)
    partials.delete(model.id)
    changed()
    rmSync(removed, { recursive: true, force: true })
    log.info({ model: model.id }, 'model removed')
  }

  return {
    filesOf: filesIn(folder),
    digestOf(engine, model) {
      const manifest = readModelManifest(join(folder, folderOf({ engine, model })))
      return manifest?.digest ?? ''
    },
    generation: () => generation,
    inventory: () => [...models.map(stored), ...ownModels().map(({ by: _, id, ...own }) => ({ ...stored(rowOfOwn({ id, ...own })), own }))],
    install(id, by, signal, isNext = false) {
      const model = modelOf(id)
      if (!runsOn(model, platform)) throw new Failure('MODEL_REF_REJECTED', `${model.label} does not run on this system.`)
      let job = jobs.get(id)
      if (!job) {
        if (isNext) throw new Failure('CONFLICT', `${model.label} is not being downloaded any more.`)
        if (by !== OWN_STUDIO && [...jobs.values()].filter((other) => other.by === by).length >= STUDIO_INSTALL_LIMIT)
          throw new Failure(
            'WORKER_AT_CAPACITY',
            `This studio is installing ${STUDIO_INSTALL_LIMIT} models on this machine already. Try again later.`,
          )
        if (jobs.size >= INSTALL_LIMIT)
          throw new Failure('WORKER_AT_CAPACITY', `${INSTALL_LIMIT} models are already being installed. Try again later.`)
        job = begin(model, by)
        jobs.set(id, job)
      }
      if (isNext && job.by === by) moveFirst(job)
      return job.events.subscribe(signal)
    },
    stopInstall(id, by) {
      const job = jobs.get(id)
      if (!job) return false
      if (job.by !== by) throw new Failure('CONFLICT', 'Another studio started this installation.')
      job.abort.abort(new Failure('CANCELLED', 'The installation was cancelled.'))
      return true
    },
    stopAll(by) {
      additions.end(by)
      for (const job of [...jobs.values()])
        if (job.by === by)
          job.abort.abort(new Failure('CANCELLED', 'The studio that started the installation may not use this machine any more.'))
    },
    putFile: additions.put,
    add: additions.add,
    async remove(id, by) {
      const model = modelHere(id)
      const place = placeOf(model)
      const refuseInstalling = () => {
        if (jobs.has(id)) throw new Failure('CONFLICT', 'The model is being installed. Cancel the installation first.')
      }
      refuseInstalling()
      const { size_bytes, files } = sizeOnDisk(place)
      if (files === 0) throw new Failure('NOT_FOUND', `${id} is not installed.`)
      const owner = readModelManifest(place)?.by
      if (owner !== undefined && !isOwner(owner, by)) throw new Failure('CONFLICT', 'Another studio installed this model.')
      await deps.release(model.engine)
      refuseInstalling()
      take(model)
      return size_bytes
    },
    lentSpace: spaceNow,
    async removeOfOthers() {
      let freed = 0
      for (const model of [...models, ...ownModels().map(rowOfOwn)]) {
        const place = placeOf(model)
        const { size_bytes, files } = sizeOnDisk(place)
        const owner = readModelManifest(place)?.by ?? partials.get(model.id)?.by
        if (files === 0 || owner === undefined || owner === OWN_STUDIO || jobs.has(model.id)) continue
        try {
          await deps.release(model.engine)
          take(model)
          freed += size_bytes
        } catch (error) {
          log.info({ model: model.id, why: Failure.from(error).message }, 'a model of another studio is in use and stays')
        }
      }
      return freed
    },
    async stop() {
      additions.stop()
      for (const { abort } of jobs.values()) abort.abort(new Failure('CANCELLED', 'The agent is stopping.'))
      await turns
    },
  }
}

/** Size and number of the files in the folder, including unfinished parts. */
function sizeOnDisk(place: string): { size_bytes: number; files: number } {
  let size_bytes = 0
  let files = 0
  let entries: string[] = []
  try {
    entries = readdirSync(place, { recursive: true }) as string[]
  } catch {} // nothing was ever downloaded
  for (const name of entries) {
    const found = lstatSync(join(place, name), { throwIfNoEntry: false })
    if (!found?.isFile()) continue
    size_bytes += found.size
    files++
  }
  return { size_bytes, files }
}
