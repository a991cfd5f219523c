// The setup of this machine: installed, missing and recommended models, and ffmpeg.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { delimiter, join } from 'node:path'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Gpu } from '#shared/protocol/messages.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { ModelsApi } from '../models/api.ts'
import { checksOf, type Found, MIN_FREE_GB, routingOf } from './checks.ts'
import type { MediaTools, Preflight, Recommendations, SetupDevice, SetupStatus } from './setup.schema.ts'

/** The default speech engine as the local agent reports it. */
export type SpeakingEngine = { readonly id: string; readonly device: string; readonly standsIn: string }
type Deps = {
  readonly models: Pick<ModelsApi, 'rows'>
  readonly gpus: () => readonly Gpu[]
  readonly engine: () => SpeakingEngine | null
  /** Loads the speech engine on the local agent; rejects with the reason when it cannot be loaded. */
  readonly warm: () => Promise<void>
  readonly reaches: (address: string) => Promise<boolean>
  readonly folder: string
  readonly freeDisk: () => Promise<number | null>
  readonly endpoint: string
  /** PATH of the environment. */
  readonly path: string
  /** Path of ffmpeg at the start; one that is installed later is used after a restart. */
  readonly ffmpeg: string | null
  readonly log: Log
}
export type Setup = ReturnType<typeof createSetup>
const LOCAL = 'local'

export function createSetup({ models, gpus, engine, warm, reaches, folder, freeDisk, endpoint, path, ffmpeg, log }: Deps) {
  let wasAsked = false

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

  async function mediaTools(): Promise<MediaTools> {
    const [now, ffprobe] = await Promise.all([onPath(path, 'ffmpeg'), onPath(path, 'ffprobe')])
    const error =
      ffmpeg !== null
        ? null
        : now !== null
          ? 'ffmpeg was installed after the studio had started. Restart the studio to use it.'
          : 'The studio downloads no programs. Install ffmpeg with ./studio setup or the package manager of this system, then restart the studio.'
    const state = ffmpeg !== null ? ('done' as const) : wasAsked ? ('error' as const) : ('idle' as const)
    return { ready: ffmpeg !== null, ffmpeg: ffmpeg ?? now, ffprobe, acquire: { state, progress: ffmpeg === null ? 0 : 1, error } }
  }

  return {
    mediaTools,
    /** Starts nothing; the reply contains instructions. */
    acquireMediaTools(): Promise<MediaTools> {
      wasAsked = true
      return mediaTools()
    },
    async status(): Promise<SetupStatus> {
      const rows = await models.rows(LOCAL)
      const missing = rows.filter(({ required, installed }) => required && !installed).map(({ repo_id, label }) => ({ repo_id, label }))
      const free = await freeGb()
      return {
        models_ready: missing.length === 0,
        missing,
        hf_cache_dir: folder,
        disk_free_gb: free,
        min_free_gb: MIN_FREE_GB,
        enough_disk: free === null || free >= MIN_FREE_GB,
      }
    },
    async preflight(): Promise<Preflight> {
      const [device, python, reachable, folderWritable, media_tools] = await Promise.all([
        deviceOf(),
        onPath(path, 'python3'),
        reaches(endpoint),
        access(folder, constants.W_OK).then(
          () => true,
          () => false,
        ),
        mediaTools(),
      ])
      const found: Found = { device, engine: engine(), python, node: process.versions.node, folderWritable, folder, endpoint, reachable }
      const checks = checksOf(found)
      return {
        ok: checks.every(({ status }) => status !== 'fail'),
        has_warnings: checks.some(({ status }) => status === 'warn'),
        checks,
        device,
        gpu_routing: routingOf(found),
        media_tools,
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
          label: `${os} ${arch}, ${kind === 'gpu' ? gpus()[0]!.model : 'no graphics card'}`,
        },
        rationale:
          kind === 'gpu'
            ? 'This machine has a GPU, so large models run fast enough.'
            : 'This machine has no GPU. These models run fast on a CPU.',
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
    /** Returns immediately; a failure is logged. */
    warmUp(): void {
      warm().catch((error: unknown) => log.warn({ why: Failure.from(error).message }, 'the engine could not be warmed up'))
    },
  }
}

async function onPath(variable: string, name: string): Promise<string | null> {
  for (const folder of variable.split(delimiter).filter(Boolean)) {
    const place = join(folder, process.platform === 'win32' ? `${name}.exe` : name)
    try {
      await access(place, constants.X_OK)
      return place
    } catch {} // Try the next folder.
  }
  return null
}
