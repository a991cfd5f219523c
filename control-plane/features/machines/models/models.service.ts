// The catalogue with the installed models of the target machine; installation, cancellation and removal. Agents download for themselves:
// the studio sends the id of a model and forwards their reports.

import type { z } from 'zod'
import type { Bus } from '#control-plane/events/bus.ts'
import type { Hint } from '#control-plane/events/event.ts'
import { offeredFor } from '#control-plane/inference/needs/needs.ts'
import type { Jobs } from '#control-plane/jobs/jobs.ts'
import type { ModelHost } from '#control-plane/kernel/model-host.ts'
import { LOCAL } from '#control-plane/workers/worker.store.ts'
import { findModel, similarModels } from '#shared/models/catalogue.ts'
import { type CatalogueModel, hasPins } from '#shared/models/model.ts'
import { isOwnModel, modelOfOwnId, ownRow } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { parseMessage } from '#shared/protocol/message-fields.ts'
import { InventoryMessage } from '#shared/protocol/messages.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { DownloadEvent } from './download-events.schema.ts'
import type { Downloads } from './downloads.ts'
import { createInstalls } from './install/install-job.ts'
import { INSTALL_ENDS } from './install/install-reports.ts'
import { type Licences, needsAcceptance } from './licences/licences.ts'
import type { InstallReply, ModelList, ModelRow, RemoveReply } from './models.schema.ts'

type Deps = {
  readonly models: readonly CatalogueModel[]
  readonly live: (workerId: string) => ModelHost | undefined
  /** The target of new tasks: 'local', 'auto' or a worker id. */
  readonly target: () => string
  readonly isKnown: (workerId: string) => boolean
  /** Model folder of this machine, and its free space in bytes. */
  readonly folder: string
  readonly freeDisk: () => Promise<number | null>
  readonly downloads: Downloads
  readonly licences: Pick<Licences, 'demand' | 'isAccepted'>
  readonly jobs: Pick<Jobs, 'add' | 'create' | 'cancel' | 'page'>
  readonly bus: Pick<Bus, 'publish'>
  readonly clock: Clock
  readonly log: Log
}
export type Models = ReturnType<typeof createModels>
/** A list is cached for this long unless a change is reported. */
const LIST_MS = 10_000
const ENDS: ReadonlySet<string> = new Set([...INSTALL_ENDS, 'delete_done', 'delete_error'])

/** Long factory: the list, its cache and the installations that change it share their state. */
export function createModels({ models, live, target, isKnown, folder, freeDisk, downloads, licences, jobs, bus, clock, log }: Deps) {
  /** The machine whose models are shown. 'auto' names no machine, so this machine is used. */
  const active = (): string => {
    const chosen = target()
    return chosen === 'auto' ? LOCAL : chosen
  }
  function hostAt(where: string): ModelHost {
    const host = live(where)
    if (host?.isReady()) return host
    if (where === LOCAL) throw new Failure('NOT_READY', 'The local agent is starting. Try again in a moment.')
    throw new Failure('CONFLICT', 'The chosen machine is not connected.')
  }
  const inventoryOf = async (where: string) => {
    const { models: rows } = parseMessage(InventoryMessage, await hostAt(where).inventory())
    return new Map(rows.map((row) => [row.id, row]))
  }

  async function rows(where: string): Promise<ModelRow[]> {
    const inventory = await inventoryOf(where)
    const own = [...inventory.values()].flatMap(({ id, own: model, size_bytes }) =>
      // A machine cannot give its files the name of a model of the catalogue.
      model && modelOfOwnId(id) === model.model ? [ownRow({ id, ...model }, size_bytes)] : [],
    )
    return await Promise.all(
      [...own, ...models].map(async (model) => {
        const row = inventory.get(model.id)
        const place = { where, repo_id: model.id }
        const download = row?.installed ? null : await installs.stateOf(place)
        const isCancelled = !row?.installed && download === null && (await installs.isCancelled(place))
        return rowOf(model, row, licences.isAccepted(model), { download, cancelled: isCancelled })
      }),
    )
  }

  let cached: { readonly where: string; readonly at: number; readonly answer: Promise<ModelList> } | null = null
  /** Drops the cached list before the event is sent, so that a client that reads the list at once sees the change. */
  function publish(event: DownloadEvent): void {
    cached = null
    downloads.publish(event)
    bus.publish({
      kind: 'model',
      action: event.phase,
      id: event.repo_id,
      fields: () => ({ model: event }),
      isTerminal: ENDS.has(event.phase),
    })
    if (event.phase === 'install_error') bus.publish(downloadNotice(findModel(models, event.repo_id)?.label ?? event.repo_id, event))
  }
  const installs = createInstalls({ jobs, live, hostAt, publish, clock, log })

  /** `where`: the chosen target by default. */
  async function list(where = active()): Promise<ModelList> {
    hostAt(where) // throws for a machine that is not connected, even if its list is cached
    if (cached?.where === where && clock.mono() - cached.at < LIST_MS) return await cached.answer
    const started = { where, at: clock.mono(), answer: read(where) }
    cached = started
    try {
      return await started.answer
    } catch (error) {
      if (cached === started) cached = null
      throw error
    }
  }

  async function read(where: string): Promise<ModelList> {
    const isLocal = where === LOCAL
    return listOf(await rows(where), { isLocal, folder, free: isLocal ? await freeDisk() : null, rate: downloads.rateOf(where) })
  }

  function required(id: string): CatalogueModel {
    const model = findModel(models, id)
    if (model) return model
    throw unknownModel(models, id)
  }

  async function install(id: string, wanted: string | undefined, acceptLicence = false): Promise<InstallReply> {
    const model = required(id)
    const { id: repo_id } = model
    const where = wanted ?? active()
    if (where !== LOCAL && !isKnown(where)) throw new Failure('CONFLICT', 'The selected machine no longer exists.')
    await licences.demand(model, acceptLicence)
    const place = { where, repo_id }
    if (installs.isRunning(place)) return { status: 'already_running', repo_id }
    const coolMs = installs.coolMs(place)
    if (coolMs > 0) {
      const seconds = Math.ceil(coolMs / 1000)
      throw new Failure('QUEUE_FULL', `The last installation of ${repo_id} failed. Try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      })
    }
    cached = null
    try {
      await installs.begin(place, model.label)
    } catch (error) {
      const failure = Failure.from(error, 'WORKER_UNREACHABLE')
      if (where === LOCAL || failure.code === 'STORAGE_FULL') throw failure
      throw new Failure('CONFLICT', `The machine refused: ${failure.message}`, { cause: error })
    }
    return where === LOCAL ? { status: 'install_started', repo_id } : { status: 'started', repo_id, target: where }
  }

  return {
    active,
    list,
    rows,
    install,
    hostAt,
    /** Reports a model of the owner's own files. */
    added: (repo_id: string, where: string): void =>
      publish({ phase: 'install_done', repo_id, filename: repo_id, downloaded: 0, total: 0, pct: 1, target: where }),
    forgiveAll: installs.forgiveAll,
    isInstalling: (repo_id: string): boolean => installs.isRunning({ where: LOCAL, repo_id }),
    /** `where`: the chosen target by default; it downloads this model next. Throws NOT_FOUND, CONFLICT, NOT_READY, OPERATION_UNSUPPORTED. */
    async moveFirst(id: string, where = active()): Promise<void> {
      await installs.moveFirst({ where, repo_id: required(id).id })
      cached = null
    },
    /** Ends the installation of the model on a machine and clears the cooldown. `wanted`: undefined for every machine. Never rejects. */
    async cancel(id: string, wanted: string | undefined): Promise<void> {
      const places = new Set(wanted === undefined ? [LOCAL, active()] : [wanted])
      if (wanted === undefined) for (const place of installs.running()) if (place.repo_id === id) places.add(place.where)
      for (const where of places) {
        installs.forgive({ where, repo_id: id })
        if (!findModel(models, id)) continue
        cached = null
        await live(where)
          ?.stopInstall(id)
          .catch((error: unknown) => log.debug({ model: id, code: Failure.from(error).code }, 'an installation could not be cancelled'))
      }
      // Also ends the jobs of machines that are not connected.
      await installs.cancel([...places].map((where) => ({ where, repo_id: id })))
      cached = null
    },
    /** `where`: the chosen target by default. Throws NOT_FOUND, CONFLICT. */
    async remove(id: string, where = active()): Promise<RemoveReply> {
      if (!findModel(models, id) && modelOfOwnId(id) === null) throw new Failure('NOT_FOUND', `There is no model ${id.slice(0, 100)}.`)
      const nothing = { repo_id: id, filename: id, downloaded: 0, total: 0, pct: 0, target: where }
      const host = hostAt(where)
      publish({ phase: 'delete_start', ...nothing })
      try {
        const { freed_bytes } = await host.removeModel(id)
        installs.forgive({ where, repo_id: id })
        await host.describeAgain()
        publish({ phase: 'delete_done', ...nothing, freed_bytes, pct: 1 })
        return { deleted: true, repo_id: id, freed_bytes }
      } catch (error) {
        const { code, message } = Failure.from(error)
        if (code === 'NOT_FOUND') publish({ phase: 'delete_done', ...nothing, freed_bytes: 0, pct: 1 })
        else publish({ phase: 'delete_error', ...nothing, error: message, code })
        throw error
      }
    },
    /** Ends every stream when the studio stops. */
    end: downloads.end,
  }
}

type Shown = { readonly isLocal: boolean; readonly folder: string; readonly free: number | null; readonly rate: number | null }
const listOf = (models: ModelRow[], { isLocal, folder, free, rate }: Shown): ModelList => ({
  models,
  total_installed_bytes: models.reduce((sum, { installed, size_on_disk_bytes }) => sum + (installed ? size_on_disk_bytes : 0), 0),
  hf_cache_dir: isLocal ? folder : '',
  disk_free_gb: free === null ? null : Math.round(free / 1e8) / 10,
  platform_tags: isLocal ? [process.platform, process.arch, `${process.platform}-${process.arch}`] : [],
  download_rate: rate,
})

function unknownModel(models: readonly CatalogueModel[], id: string): Failure {
  const similar = similarModels(models, id, 3).map((each) => each.id)
  return new Failure(
    'BAD_REQUEST',
    `There is no model ${id.slice(0, 100)}. Similar models: ${similar.join(', ')}. List all with ${COMMAND} models.`,
  )
}

const downloadNotice = (label: string, { repo_id, error }: Extract<DownloadEvent, { phase: 'install_error' }>): Hint => ({
  kind: 'notice',
  action: 'raised',
  id: `download ${repo_id}`,
  fields: () => ({ message: `${label} could not be downloaded: ${error}`, hint: 'Try again on the Setup page.' }),
})

/** `row`: the model in the inventory of the machine; undefined when an agent of another version does not report it. */
const rowOf = (
  model: CatalogueModel,
  row: z.output<typeof InventoryMessage>['models'][number] | undefined,
  isAccepted: boolean,
  state: Pick<ModelRow, 'download' | 'cancelled'>,
): ModelRow => ({
  repo_id: model.id,
  label: model.label,
  role: model.role,
  size_gb: model.sizeGb,
  ...(model.required && { required: true }),
  ...(model.platforms.length > 0 && { platforms: [...model.platforms] }),
  ...(model.curatedOn.length > 0 && { curated_on: [...model.curatedOn] }),
  ...(model.note !== '' && { note: model.note }),
  engine: model.engine,
  ...(model.dictationId !== null && { dictation_id: model.dictationId }),
  ...(model.tag !== null && { tag: model.tag }),
  installed: row?.installed ?? false,
  incomplete: row?.incomplete ?? false,
  size_on_disk_bytes: row?.size_bytes ?? 0,
  nb_files: row?.files ?? 0,
  supported: row?.supported ?? false,
  curated: model.curatedOn.length > 0,
  model: model.model,
  precision: model.precision,
  licence: model.licence,
  gated: needsAcceptance(model),
  card: model.card !== null,
  group: model.group,
  licence_accepted: isAccepted,
  pinned: !isOwnModel(model.model) && hasPins(model),
  own: isOwnModel(model.model),
  offered_for: [...offeredFor(model.id)],
  installing: row?.installing ?? false,
  ...state,
  memory_bytes: Math.round(model.memoryBytes),
})
