// On which device a graph runs: found by trying, per graph, in the order of the platform. What took and why is told with the graph.

import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { type Graph, type GraphFactory, openGraph } from './session.ts'
import { type GraphTrial, loadInChild } from './trial.ts'

const ORDER: Readonly<Record<string, readonly string[]>> = {
  'linux-x64': ['cuda', 'webgpu', 'cpu'],
  'linux-arm64': ['cpu'],
  'darwin-arm64': ['webgpu', 'coreml', 'cpu'],
  'win32-x64': ['webgpu', 'directml', 'cpu'],
  'win32-arm64': ['webgpu', 'directml', 'cpu'],
}
/** The devices that the runtime could know on this platform, the best first. */
export const parseDevices = (platform: string, arch: string): readonly string[] => ORDER[`${platform}-${arch}`] ?? ['cpu']

/** More threads than this gain nothing for the graphs at hand, and the agent and its other hosts need cores too. */
const MOST_THREADS = 8
export const defaultThreads = (cores: number): number => Math.max(1, Math.min(MOST_THREADS, cores - 1))

/** Of this process: what a trial showed counts for every engine in it. */
export const openPlacedGraph: GraphFactory = (file, wish) => {
  shared ??= createGraphPlacer()
  return shared(file, wish)
}
let shared: GraphFactory | null = null

export type PlaceDeps = {
  readonly trial?: GraphTrial
  readonly open?: GraphFactory
  readonly platform?: string
  readonly arch?: string
  readonly cores?: number
}

/**
 * A factory whose wish may name several devices: 'auto' for all of this platform, or a list such as 'cuda,cpu'. Each but the CPU is tried in
 * a throw-away child first, because a driver that crashes or hangs must not take the host of running work with it. What a trial showed is
 * kept for the life of this process.
 */
export function createGraphPlacer(deps: PlaceDeps = {}): GraphFactory {
  const { trial = loadInChild, open = openGraph, platform = process.platform, arch = process.arch } = deps
  const { cores = availableParallelism() } = deps
  const known = parseDevices(platform, arch)
  const tried = new Map<string, Promise<string | null>>()
  const refusalOf = (device: string, file: string | null, key: string): Promise<string | null> => {
    const seen = tried.get(key)
    if (seen) return seen
    const started = trial(device, file)
    tried.set(key, started)
    return started
  }

  async function refused(device: string, file: string): Promise<string | null> {
    if (device === 'cpu') return null
    if (!known.includes(device)) return 'not on this platform'
    const bare = await refusalOf(device, null, device)
    if (bare !== null) return bare
    // The same name with other bytes is another graph.
    const { size, mtimeMs } = await stat(file)
    return await refusalOf(device, file, `${device} ${file} ${size} ${mtimeMs}`)
  }

  return async (file, wish) => {
    const wanted = wish.device === 'auto' ? known : wish.device.split(',')
    const whys: string[] = []
    for (const device of wanted) {
      const why = await refused(device, file).catch((error: Error) => {
        throw new Failure('MODEL_NOT_DOWNLOADED', `${basename(file)} cannot be read; download the model again`, { cause: error })
      })
      if (why !== null) {
        whys.push(`${device}: ${why}`)
        continue
      }
      try {
        const graph = await open(file, { ...wish, device, threads: wish.threads ?? defaultThreads(cores) })
        return { ...graph, device, reason: whys.join('; ') } satisfies Graph
      } catch (error) {
        // The last device's failure is the answer; a wrong export is wrong everywhere, and a smaller device does not mend it.
        const failure = Failure.from(error, 'WORKER_FAILED')
        if (device === wanted.at(-1) || (failure.detail as { wrong?: unknown } | undefined)?.wrong) throw failure
        whys.push(`${device}: ${failure.message}`)
      }
    }
    throw new Failure('MODEL_NOT_INSTALLED', `${basename(file)} runs on no device of this machine: ${whys.join('; ')}`)
  }
}
