// One pass of the scheduler over 10,000 machines, while 50 of them have changed since the last one. The baseline reads every machine again and
// judges each for each task.

import { STUDIO_CLIENT } from '#control-plane/clients/client.ts'
import { createLiveCandidates } from '#control-plane/scheduler/live-candidates.ts'
import { place } from '#control-plane/scheduler/place.ts'
import { createViews, type Presence } from '#control-plane/scheduler/views.ts'
import type { Line } from '#control-plane/tasks/queue.ts'
import type { TaskRecord } from '#control-plane/tasks/record.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { worker } from '#test/support/builders/worker.ts'
import { placeOneByOne } from '#test/support/placement/one-by-one.ts'
import { interleave, row, title } from './support/rounds.ts'

const AGENTS = 10_000
const CHANGED = 50
const ROUNDS = 15

type Session = NonNullable<ReturnType<Presence['get']>>
type Capability = ReturnType<Session['capabilities']>[number]

const capability = (engine: string, model: string, operation: string): Capability => ({
  engine,
  model,
  operation,
  supported: true,
  installed: true,
  downloaded: true,
  device: 'cuda:0',
  permits: 1,
  memory_bytes: 0,
})

function sessionOf(workerId: string, index: number): Session {
  const capabilities = [
    capability('omnivoice', 'large', 'tts'),
    capability('omnivoice', 'small', 'tts'),
    capability('parakeet', 'v3', 'asr'),
    capability('tone', '', 'tts'),
  ]
  return {
    workerId,
    isReady: () => true,
    isStale: () => false,
    isCooling: () => false,
    isDrained: () => false,
    isDraining: () => false,
    capabilities: () => capabilities,
    residentModels: () => ['omnivoice:large'],
    latencyMs: () => index % 40,
    freeMemoryBytes: () => 8e9,
    freeDiskBytes: () => 8e9,
  }
}

function fleetOf() {
  const workers = new Map(Array.from({ length: AGENTS }, (_, index) => [`w${index}`, worker({ id: `w${index}` })]))
  const sessions = new Map([...workers.keys()].map((id, index) => [id, sessionOf(id, index)]))
  // Half of the machines are busy.
  const busy = { spec: { engine: 'omnivoice', model: 'large', operation: 'tts', size: 100 }, task: { phase: 'running' } } as TaskRecord
  const held = (id: string) => (Number(id.slice(1)) % 2 === 0 ? [busy] : [])
  const { view } = createViews({
    presence: { get: (id) => sessions.get(id), awayMs: () => 0 },
    ledger: { held } as Parameters<typeof createViews>[0]['ledger'],
    estimate: () => ({ loadMs: 5_000, msPerUnit: 10 }),
    breakers: () => new Map(),
    remoteOn: () => true,
  })
  const live = createLiveCandidates({
    workers: { all: () => workers.values(), get: (id) => workers.get(id), onChanged() {} },
    ledger: { onStaged() {}, onUndone() {} },
    clock,
    view,
    remoteOn: () => true,
  })
  return { workers, view, live }
}

const lineOf = (waiting: number): Line => ({
  need: { operation: 'tts', engine: 'omnivoice', model: 'large', target: 'auto', excluded: [], avoided: [] },
  needKey: 'omnivoice',
  priority: 0,
  client: STUDIO_CLIENT,
  waiting: new Map(Array.from({ length: waiting }, (_, seq) => [`t${seq}`, { id: `t${seq}`, seq, size: 100 }])),
})

export async function run(): Promise<void> {
  title(`One pass of the scheduler over ${AGENTS} machines, ${CHANGED} of which have changed`)
  const { workers, view, live } = fleetOf()
  place([lineOf(1)], live.current())
  let next = 0
  const timed = async (work: () => void): Promise<number> => {
    const from = performance.now()
    work()
    return performance.now() - from
  }
  for (const waiting of [1, 8, 40, 64]) {
    const lines = [lineOf(waiting)]
    const times = await interleave(ROUNDS, {
      columns: () =>
        timed(() => {
          for (let i = 0; i < CHANGED; i++) live.touch(`w${(next + 7 * i) % AGENTS}`)
          next += 7 * CHANGED
          if (place(lines, live.current()).placements.length !== waiting) throw new Error('not every task was placed')
        }),
      one: () => timed(() => void placeOneByOne(lines, [...workers.values()].map(view))),
    })
    row(`${waiting} waiting, limit: every machine for every task`, times.columns, times.one, 'ms ', waiting <= 40 ? 'at most 1 ms' : '')
  }
}
