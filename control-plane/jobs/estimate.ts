// Estimates the remaining time of a job from the reports of running steps and from the earlier durations of other steps of the same kind.

export type StepLoad = {
  readonly kind: string
  /** Null before the step starts. */
  readonly elapsedMs: number | null
  /** 0 to 1 as the step reports it, or null. */
  readonly fraction: number | null
  /** The step's own estimate in seconds, or null. */
  readonly secondsLeft: number | null
}
export type Costs = ReturnType<typeof createCosts>

/** Weight of a new measurement in the moving average. */
const WEIGHT = 0.3
const KINDS = 256

/** Mean cost of steps by kind, in memory. */
export function createCosts() {
  const means = new Map<string, number>()
  return {
    add(kind: string, ms: number): void {
      const mean = means.get(kind)
      if (mean === undefined && means.size >= KINDS) return
      means.set(kind, mean === undefined ? ms : mean + WEIGHT * (ms - mean))
    },
    of: (kind: string): number | null => means.get(kind) ?? null,
  }
}

/** Whole seconds until all `remaining` steps have ended, `parallel` at a time; null if any part is unknown. */
export function secondsLeft(remaining: readonly StepLoad[], costs: Costs, parallel: number): number | null {
  let total = 0
  for (const load of remaining) {
    const ms = millisecondsLeft(load, costs)
    if (ms === null) return null
    total += ms
  }
  return Math.ceil(total / Math.max(1, Math.min(parallel, remaining.length)) / 1000)
}

function millisecondsLeft({ kind, elapsedMs, fraction, secondsLeft: own }: StepLoad, costs: Costs): number | null {
  if (own !== null) return own * 1000
  if (elapsedMs !== null && fraction !== null && fraction > 0) return (elapsedMs * (1 - fraction)) / fraction
  const cost = costs.of(kind)
  return cost === null ? null : Math.max(0, cost - (elapsedMs ?? 0))
}
