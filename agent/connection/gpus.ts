// The GPUs of this machine that its engines can use. The driver's folder says which exist; a trial in a child process says whether they work, and
// runs only if there is one.

import type { z } from 'zod'
import { nvidiaCards } from '#agent/engine/runtimes/onnx/trial/nvidia-cards.ts'
import type { GraphTrial } from '#agent/engine/runtimes/onnx/trial/trial.ts'
import type { DescriptionMessage, UnusableGpu } from '#shared/protocol/messages.ts'
import { execFile } from '#shared/runtime/child/process.ts'
import type { Log } from '#shared/runtime/log.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'

type Gpu = z.output<typeof DescriptionMessage>['host']['gpus'][number]
/** One line of the driver's program for each GPU; '' when it is missing or fails. */
export type QueryGpus = () => Promise<string>
type Deps = {
  readonly trial: GraphTrial
  readonly log: Pick<Log, 'warn'>
  readonly query?: QueryGpus
  /** Folder of the NVIDIA driver. */
  readonly folder?: string
}

const QUERY_MS = 5_000
const COLUMNS = 'name,memory.total,memory.free,driver_version,compute_cap'

export type GpuProbe = ReturnType<typeof createGpuProbe>

export function createGpuProbe({ trial, log, query = queryDriver, folder }: Deps) {
  let found: readonly Gpu[] = []
  let unusable: readonly UnusableGpu[] = []
  let changes = 0
  return {
    /** GPUs that engines can use, in the newest probe; empty before it. */
    found: (): Gpu[] => found.map((gpu) => ({ ...gpu })),
    /** GPUs that are present but cannot be used, in the newest probe. */
    unusable: (): UnusableGpu[] => unusable.map((gpu) => ({ ...gpu })),
    /** Counts the changes of both. */
    changes: (): number => changes,
    /** Never rejects. May take a minute on a machine with a GPU. */
    async probe(): Promise<void> {
      const names = nvidiaCards(folder)
      if (names.length === 0) return
      const reason = await trial('cuda', null).catch((error: Error) => `it cannot be tried: ${error.message}`)
      if (reason === null) {
        const lines = (await query()).split('\n')
        found = names.map((name, index) => gpuOf(name, lines[index] ?? ''))
      } else {
        unusable = names.map((model) => ({ model, reason }))
        log.warn({ gpus: names, reason }, 'the GPUs of this machine cannot be used')
      }
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
