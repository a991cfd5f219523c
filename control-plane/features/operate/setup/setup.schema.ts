// Schemas of the setup routes.
import { z } from 'zod'
import { MediaOperation } from '#control-plane/features/base/media-tools/media-tools.schema.ts'

export const SetupStatus = z
  .object({
    models_ready: z.boolean(),
    missing: z.array(z.object({ repo_id: z.string(), label: z.string() })),
    hf_cache_dir: z.string(),
    disk_free_gb: z.number().nullable(),
    min_free_gb: z.number(),
    enough_disk: z.boolean(),
  })
  .meta({ id: 'SetupStatus' })
export type SetupStatus = z.output<typeof SetupStatus>

export const PreflightCheck = z.object({
  id: z.string(),
  label: z.string(),
  status: z.enum(['pass', 'warn', 'fail']),
  detail: z.string(),
  fix: z.string().nullable(),
  mirror_reachable: z.boolean().optional(),
  endpoint: z.string().optional(),
})
export type PreflightCheck = z.output<typeof PreflightCheck>

export const SetupDevice = z.object({
  os: z.string(),
  arch: z.string(),
  gpu_vendor: z.string().nullable(),
  gpu_backend: z.string().nullable(),
  gpu_available: z.boolean(),
  gpu_driver: z.string().nullable(),
  gpu_device_name: z.string().nullable(),
  gpu_family: z.string().nullable(),
  vram_gb: z.number().nullable(),
  ram_gb: z.number(),
  disk_free_gb: z.number().nullable(),
})
export type SetupDevice = z.output<typeof SetupDevice>

export const GpuRouting = z.object({
  engine: z.string(),
  effective_device: z.string(),
  routing_status: z.enum(['accelerated', 'cpu_only', 'cpu_fallback', 'unavailable', 'n/a']),
  routing_reason: z.string().nullable(),
  host_family: z.string(),
  vram_gb: z.number().nullable(),
})

export const Preflight = z
  .object({
    ok: z.boolean(),
    has_warnings: z.boolean(),
    checks: z.array(PreflightCheck),
    device: SetupDevice,
    gpu_routing: GpuRouting.nullable(),
    media_tools: z.object({ ready: z.boolean(), acquire: MediaOperation }),
  })
  .meta({ id: 'Preflight' })
export type Preflight = z.output<typeof Preflight>

export const Recommendations = z
  .object({
    device: z.object({
      os: z.string(),
      arch: z.string(),
      is_mac_arm: z.boolean(),
      is_mac_intel: z.boolean(),
      is_linux: z.boolean(),
      is_windows: z.boolean(),
      has_cuda: z.boolean(),
      label: z.string(),
    }),
    rationale: z.string(),
    models: z.array(
      z.object({
        repo_id: z.string(),
        label: z.string(),
        role: z.string(),
        size_gb: z.number(),
        required: z.boolean(),
        note: z.string(),
        installed: z.boolean(),
      }),
    ),
    download_gb_remaining: z.number(),
    total_gb: z.number(),
    all_installed: z.boolean(),
  })
  .meta({ id: 'Recommendations' })
export type Recommendations = z.output<typeof Recommendations>
