// The devices that neural engines can use here. Each device is tried in a child process, as an engine host tries it before its first graph.
import { platformDevices } from '#agent/engine/runtimes/onnx/place.ts'
import { createGraphTrial, type GraphTrial } from '#agent/engine/runtimes/onnx/trial.ts'
import { cut } from '../views/table.ts'
import type { DoctorCheck } from './checks.ts'

const TIMEOUT_MS = 20_000
const NAMES: Readonly<Record<string, string>> = {
  cuda: 'CUDA',
  webgpu: 'WebGPU',
  coreml: 'Core ML',
  directml: 'DirectML',
  cpu: 'CPU',
}

/** A failed assertion of the runtime starts with a place in its source and contains nothing for a reader; other messages with a function. */
const short = (reason: string): string =>
  /^[^\s:/]*(?:\/[^\s:/]*)+:\d+ /.test(reason) ? 'its runtime found no usable device' : cut(reason.replace(/^\w+: /, ''), 80)

/** Tries all devices in parallel; `devices` is ordered by preference. One working device is enough for the check to pass. */
export async function checkDevices(
  trial: GraphTrial = createGraphTrial({ limitMs: TIMEOUT_MS }),
  devices: readonly string[] = platformDevices(process.platform, process.arch),
): Promise<DoctorCheck> {
  const tried = await Promise.all(devices.map(async (device) => ({ name: NAMES[device] ?? device, why: await trial(device, null) })))
  const working = tried.filter(({ why }) => why === null).map(({ name }) => name)
  const others = tried.flatMap(({ name, why }) => (why === null ? [] : [`no ${name}: ${short(why)}`]))
  if (working.length > 0)
    return { id: 'neural engines', status: 'ok', detail: [`can use ${working.join(', ')}`, ...others].join('; '), fix: null }
  return {
    id: 'neural engines',
    status: 'warn',
    detail: `no working device; ${others.join('; ')}`,
    fix: 'Reinstall the packages with npm ci. The basic voice works without them.',
  }
}
