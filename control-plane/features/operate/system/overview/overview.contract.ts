// The description of this installation and machine, and the load of the machine.
import { z } from 'zod'
import { TokenState } from '#control-plane/features/base/settings/hub/hub.contract.ts'
import { AsrFamily } from '#control-plane/features/machines/engines/engines.schema.ts'
import { contract } from '#control-plane/http/contract/contract.ts'

/** Sizes are in GiB. */
const Info = z
  .object({
    app_version: z.string(),
    data_dir: z.string(),
    outputs_dir: z.string(),
    crash_log_path: z.string(),
    idle_timeout_seconds: z.int(),
    model_checkpoint: z.string(),
    asr_model: z.string(),
    translate_provider: z.string(),
    has_hf_token: z.boolean(),
    fast_download: z.null(),
    device: z.string(),
    python: z.string(),
    platform: z.string(),
    arch: z.string(),
    os_version: z.string(),
    cpu_model: z.string(),
    cpu_count: z.int(),
    ram_total_gb: z.number(),
    gpu_name: z.string().nullable(),
    vram_total_gb: z.number(),
    disk_free_gb: z.number().nullable(),
    ffmpeg_ok: z.boolean(),
    ffmpeg_path: z.string().nullable(),
    proxy_url: z.string(),
    share_enabled: z.boolean(),
    share_port: z.int().nullable(),
    lan_addresses: z.array(z.string()),
    pin_required: z.boolean(),
    backend_port: z.int(),
    share_port_base: z.int(),
    ui_port: z.int(),
    /** Extension: when the studio started, in epoch seconds. */
    started_at: z.int(),
    /** Extension: latest moment at which the studio ends, in epoch seconds; null while it accepts work. */
    ends_at: z.int().nullable(),
    error: z.string().optional(),
  })
  .meta({ id: 'SystemInfo' })
export type SystemOverview = z.output<typeof Info>
const Load = z
  .object({ cpu: z.number(), ram: z.number(), total_ram: z.number(), vram: z.number(), gpu_active: z.boolean() })
  .meta({ id: 'SystemLoad' })
export type SystemLoad = z.output<typeof Load>
const Quarantine = z
  .object({ quarantined: z.boolean(), error_class: z.literal('GATEKEEPER_QUARANTINE').nullable(), bundle_path: z.string().nullable() })
  .meta({ id: 'QuarantineStatus' })
const step = z.object({
  id: z.string(),
  label: z.string(),
  state: z.enum(['pending', 'active', 'done', 'failed']),
  t: z.number().optional(),
})
const Startup = z
  .object({
    status: z.enum(['starting', 'ready', 'failed']),
    step: z.string(),
    label: z.string(),
    steps: z.array(step),
    elapsed_s: z.number(),
    error: z.object({ step: z.string(), message: z.string() }).nullable(),
    app_version: z.string(),
  })
  .meta({ id: 'StartupProgress' })
export type StartupProgress = z.output<typeof Startup>

export const overviewContracts = {
  readInfo: contract({
    id: 'system.readInfo',
    method: 'GET',
    path: '/system/info',
    access: 'admin',
    summary: 'Describes this installation and its machine. Never fails: a value that cannot be read has its default, and error names it.',
    reply: Info,
  }),
  readLoad: contract({
    id: 'system.readLoad',
    method: 'GET',
    path: '/sysinfo',
    access: 'admin',
    summary: 'Returns the load of the machine: processor in percent since the previous call, memory in GiB.',
    reply: Load,
  }),
  readQuarantine: contract({
    id: 'system.readQuarantine',
    method: 'GET',
    path: '/system/quarantine-status',
    access: 'admin',
    summary: 'Returns whether macOS has quarantined the application. The studio is no application bundle, so it never has.',
    reply: Quarantine,
  }),
  listRecognisers: contract({
    id: 'system.listRecognisers',
    method: 'GET',
    path: '/system/asr-backends',
    access: 'admin',
    summary: 'Lists the recognition engines and why some are not available.',
    reply: AsrFamily.pick({ active: true, backends: true }).meta({ id: 'Recognisers' }),
  }),
  readHubToken: contract({
    id: 'system.readHubToken',
    method: 'GET',
    path: '/system/hf-token/state',
    access: 'admin',
    summary: 'Returns the three sources of the token for the model hub, masked, and whether the hub accepts each.',
    reply: TokenState,
  }),
  readStartup: contract({
    id: 'system.readStartup',
    method: 'GET',
    path: '/startup/progress',
    access: 'open',
    summary: 'Returns the progress of the start. The studio accepts connections when its start has ended.',
    extension: true,
    reply: Startup,
  }),
}
