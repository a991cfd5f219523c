// Chooses the device for a graph by trying the devices of the platform in order. The graph carries the chosen device and the reason.

import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { type Graph, type GraphFactory, openGraph } from './session.ts'
import { type GraphTrial, loadInChild } from './trial/trial.ts'

const DEVICE_ORDER: Readonly<Record<string, readonly string[]>> = {
  'linux-x64': ['cuda', 'webgpu', 'cpu'],
  'linux-arm64': ['cpu'],
  'darwin-arm64': ['webgpu', 'coreml', 'cpu'],
  'win32-x64': ['webgpu', 'directml', 'cpu'],
  'win32-arm64': ['webgpu', 'directml', 'cpu'],
}
/** Devices that the runtime supports on this platform, best first. */
export const platformDevices = (platform: string, arch: string): readonly string[] => DEVICE_ORDER[`${platform}-${arch}`] ?? ['cpu']

/** More threads do not speed up these graphs, and the agent and other hosts need cores too. */
const MAX_THREADS = 8
export const defaultThreads = (cores: number): number => Math.max(1, Math.min(MAX_THREADS, cores - 1))

/** Shares the results of trials between all engines of this process. */
export const openPlacedGraph: GraphFactory = (file, options) => {
  sharedPlacer ??= createPlacer()
  return sharedPlacer.open(file, options)
}
let sharedPlacer: Placer | null = null

/** The first device that works and opens these graphs, for a library that opens them itself. Shares the results of trials. */
export const chooseDevice: ChooseDevice = (devices, files) => {
  sharedPlacer ??= createPlacer()
  return sharedPlacer.choose(devices, files)
}

/** Devices of the runtime for a family that the owner chose. A family that is absent here restricts nothing. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = { cpu: ['cpu'], cuda: ['cuda', 'cpu'], mps: ['coreml', 'webgpu', 'cpu'] }

/** Restricts the graphs that this process opens from now on to a family of devices, such as 'cpu'; 'auto' for no restriction. */
export function restrictDevices(family: string): void {
  const allowed = FAMILIES[family]
  sharedPlacer = createPlacer(allowed ? { allowed } : {})
}

export type PlacedDevice = { readonly device: string; readonly reason: string }
/** `devices`: as in `createGraphPlacer`. The last one is not tried. Throws MODEL_NOT_DOWNLOADED for a file that cannot be read. */
export type ChooseDevice = (devices: string, files: readonly string[]) => Promise<PlacedDevice>
export type Placer = { readonly open: GraphFactory; readonly choose: ChooseDevice }

export type PlaceDeps = {
  readonly trial?: GraphTrial
  readonly open?: GraphFactory
  readonly platform?: string
  readonly arch?: string
  readonly cores?: number
  /** The devices that may be used; by default all. */
  readonly allowed?: readonly string[]
}

/**
 * A factory that accepts several devices: 'auto' for all devices of the platform, or a list such as 'cuda,cpu'. Every device except the CPU
 * is first tried in a child process, because a driver that crashes or hangs must not end a host with running work. Results of trials are
 * kept for the lifetime of this process.
 */
export const createGraphPlacer = (deps: PlaceDeps = {}): GraphFactory => createPlacer(deps).open

/** The same, with the choice alone. */
export function createPlacer(deps: PlaceDeps = {}): Placer {
  const { trial = loadInChild, open = openGraph, platform = process.platform, arch = process.arch } = deps
  const { cores = availableParallelism(), allowed } = deps
  const known = platformDevices(platform, arch)
  const tried = new Map<string, Promise<string | null>>()
  const runTrial = (device: string, file: string | null, key: string): Promise<string | null> => {
    const earlier = tried.get(key)
    if (earlier) return earlier
    const started = trial(device, file)
    tried.set(key, started)
    return started
  }

  async function refusalReason(device: string, file: string): Promise<string | null> {
    if (device === 'cpu') return null
    if (!known.includes(device)) return 'not on this platform'
    const bare = await runTrial(device, null, device)
    if (bare !== null) return bare
    // Size and time are part of the key because the file may be replaced.
    const { size, mtimeMs } = await stat(file)
    return await runTrial(device, file, `${device} ${file} ${size} ${mtimeMs}`)
  }

  function candidatesOf(devices: string): readonly string[] {
    const wanted = devices === 'auto' ? known : devices.split(',')
    const usable = wanted.filter((device) => allowed === undefined || allowed.includes(device))
    // An engine that runs on one other device only still runs there.
    return usable.length > 0 ? usable : wanted
  }
  const refusal = (device: string, file: string): Promise<string | null> =>
    refusalReason(device, file).catch((error: Error) => {
      throw new Failure('MODEL_NOT_DOWNLOADED', `The file ${basename(file)} cannot be read. Download the model again.`, { cause: error })
    })

  const choose: ChooseDevice = async (devices, files) => {
    const candidates = candidatesOf(devices)
    const reasons: string[] = []
    for (const device of candidates.slice(0, -1)) {
      let reason: string | null = null
      for (const file of files) reason ??= await refusal(device, file)
      if (reason === null) return { device, reason: reasons.join('; ') }
      reasons.push(`${device}: ${reason}`)
    }
    return { device: candidates.at(-1)!, reason: reasons.join('; ') }
  }

  const openPlaced: GraphFactory = async (file, options) => {
    const candidates = candidatesOf(options.device)
    const reasons: string[] = []
    for (const device of candidates) {
      const reason = await refusal(device, file)
      if (reason !== null) {
        reasons.push(`${device}: ${reason}`)
        continue
      }
      try {
        const graph = await open(file, { ...options, device, threads: options.threads ?? defaultThreads(cores) })
        return { ...graph, device, reason: reasons.join('; ') } satisfies Graph
      } catch (error) {
        // The failure of the last device counts. A wrong export is wrong on every device.
        const failure = Failure.from(error, 'WORKER_FAILED')
        if (device === candidates.at(-1) || (failure.detail as { wrong?: unknown } | undefined)?.wrong) throw failure
        reasons.push(`${device}: ${failure.message}`)
      }
    }
    throw new Failure('MODEL_NOT_INSTALLED', `The graph ${basename(file)} runs on no device of this machine: ${reasons.join('; ')}.`)
  }
  return { open: openPlaced, choose }
}
