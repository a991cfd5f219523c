// A machine of the product, with its engine hosts, attempts and consent, that declares itself a pool: only the facts of the pool are the
// test's. Its studio must not be able to tell it from a pool with machines behind it.

import { createMachine } from '#agent/tenancy/machine.ts'
import type { AgentService } from '#shared/link/rpc.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import type { Random } from '#shared/runtime/random.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { noLogLines } from '../builders/no-log-lines.ts'
import { wirePool } from '../builders/wire.ts'
import type { Ending } from '../world/process.ts'
import { temporaryFolder } from '../world/world.ts'

export type PoolMachine = {
  readonly service: AgentService
  /** Declares other facts from now on, null for a single machine; the studio learns of it at once. */
  readonly declare: (pool: Wire<'Pool'> | null) => void
  /** The use of the pool; null says nothing. */
  readonly report: (use: Wire<'PoolUse'> | null) => void
  /** Operations of all runs that reached it. */
  readonly received: string[]
}

export async function poolMachine(
  t: Ending,
  { runsOn = 'rack-01', seed = random }: { runsOn?: string; seed?: Random } = {},
): Promise<PoolMachine> {
  const machine = createMachine({
    folder: temporaryFolder(t),
    development: true,
    downloadSource: () => ({ url: 'http://127.0.0.1:1', token: null, tokenUrl: 'http://127.0.0.1:1' }),
    modelsCache: null,
    hostEnvironment: { PATH: process.env['PATH'] ?? '' },
    clock,
    random: seed,
    log,
    lines: { of: () => noLogLines },
  })
  await machine.start()
  t.after(() => machine.stop())
  const { service } = machine.openTenant('studio')
  let pool: Wire<'Pool'> | null = wirePool()
  let use: Wire<'PoolUse'> | null = null
  let changes = 0
  let changed = Promise.withResolvers<null>()
  const received: string[] = []
  const named = (event: Wire<'Event'>): Wire<'Event'> => (event.fact === 'running' ? { ...event, running: { machine: runsOn } } : event)
  return {
    received,
    declare(next) {
      pool = next
      changes++
      changed.resolve(null)
    },
    report(next) {
      use = next
      changed.resolve(null)
    },
    service: {
      ...service,
      async describe(request, peer) {
        const description = await service.describe(request, peer)
        return { ...description, inventory: description.inventory + changes, pool }
      },
      async *watch(request, peer) {
        const reports = service.watch(request, peer)[Symbol.asyncIterator]()
        let next = reports.next()
        let last: Wire<'Snapshot'> | null = null
        while (!peer.signal.aborted) {
          // A change is reported at once, so that no test waits for the next report.
          const report = await Promise.race([next, changed.promise])
          if (report?.done) return
          if (report) next = reports.next()
          else changed = Promise.withResolvers()
          last = report?.value ?? last
          if (last) yield { ...last, inventory: last.inventory + changes, ...(use && { pool: use }) }
        }
      },
      run(call) {
        received.push(call.header.operation)
        return service.run({ ...call, write: (output) => call.write({ ...output, events: output.events?.map(named) }) } as typeof call)
      },
    },
  }
}
