// What neural engines can compute on here: each device is tried in a throw-away child, as an engine host would try it before its first graph.
import { parseDevices } from '#agent/engine/runtimes/onnx/place.ts'
import { createGraphTrial, type GraphTrial } from '#agent/engine/runtimes/onnx/trial.ts'
import type { Check } from './checks.ts'

const PATIENCE_MS = 20_000
const NAMES: Readonly<Record<string, string>> = {
  cuda: 'CUDA',
  webgpu: 'WebGPU',
  coreml: 'Core ML',
  directml: 'DirectML',
  cpu: 'the processor',
}

/** Without the place in the source of the runtime where it gave up. */
const short = (why: string): string => why.replace(/^\S*\/\S+:\d+ /, '').slice(0, 120)

/** Together, the best first. A device that does not work is no fault of a machine that has another; without any no neural engine runs. */
export async function checkDevices(
  trial: GraphTrial = createGraphTrial({ limitMs: PATIENCE_MS }),
  devices: readonly string[] = parseDevices(process.platform, process.arch),
): Promise<Check> {
  const tried = await Promise.all(devices.map(async (device) => ({ name: NAMES[device] ?? device, why: await trial(device, null) })))
  const works = tried.filter(({ why }) => why === null).map(({ name }) => name)
  const others = tried.flatMap(({ name, why }) => (why === null ? [] : [`not ${name}: ${short(why)}`]))
  if (works.length > 0)
    return { id: 'neural engines', status: 'ok', detail: [`they can run on ${works.join(', then on ')}`, ...others].join('; '), fix: null }
  return {
    id: 'neural engines',
    status: 'warn',
    detail: `they run on nothing here; ${others.join('; ')}`,
    fix: 'Install the packages of this program again (npm ci); the embedded voices work without.',
  }
}
