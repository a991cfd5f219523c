// The load of this machine, read without a child process.
import { cpus, freemem, totalmem } from 'node:os'
import type { Gpu } from '#shared/protocol/messages.ts'
import type { SystemLoad } from './overview.contract.ts'

type Times = { readonly busy: number; readonly all: number }
const ACTIVE_GIB = 0.01
export const gib = (bytes: number): number => Math.round((bytes / 2 ** 30) * 100) / 100

/** Times of all processors since the system started, in milliseconds. */
function times(): Times {
  let busy = 0
  let all = 0
  for (const { times: spent } of cpus()) {
    const total = spent.user + spent.nice + spent.sys + spent.irq + spent.idle
    busy += total - spent.idle
    all += total
  }
  return { busy, all }
}

/** `gpus`: of this machine, as its agent measured them. */
export function createLoad(gpus: () => readonly Gpu[]): () => SystemLoad {
  let before = times()
  let percent = 0
  return () => {
    const now = times()
    // Two clients that poll at the same time would otherwise divide by zero.
    if (now.all > before.all) percent = Math.round((1000 * (now.busy - before.busy)) / (now.all - before.all)) / 10
    before = now
    const vram = gib(gpus().reduce((sum, { memory_bytes: all, free_memory_bytes: free }) => sum + Math.max(0, all - free), 0))
    return {
      cpu: Math.min(100, Math.max(0, percent)),
      ram: gib(totalmem() - freemem()),
      total_ram: gib(totalmem()),
      vram,
      gpu_active: vram > ACTIVE_GIB,
    }
  }
}
