// The folder of the CUDA parts: its state, and the environment in which it is used.
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { z } from 'zod'
import { clearUnfinished, unfinishedIn } from '#shared/runtime/unfinished.ts'
import { CUDA_SET, type CudaSet, folderName } from './cuda-parts.ts'

type Env = Readonly<Record<string, string | undefined>>
const RECORD = 'gpu.json'
const MAX_RECORD_BYTES = 64 * 1024
const PATHS = 'LD_LIBRARY_PATH'
/** Unfinished downloads, beside the folders. */
export const DOWNLOADS = 'download'

export const GpuRecord = z.object({
  runtime: z.string().max(64),
  cuda: z.string().max(64),
  files: z.array(z.object({ name: z.string().max(200), bytes: z.int().min(0) })).max(200),
  parts: z.array(z.object({ file: z.string().max(200), sha256: z.string().max(64) })).max(50),
})
export type GpuRecord = z.output<typeof GpuRecord>
export type GpuFolder = {
  readonly path: string
  readonly bytes: number
  /** Names of the files that are missing or have another size. */
  readonly lost: readonly string[]
}

export const gpuRoot = (dataDir: string): string => join(dataDir, 'gpu')
export const recordPath = (folder: string): string => join(folder, RECORD)
const sizeAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? -1

/** The parts for the runtime of this version of the program; null when they are not installed. */
export function installedGpu(dataDir: string, set: CudaSet = CUDA_SET): GpuFolder | null {
  const path = join(gpuRoot(dataDir), folderName(set))
  const record = recordAt(path)
  if (record === null || record.runtime !== set.runtime) return null
  const lost = record.files.filter(({ name, bytes }) => sizeAt(join(path, name)) !== bytes).map(({ name }) => name)
  return { path, bytes: record.files.reduce((sum, { bytes }) => sum + bytes, 0), lost }
}

function recordAt(folder: string): GpuRecord | null {
  try {
    const size = sizeAt(recordPath(folder))
    if (size < 0 || size > MAX_RECORD_BYTES) return null
    return GpuRecord.safeParse(JSON.parse(readFileSync(recordPath(folder), 'utf8'))).data ?? null
  } catch {
    return null
  }
}

/** Names of the folders for other versions of the program; they are not used. */
export const otherVersions = (dataDir: string, set: CudaSet = CUDA_SET): string[] =>
  entriesOf(gpuRoot(dataDir)).filter((name) => name.startsWith('ort-') && name !== folderName(set))

/** Bytes of archives that were downloaded for an installation that did not end. */
export function downloadedBytes(dataDir: string): number {
  const folder = join(gpuRoot(dataDir), DOWNLOADS)
  const parts = entriesOf(join(folder, '.parts')).map((name) => join(folder, '.parts', name))
  const files = entriesOf(folder).map((name) => join(folder, name))
  return [...parts, ...files].reduce((sum, path) => sum + (path.endsWith('.parts') ? 0 : Math.max(0, sizeAt(path))), 0)
}

/**
 * The environment of engine hosts and trials: the loader searches the folder first, so that the runtime finds the provider of its own version. As it
 * was when nothing is installed, or when the owner chose the CPU.
 */
export function gpuEnvironment<E extends Env>(env: E, dataDir: string, deviceFamily = 'auto', set: CudaSet = CUDA_SET): E {
  const folder = deviceFamily === 'cpu' ? null : installedGpu(dataDir, set)
  return folder === null ? env : withLibraries(env, folder.path)
}

export const withLibraries = <E extends Env>(env: E, folder: string): E => ({
  ...env,
  [PATHS]: [folder, env[PATHS]].filter(Boolean).join(delimiter),
})

/** Removes every version and every download. A host that runs keeps what it has loaded. Returns false if there was nothing. */
export function removeGpu(dataDir: string): boolean {
  const root = gpuRoot(dataDir)
  if (entriesOf(root).length === 0) return false
  clearUnfinished(root)
  for (const name of entriesOf(root).filter((each) => each.startsWith('ort-'))) {
    // A folder that is half removed must not be taken for a whole one.
    const aside = unfinishedIn(root, `-${name}`)
    rmSync(aside, { recursive: true, force: true })
    renameSync(join(root, name), aside)
    rmSync(aside, { recursive: true, force: true })
  }
  rmSync(join(root, DOWNLOADS), { recursive: true, force: true })
  return true
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
