// The device families of this machine, and which one is in force.
import { DEVICES, type DeviceChoice } from './choices.settings.ts'

export type Family = Exclude<DeviceChoice, 'auto'>
export type DeviceScene = {
  readonly value: DeviceChoice
  /** The choice that was in force at the start of the studio. */
  readonly applied: DeviceChoice
  readonly available: readonly Family[]
  readonly isPinned: boolean
}

/** Names that the engine runtimes use for a family. */
const FAMILY_OF: Readonly<Record<string, Family>> = {
  cuda: 'cuda',
  rocm: 'rocm',
  migraphx: 'rocm',
  xpu: 'xpu',
  coreml: 'mps',
  mps: 'mps',
  metal: 'mps',
  cpu: 'cpu',
}

/** The families of devices as engines and GPU probes report them, best first; the CPU is always one. */
export function familiesOf(devices: Iterable<string>): Family[] {
  const found = new Set<Family>(['cpu'])
  for (const device of devices) {
    const family = FAMILY_OF[device.toLowerCase().split(':')[0]!]
    if (family) found.add(family)
  }
  return DEVICES.filter((one) => one !== 'auto').filter((one) => found.has(one))
}

export function deviceView({ value, applied, available, isPinned }: DeviceScene) {
  const automatic = available[0] ?? 'cpu'
  const isHonoured = applied === 'auto' || available.includes(applied)
  return {
    value,
    applied,
    restart_required: value !== applied,
    override_ignored: !isHonoured,
    effective_family: applied !== 'auto' && isHonoured ? applied : automatic,
    auto_family: automatic,
    available_families: [...available],
    env_pinned: isPinned,
    choices: [...DEVICES],
  }
}
