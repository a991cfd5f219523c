// The setup of this machine: missing and recommended models, and the checks.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type { MediaToolsApi } from '#control-plane/features/base/media-tools/api.ts'
import type { ModelsApi } from '#control-plane/features/machines/models/api.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import type { CatalogueModel } from '#shared/models/model.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Gpu } from '#shared/protocol/messages.ts'
import type { Log } from '#shared/runtime/log.ts'
import { checksOf, type Found, MIN_FREE_GB, routingOf, SYSTEMS } from './checks.ts'
import type { Preflight, Recommendations, SetupDevice, SetupStatus } from './setup.schema.ts'

type Deps = {
  readonly models: Pick<ModelsApi, 'rows'>
  readonly gpus: () => readonly Gpu[]
  /** The selected speech engine as GET /engines lists it; null until the local agent has described itself. */
  readonly engine: () => Found['engine']
  /** The model without which the selected speech engine cannot answer; null when it can. */
  readonly missing: () => Pick<CatalogueModel, 'id' | 'label'> | null
  /** True if an engine for speech or recognition has this id. */
  readonly hasEngine: (id: string) => boolean
  /** Loads the engine on the local agent, the selected speech engine by default; rejects with the reason when it cannot be loaded. */
  readonly warm: (engine?: string) => Promise<void>
  readonly reaches: (address: string) => Promise<boolean>
  readonly folder: string
  readonly freeDisk: () => Promise<number | null>
  readonly endpoint: string
  readonly media: MediaToolsApi
  /** Path of a Python interpreter; null without one. */
  readonly python: () => string | null
  readonly log: Log
}
export type Setup = ReturnType<typeof createSetup>
const LOCAL = 'local'

export function createSetup({
  models,
  gpus,
  engine,
  missing,
  hasEngine,
  warm,
  reaches,
  folder,
  freeDisk,
  endpoint,
  media,
  python,
  log,
}: Deps) {
  const freeGb = async () => {
    const free = await freeDisk()
    return free === null ? null : Math.round(free / 1e8) / 10
  }

  async function deviceOf(): Promise<SetupDevice> {
    const [gpu] = gpus()
    return {
      os: process.platform,
      arch: process.arch,
      gpu_vendor: gpu?.vendor || null,
      gpu_backend: gpu?.backend || null,
      gpu_available: gpu !== undefined,
      gpu_driver: gpu?.driver_version || null,
      gpu_device_name: gpu?.model || null,
      gpu_family: gpu?.backend || null,
      vram_gb: gpu ? Math.round(gpu.memory_bytes / 1e8) / 10 : null,
      ram_gb: Math.round(totalmem() / 2 ** 30 / 0.1) / 10,
      disk_free_gb: await freeGb(),
    }
  }

  function requireEngine(engine: string | undefined): void {
    if (engine === undefined || hasEngine(engine)) return
    throw new Failure('BAD_REQUEST', `There is no engine ${JSON.stringify(engine)} for speech or recognition. GET /engines lists them.`)
  }

  return {
    async status(): Promise<SetupStatus> {
      const model = missing()
      const free = await freeGb()
      return {
        models_ready: model === null,
        missing: model === null ? [] : [{ repo_id: model.id, label: model.label }],
        hf_cache_dir: folder,
        disk_free_gb: free,
        min_free_gb: MIN_FREE_GB,
        enough_disk: free === null || free >= MIN_FREE_GB,
      }
    },
    /** `network`: contacts the model server. */
    async preflight(network: boolean): Promise<Preflight> {
      const [device, reachable, folderWritable] = await Promise.all([
        deviceOf(),
        network ? reaches(endpoint) : null,
        access(folder, constants.W_OK).then(
          () => true,
          () => false,
        ),
      ])
      const found: Found = {
        device,
        engine: engine(),
        python: python(),
        node: process.versions.node,
        folderWritable,
        folder,
        endpoint,
        reachable,
      }
      const checks = checksOf(found)
      return {
        ok: checks.every(({ status }) => status !== 'fail'),
        has_warnings: checks.some(({ status }) => status === 'warn'),
        checks,
        device,
        gpu_routing: routingOf(found),
        media_tools: { ready: media.isReady(), acquire: media.acquisition() },
      }
    },
    async recommendations(): Promise<Recommendations> {
      const kind = gpus().length > 0 ? 'gpu' : 'cpu'
      const curated = new Set(CATALOGUE.filter(({ curatedOn }) => curatedOn.includes(kind)).map(({ id }) => id))
      const chosen = (await models.rows(LOCAL)).filter(({ repo_id, supported }) => curated.has(repo_id) && supported)
      const sum = (rows: typeof chosen) => Math.round(rows.reduce((all, { size_gb }) => all + size_gb, 0) * 100) / 100
      const { platform: os, arch } = process
      return {
        device: {
          os,
          arch,
          is_mac_arm: os === 'darwin' && arch === 'arm64',
          is_mac_intel: os === 'darwin' && arch === 'x64',
          is_linux: os === 'linux',
          is_windows: os === 'win32',
          has_cuda: gpus().some(({ backend }) => backend === 'cuda'),
          label: `${SYSTEMS[os] ?? os} ${arch}, ${kind === 'gpu' ? gpus()[0]!.model : 'no graphics card'}`,
        },
        rationale: kind === 'gpu' ? 'This machine has a GPU, so large models run fast enough.' : 'These models run fast on a CPU.',
        models: chosen.map(({ repo_id, label, role, size_gb, required = false, note = '', installed }) => ({
          repo_id,
          label,
          role,
          size_gb,
          required,
          note,
          installed,
        })),
        download_gb_remaining: sum(chosen.filter(({ installed }) => !installed)),
        total_gb: sum(chosen),
        all_installed: chosen.every(({ installed }) => installed),
      }
    },
    /** Rejects with the reason why the engine could not be loaded. */
    async load(engine?: string): Promise<void> {
      requireEngine(engine)
      await warm(engine)
    },
    /** Returns immediately; a failure is logged. Throws BAD_REQUEST for an engine that does not exist. */
    warmUp(engine?: string): void {
      requireEngine(engine)
      warm(engine).catch((error: unknown) => log.warn({ why: Failure.from(error).message }, 'the engine could not be warmed up'))
    },
  }
}
