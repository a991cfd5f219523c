// The devices that neural engines can use here. Each device is tried in a child process, as an engine host tries it before its first graph.

import { platformDevices } from '#agent/engine/runtimes/onnx/place.ts'
import { type Card, findCards } from '#agent/engine/runtimes/onnx/trial/cards.ts'
import { createDeviceTrial, type DeviceTrial } from '#agent/engine/runtimes/onnx/trial/trial.ts'
import { cut } from '#cli/views/table.ts'
import { gpuFix } from '#shared/protocol/fields/gpu-causes.ts'
import { COMMAND } from '#shared/protocol/version.ts'
import type { DoctorCheck } from './checks.ts'

const ID = 'neural engines'
const LONGEST_REASON = 160
const NAMES: Readonly<Record<string, string>> = {
  cuda: 'CUDA',
  webgpu: 'WebGPU',
  coreml: 'Core ML',
  directml: 'DirectML',
  cpu: 'CPU',
}
export type DeviceChecks = {
  readonly trial?: DeviceTrial
  /** Ordered by preference. */
  readonly devices?: readonly string[]
  readonly cards?: () => Promise<readonly Card[]>
  readonly platform?: string
  readonly arch?: string
}

/** Tries all devices, in parallel. One working device is enough for the check not to fail; a card that cannot be used is a warning. */
export async function checkDevices({
  trial = createDeviceTrial(),
  platform = process.platform,
  arch = process.arch,
  devices = platformDevices(platform, arch),
  cards = findCards,
}: DeviceChecks = {}): Promise<DoctorCheck> {
  if (platform === 'darwin' && arch === 'x64')
    return {
      id: ID,
      status: 'warn',
      detail: 'the neural runtime has no build for Macs with Intel processors',
      fix: 'Use the voices that need no neural runtime, or borrow another machine.',
    }
  const [present, tried] = await Promise.all([
    cards().catch((): readonly Card[] => []),
    Promise.all(devices.map(async (device) => ({ device, name: NAMES[device] ?? device, cause: await trial(device) }))),
  ])
  const working = tried.filter(({ cause }) => cause === null).map(({ name }) => name)
  const reasons = tried.flatMap(({ name, cause }) => (cause ? [`no ${name}: ${cut(cause.reason, LONGEST_REASON)}`] : []))
  if (working.length === 0)
    return {
      id: ID,
      status: 'warn',
      detail: `no working device; ${reasons.join('; ')}`,
      fix: 'Reinstall the packages with npm ci. The voice Flite works without them.',
    }
  const causes = new Map(tried.map(({ device, cause }) => [device, cause]))
  const refused = present.flatMap(({ model, device }) => {
    const cause = causes.get(device)
    return cause ? [{ model, cause }] : []
  })
  if (refused.length === 0) return { id: ID, status: 'ok', detail: [`can use ${working.join(', ')}`, ...reasons].join('; '), fix: null }
  const unusable = refused.map(({ model, cause }) => `${model}: present, not usable, because ${cut(cause.reason, LONGEST_REASON)}`)
  const fixes = new Set(refused.map(({ cause }) => gpuFix(cause.code, COMMAND)))
  return { id: ID, status: 'warn', detail: `${unusable.join('; ')}; can use ${working.join(', ')}`, fix: [...fixes].join(' ') }
}
