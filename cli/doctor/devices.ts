// The devices that neural engines can use here. Each device is tried in a child process, as an engine host tries it before its first graph.

import { platformDevices } from '#agent/engine/runtimes/onnx/place.ts'
import { nvidiaCards } from '#agent/engine/runtimes/onnx/trial/nvidia-cards.ts'
import { type GraphTrial, loadInChild } from '#agent/engine/runtimes/onnx/trial/trial.ts'
import { cut } from '#cli/views/table.ts'
import type { DoctorCheck } from './checks.ts'

const LONGEST_REASON = 160
const NAMES: Readonly<Record<string, string>> = {
  cuda: 'CUDA',
  webgpu: 'WebGPU',
  coreml: 'Core ML',
  directml: 'DirectML',
  cpu: 'CPU',
}

/** Tries all devices, in parallel; `devices` is ordered by preference. One working device is enough for the check to pass. */
export async function checkDevices(
  trial: GraphTrial = loadInChild,
  devices: readonly string[] = platformDevices(process.platform, process.arch),
  cards: readonly string[] = nvidiaCards(),
): Promise<DoctorCheck> {
  const tried = await Promise.all(devices.map(async (device) => ({ name: NAMES[device] ?? device, why: await trial(device, null) })))
  const working = tried.filter(({ why }) => why === null).map(({ name }) => name)
  const others = tried.flatMap(({ name, why }) => (why === null ? [] : [`no ${name}: ${cut(why, LONGEST_REASON)}`]))
  const cuda = tried.find(({ name }) => name === NAMES['cuda'])?.why
  if (working.length > 0 && cards.length > 0 && cuda)
    return {
      id: 'neural engines',
      status: 'warn',
      detail: `${cards.join(', ')}: present, not usable, because ${cut(cuda, LONGEST_REASON)}; can use ${working.join(', ')}`,
      fix: 'Engines work without it, but slowly.',
    }
  if (working.length > 0)
    return { id: 'neural engines', status: 'ok', detail: [`can use ${working.join(', ')}`, ...others].join('; '), fix: null }
  return {
    id: 'neural engines',
    status: 'warn',
    detail: `no working device; ${others.join('; ')}`,
    fix: 'Reinstall the packages with npm ci. The voice Flite works without them.',
  }
}
