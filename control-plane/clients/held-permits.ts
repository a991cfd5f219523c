// Permits that clients hold on machines, and their last turns there.
import type { Client } from './client.ts'
import { createCounts } from './counts.ts'
import { createTurnHistory } from './history.ts'

/** A task as its client shares machines with others. `priority`: 0 interactive, 1 batch. */
export type SharedWork = { readonly client: Client; readonly engine: string; readonly priority: 0 | 1 }
export type HeldPermits = ReturnType<typeof createHeldPermits>

export function createHeldPermits() {
  let running = createCounts()
  const history = createTurnHistory()
  /** Permits of sources, on each engine. */
  const held = new Map<string, number>()
  const keyOf = (source: string, engine: string, priority: 0 | 1) => `${priority} ${engine} ${source}`

  function change({ client, engine, priority }: SharedWork, amount: 1 | -1): void {
    running.add(client, amount)
    const key = keyOf(client.source, engine, priority)
    const next = (held.get(key) ?? 0) + amount
    if (next === 0) held.delete(key)
    else held.set(key, next)
  }

  return {
    begin(work: SharedWork): void {
      change(work, 1)
      history.began(work.client)
    },
    end: (work: SharedWork): void => change(work, -1),
    rebuild(all: Iterable<SharedWork>): void {
      running = createCounts()
      held.clear()
      for (const work of all) change(work, 1)
    },
    running: (sharer: string, depth: number): number => running.ofSharer(sharer, depth),
    lastTurn: history.lastTurn,
    /** True if the source has work on the engine that is as urgent, or more urgent. */
    holds: ({ client: { source }, engine, priority }: SharedWork): boolean =>
      held.has(keyOf(source, engine, 0)) || (priority === 1 && held.has(keyOf(source, engine, 1))),
  }
}
