// The GPUs of this machine that its engines can use. The driver's folder says which exist; a trial in a child process says whether they work, and
// runs only if there is one.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { z } from 'zod'
import type { DescriptionMessage } from '#shared/protocol/messages.ts'
import { execFile } from '#shared/runtime/child/process.ts'
import type { GraphTrial } from '../engine/runtimes/onnx/trial/trial.ts'

type Gpu = z.output<typeof DescriptionMessage>['host']['gpus'][number]
/** One line of the driver's program for each GPU; '' when it is missing or fails. */
export type QueryGpus = () => Promise<string>
type Deps = {
  readonly trial: GraphTrial
  readonly query?: QueryGpus
  /** Folder of the NVIDIA driver. */
  readonly folder?: string
}

const FOLDER = '/proc/driver/nvidia/gpus'
const MOST = 16
const QUERY_MS = 5_000
const MIB = 1024 * 1024
const COLUMNS = 'name,memory.total,memory.free,driver_version,compute_cap'

/** Names of the GPUs as the driver lists them, in the order of their addresses. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .slice(0, MOST)
      .map(
        (address) => /^Model:([^\n]{0,120})/m.exec(readFileSync(join(folder, address, 'information'), 'utf8'))?.[1]?.trim() || 'NVIDIA GPU',
      )
  } catch {
    return []
  }
}

export function createGpuProbe({ trial, query = queryDriver, folder = FOLDER }: Deps) {
  let found: readonly Gpu[] = []
  let changes = 0
  return {
    /** As of the newest probe; empty before it. */
    found: (): Gpu[] => found.map((gpu) => ({ ...gpu })),
    /** Counts the changes of `found`. */
    changes: (): number => changes,
    /** Never rejects. May take half a minute on a machine with a GPU. */
    async probe(): Promise<void> {
      const names = namesIn(folder)
      if (names.length === 0) return
      const why = await trial('cuda', null).catch((error: Error) => error.message)
      if (why !== null) return
      const lines = (await query()).split('\n')
      found = names.map((name, index) => gpuOf(name, lines[index] ?? ''))
      changes++
    },
  }
}

/** Unknown figures are 0 and unknown texts ''. */
function gpuOf(listedName: string, line: string): Gpu {
  const [name = '', total = '', free = '', driver = '', capability = ''] = line.split(',').map((cell) => cell.trim().slice(0, 64))
  const bytes = (cell: string) => (/^\d{1,9}$/.test(cell) ? Number(cell) * MIB : 0)
  const text = (cell: string) => (/^[\w.-]{1,32}$/.test(cell) ? cell : '')
  return {
    vendor: 'NVIDIA',
    model: name || listedName,
    backend: 'cuda',
    memory_bytes: bytes(total),
    free_memory_bytes: bytes(free),
    driver_version: text(driver),
    compute_capability: text(capability),
  }
}

const queryDriver: QueryGpus = () =>
  new Promise((resolve) => {
    const options = { timeout: QUERY_MS, maxBuffer: 64 * 1024, encoding: 'utf8' as const }
    execFile('nvidia-smi', [`--query-gpu=${COLUMNS}`, '--format=csv,noheader,nounits'], options, (error, stdout) =>
      resolve(error ? '' : stdout),
    )
  })
