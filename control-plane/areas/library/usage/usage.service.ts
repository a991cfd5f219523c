// The figures of the library.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Usage } from './usage.contract.ts'
import { createTotals, type TakePart } from './usage.rules.ts'

type Deps = {
  readonly takes: { readonly parts: () => Iterable<TakePart> }
  readonly projects: { readonly count: () => number }
  readonly exports: { readonly count: () => number }
  /** The number of dubs. */
  readonly dubs: () => number
  readonly clock: Pick<Clock, 'now'>
}

export function createUsage({ takes, projects, exports, dubs, clock }: Deps) {
  let running: Promise<Usage> | null = null

  async function compute(): Promise<Usage> {
    const totals = createTotals(localDay)
    for (const part of takes.parts()) {
      totals.add(part)
      await setImmediate()
    }
    return {
      ...totals.figures(),
      // Profiles are not stored by this version.
      voices: 0,
      dubs: dubs(),
      projects: projects.count(),
      exports: exports.count(),
      local_only: true,
      generated_at: clock.now() / 1000,
    }
  }

  return {
    /** Requests at the same time share one computation. */
    read: (): Promise<Usage> =>
      (running ??= compute().finally(() => {
        running = null
      })),
  }
}

const localDay = (ms: number): string => {
  const date = new Date(ms)
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`
}
