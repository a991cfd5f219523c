// The setup checks as pure functions of the findings.

import type { z } from 'zod'
import type { TtsBackend } from '#control-plane/features/machines/engines/engines.schema.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { GpuRouting, PreflightCheck, SetupDevice } from './setup.schema.ts'

export type Found = {
  readonly device: SetupDevice
  /** The selected speech engine as GET /engines lists it; null until the local agent has described itself. */
  readonly engine: Pick<TtsBackend, 'id' | 'effective_device' | 'routing_status' | 'routing_reason'> | null
  readonly python: string | null
  readonly node: string
  readonly folderWritable: boolean
  readonly folder: string
  readonly endpoint: string
  /** Null: the model server was not contacted. */
  readonly reachable: boolean | null
}
/** Names of systems as people write them. */
export const SYSTEMS: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }
export const MIN_FREE_GB = 10
const RAM = { fail: 8, warn: 12 }
/** Systems report less than the installed memory, because the firmware reserves a part. */
const ALLOWANCE = 0.93

const gb = (value: number) => `${value.toFixed(1)} GB`

/** In the order of the specification. */
export function checksOf(found: Found): PreflightCheck[] {
  const { device, engine, python, node, folderWritable, folder, endpoint, reachable } = found
  const isSupported = ['linux', 'darwin', 'win32'].includes(device.os) && ['x64', 'arm64'].includes(device.arch)
  const enoughRam = device.ram_gb >= RAM.fail * ALLOWANCE
  const plentyRam = device.ram_gb >= RAM.warn * ALLOWANCE
  const free = device.disk_free_gb
  const checks: PreflightCheck[] = [
    row(
      'os',
      'Operating system',
      isSupported ? 'pass' : 'warn',
      `${SYSTEMS[device.os] ?? device.os} ${device.arch}`,
      'The studio was not tested on this system.',
    ),
    row('python', 'Python', 'pass', `Not needed: the studio runs on Node ${node}.${python ? ` Found: ${python}.` : ''}`, ''),
    row(
      'ram',
      'Memory',
      enoughRam ? (plentyRam ? 'pass' : 'warn') : 'fail',
      gb((device.ram_gb * 2 ** 30) / 1e9), // decimal, as all sizes for people
      `${RAM.warn} GB are recommended and ${RAM.fail} GB needed for the larger models.`,
    ),
    row(
      'disk',
      'Free disk space',
      free === null ? 'warn' : free >= MIN_FREE_GB ? 'pass' : 'fail',
      free === null ? 'The free space is unknown.' : `${gb(free)} free`,
      `At least ${MIN_FREE_GB} GB must stay free. Free some space.`,
    ),
    row(
      'hf_cache_writable',
      'Model folder',
      folderWritable ? 'pass' : 'fail',
      folder,
      'The studio cannot write to this folder. Correct its owner, or set STUDIO_DATA_DIR to another folder.',
    ),
    row(
      'gpu',
      'Graphics card',
      device.gpu_available ? 'pass' : 'warn',
      device.gpu_device_name ?? 'None that the engines of this machine can use.',
      'Small models run fast without one, large models run slowly. You can borrow a machine that has one.',
    ),
  ]
  if (engine) {
    const { routing_status, routing_reason } = engine
    const status = routing_status === 'unavailable' ? 'fail' : routing_reason === null ? 'pass' : 'warn'
    checks.push(
      row(
        'gpu_routing',
        'Speech engine',
        status,
        routing_reason ?? `${engine.id} runs on ${engine.effective_device}.`,
        `Install a model for speech. ${COMMAND} models lists them.`,
      ),
    )
  }
  if (reachable === null) return checks
  const network = row(
    'network',
    'Model server',
    reachable ? 'pass' : 'warn',
    reachable ? `${endpoint} answers.` : `${endpoint} does not answer.`,
    'Installed models work without it. To install others, connect this machine to the internet or choose a mirror in the settings.',
  )
  return [...checks, { ...network, mirror_reachable: reachable, endpoint }]
}

/** Null until the local agent has described itself. */
export function routingOf({ engine, device }: Found): z.output<typeof GpuRouting> | null {
  if (!engine) return null
  return {
    engine: engine.id,
    effective_device: engine.effective_device,
    routing_status: engine.routing_status,
    routing_reason: engine.routing_reason,
    host_family: device.gpu_backend ?? 'cpu',
    vram_gb: device.vram_gb,
  }
}

const row = (id: string, label: string, status: PreflightCheck['status'], detail: string, fix: string): PreflightCheck => ({
  id,
  label,
  status,
  detail,
  fix: status === 'pass' ? null : fix,
})
