// The figures of the library.

import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { LateCount } from '../api.ts'
import type { Usage } from './usage.contract.ts'
import { createTotals, type TakePart } from './usage.rules.ts'

type Deps = {
  readonly takes: { readonly parts: () => Iterable<TakePart> }
  readonly projects: { readonly count: () => number }
  readonly exports: { readonly count: () => number }
  /** The functions may be replaced until the figures are read. */
  readonly counts: Readonly<Record<LateCount, () => number>>
  readonly clock: Pick<Clock, 'now'>
}

export function createUsage({ takes, projects, exports, counts, clock }: Deps) {
  let running: Promise<Usage> | null = null

  async function compute(): Promise<Usage> {
    const totals = createTotals(localDay)
    for (const part of takes.parts()) {
      totals.add(part)
      await nextTurn()
    }
    return {
      ...totals.figures(),
      voices: counts.voices(),
      dubs: counts.dubs(),
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
