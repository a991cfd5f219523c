// GET /system/info: every value is guarded, because clients load it with every settings page.

import { cpus, release, type as systemName, version as systemVersion, totalmem } from 'node:os'
import type { LanSharing } from '#control-plane/features/base/network/api.ts'
import { IDLE_UNLOAD_SECONDS } from '#shared/protocol/lease.ts'
import type { Gpu } from '#shared/protocol/messages.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { createGuard, type Guard } from './guarded.ts'
import { gib } from './load.ts'
import type { SystemOverview } from './overview.contract.ts'

type Deps = {
  readonly version: string
  readonly dataDir: string
  readonly outputsDir: string
  readonly crashLogPath: string
  readonly port: number
  /** Epoch milliseconds. */
  readonly startedAt: number
  /** Latest moment at which the studio ends, in epoch milliseconds; null while it accepts work. */
  readonly endsAt: () => number | null
  readonly variable: (name: string) => string
  readonly proxy: () => string
  readonly hasHubToken: () => boolean
  readonly gpus: () => readonly Gpu[]
  /** Engine and model that answer for an operation; '' for none. */
  readonly speechModel: () => string
  readonly recognitionModel: () => string
  readonly translator: () => string
  readonly ffmpegPath: () => string | null
  readonly freeDisk: () => Promise<number | null>
  readonly sharing: () => LanSharing
  readonly clock: Pick<Clock, 'after'>
}
const NOT_SHARED: LanSharing = { enabled: false, port: null, pinRequired: false, firstPort: 0, addresses: [] }
const ERROR_CHARS = 1_000

export const createOverview = (deps: Deps) => async (): Promise<SystemOverview> => {
  const guard = createGuard(deps.clock)
  const { value } = guard
  const gpu = value('gpu', null, () => deps.gpus()[0] ?? null)
  const [machine, engines, network, free, used, ffmpeg, hasToken] = await Promise.all([
    machineOf(guard),
    enginesOf(guard, deps),
    networkOf(guard, deps),
    value('disk', null, deps.freeDisk),
    gpu,
    value('ffmpeg', null, deps.ffmpegPath),
    value('hub token', false, deps.hasHubToken),
  ])
  return {
    app_version: deps.version,
    data_dir: deps.dataDir,
    outputs_dir: deps.outputsDir,
    crash_log_path: deps.crashLogPath,
    idle_timeout_seconds: IDLE_UNLOAD_SECONDS,
    ...engines,
    has_hf_token: hasToken,
    fast_download: null,
    device: used?.backend || 'cpu',
    python: `not needed (Node ${process.versions.node})`,
    ...machine,
    gpu_name: used?.model ?? null,
    vram_total_gb: gib(used?.memory_bytes ?? 0),
    // As the routes of setup and models count it.
    disk_free_gb: free === null ? null : Math.round(free / 1e8) / 10,
    ffmpeg_ok: ffmpeg !== null,
    ffmpeg_path: ffmpeg,
    ...network,
    started_at: Math.floor(deps.startedAt / 1000),
    ends_at: secondsOf(deps.endsAt()),
    ...(guard.problems.length > 0 && { error: guard.problems.join('; ').slice(0, ERROR_CHARS) }),
  }
}

async function machineOf({ value }: Guard) {
  const [version, processors] = await Promise.all([
    value('os version', '', () => `${systemName()} ${release()}, ${systemVersion()}`),
    value('processor', [], cpus),
  ])
  return {
    platform: process.platform as string,
    arch: process.arch as string,
    os_version: version,
    cpu_model: processors[0]?.model.trim() ?? '',
    cpu_count: processors.length,
    ram_total_gb: gib(totalmem()),
  }
}

async function enginesOf({ value }: Guard, { speechModel, recognitionModel, translator }: Deps) {
  const [speech, recognition, translation] = await Promise.all([
    value('speech engine', '', speechModel),
    value('recognition engine', '', recognitionModel),
    value('translation', '', translator),
  ])
  return { model_checkpoint: speech, asr_model: recognition, translate_provider: translation }
}

async function networkOf({ value }: Guard, { sharing, proxy, variable, port }: Deps) {
  const [shared, proxyUrl, uiPort] = await Promise.all([
    value<LanSharing>('sharing', NOT_SHARED, sharing),
    value('proxy', '', () => withoutPassword(proxy())),
    value('page port', 0, () => Number(variable('VOICESTUDIO_UI_PORT'))),
  ])
  return {
    proxy_url: proxyUrl,
    share_enabled: shared.enabled,
    share_port: shared.port,
    lan_addresses: [...shared.addresses],
    pin_required: shared.pinRequired,
    backend_port: port,
    share_port_base: shared.firstPort,
    // The studio serves its page itself; an owner who puts a server in front of it says so.
    ui_port: uiPort || port,
  }
}

function withoutPassword(address: string): string {
  const url = URL.parse(address)
  if (!url || (url.username === '' && url.password === '')) return address
  url.username = ''
  url.password = ''
  return url.href
}

const secondsOf = (ms: number | null): number | null => (ms === null ? null : Math.ceil(ms / 1000))
