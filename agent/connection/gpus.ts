// The GPUs of this machine that its engines can use. The system says which exist; a trial in a child process says which work, and runs only if
// there is one.

import type { z } from 'zod'
import { type Card, driverProgram, findCards } from '#agent/engine/runtimes/onnx/trial/cards.ts'
import type { DeviceTrial } from '#agent/engine/runtimes/onnx/trial/trial.ts'
import { gpuCause, gpuFix, isCapable } from '#shared/protocol/fields/gpu-causes.ts'
import type { DescriptionMessage, UnusableGpu } from '#shared/protocol/messages.ts'
import { AGENT_COMMAND } from '#shared/protocol/version.ts'
import { execFile } from '#shared/runtime/child/process.ts'
import type { Log } from '#shared/runtime/log.ts'
import { MIB } from '#shared/runtime/memory/bytes.ts'

type Gpu = z.output<typeof DescriptionMessage>['host']['gpus'][number]
/** One line of the driver's program for each GPU; '' when it is missing or fails. */
export type QueryGpus = () => Promise<string>
type Deps = {
  readonly trial: DeviceTrial
  readonly log: Pick<Log, 'warn'>
  readonly query?: QueryGpus
  readonly cards?: () => Promise<readonly Card[]>
}

const QUERY_MS = 5_000
const COLUMNS = 'name,memory.total,memory.free,driver_version,compute_cap'

export type GpuProbe = ReturnType<typeof createGpuProbe>

export function createGpuProbe({ trial, log, query = queryDriver, cards = findCards }: Deps) {
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
      const present = await cards().catch((): readonly Card[] => [])
      if (present.length === 0) return
      const usable: Gpu[] = []
      const refused: UnusableGpu[] = []
      for (const device of new Set(present.map((card) => card.device))) {
        const models = present.filter((card) => card.device === device)
        const lines = device === 'cuda' ? (await query()).split('\n') : []
        const described = models.map((card, index) => gpuOf(card, lines[index] ?? ''))
        const cause = await trial(device).catch((error: Error) => gpuCause('cannot-try', error.message))
        for (const gpu of described) {
          const own = cause ?? capabilityCause(gpu)
          if (own === null) usable.push(gpu)
          else refused.push({ model: gpu.model, ...own, fix: gpuFix(own.code, AGENT_COMMAND) })
        }
      }
      found = usable
      unusable = refused
      if (refused.length > 0)
        log.warn({ gpus: refused.map(({ model, reason }) => ({ model, reason })) }, 'GPUs of this machine cannot be used')
      changes++
    },
  }
}

/** The trial computes on the first card only; another one may be older. */
const capabilityCause = ({ compute_capability: capability }: Gpu) =>
  capability === '' || isCapable(capability) ? null : gpuCause('card-unsupported', ` (compute capability ${capability})`)

/** Unknown figures are 0 and unknown texts ''. */
function gpuOf({ vendor, model, device }: Card, line: string): Gpu {
  const [name = '', total = '', free = '', driver = '', capability = ''] = line.split(',').map((cell) => cell.trim().slice(0, 64))
  const bytes = (cell: string) => (/^\d{1,9}$/.test(cell) ? Number(cell) * MIB : 0)
  const text = (cell: string) => (/^[\w.-]{1,32}$/.test(cell) ? cell : '')
  return {
    vendor,
    model: name || model,
    backend: device,
    memory_bytes: bytes(total),
    free_memory_bytes: bytes(free),
    driver_version: text(driver),
    compute_capability: text(capability),
  }
}

const queryDriver: QueryGpus = () =>
  new Promise((resolve) => {
    const options = { timeout: QUERY_MS, maxBuffer: 64 * 1024, encoding: 'utf8' as const }
    execFile(driverProgram(), [`--query-gpu=${COLUMNS}`, '--format=csv,noheader,nounits'], options, (error, stdout) =>
      resolve(error ? '' : stdout),
    )
  })
