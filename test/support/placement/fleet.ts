// Workers and lines as placement sees them, ready and idle unless told otherwise.
import { type Client, STUDIO_CLIENT } from '#control-plane/clients/client.ts'
import { type Candidates, createCandidates } from '#control-plane/scheduler/candidates.ts'
import { abilityKey, type WorkerView } from '#control-plane/scheduler/worker-view.ts'
import type { Line, Need } from '#control-plane/tasks/queue.ts'

type Wish = Partial<WorkerView> & {
  readonly permits?: number
  readonly resident?: boolean
  readonly msPerUnit?: number
  readonly loadMs?: number
  readonly memoryBytes?: number
}

export const workerOf = (
  id: string,
  { permits = 1, resident = true, msPerUnit = 10, loadMs = 5_000, memoryBytes = 0, ...view }: Wish = {},
): WorkerView => ({
  id,
  enabled: true,
  revoked: false,
  quarantined: false,
  consented: true,
  drained: false,
  draining: false,
  session: 'ready',
  awayMs: 0,
  cooling: false,
  priority: 50,
  abilities: new Map([[abilityKey('svc-engine', '', 'tts'), { permits, resident, loadMs, msPerUnit, memoryBytes }]]),
  held: new Map(),
  backlogMs: 0,
  transferMs: 0,
  breakers: new Map(),
  freeMemoryBytes: 0,
  freeDiskBytes: 0,
  ...view,
})

export const NEED: Need = { operation: 'tts', engine: 'svc-engine', model: '', target: 'auto', excluded: [], avoided: [] }

export function candidatesOf(workers: readonly WorkerView[]): Candidates {
  const { candidates, put } = createCandidates()
  for (const worker of workers) put(worker)
  return candidates
}

/** Tasks named by their numbers, which are also their ages. */
export const lineOf = (
  seqs: readonly number[],
  need: Partial<Need> = {},
  priority: 0 | 1 = 0,
  size = 100,
  client: Client = STUDIO_CLIENT,
): Line => ({
  need: { ...NEED, ...need },
  needKey: JSON.stringify({ ...NEED, ...need }),
  priority,
  client,
  waiting: new Map(seqs.map((seq) => [`t${seq}`, { id: `t${seq}`, seq, size }])),
})
