// The longest time of each phase without a keepalive (lease) and in total (budget). Pure; all durations in milliseconds.
import type { FailureCode } from './failure.ts'
import type { Phase } from './task.ts'

export type Lease = { readonly leaseMs: number; readonly budgetMs: number }

const SECOND = 1000
/** A keepalive renews the lease for this long: four missed keepalives of 30 s. */
export const PROGRESS_LEASE_MS = 120 * SECOND
/** Longest silence of a busy agent, so that two lost keepalives fit into the lease. */
export const KEEPALIVE_MS = 40 * SECOND
/** Interval of an agent's snapshots. */
export const BEAT_MS = 5 * SECOND
/** A studio without a snapshot for this long closes the link. */
export const LOST_MS = 3 * BEAT_MS
/** Interval of a studio's calls, so that the agent detects a lost studio. */
export const PING_MS = 2 * BEAT_MS
/** Time for the agents to reconnect after a restart of the studio. */
export const RESTART_GRACE_MS = 90 * SECOND
/** An idle engine host ends after this long, which frees the memory of its model. */
export const IDLE_UNLOAD_SECONDS = 600
const FACTORS: Readonly<Record<string, number>> = { tts: 1, clone: 2, asr: 2, dictation: 0.5, dub: 12, dub_segments: 12, audiobook: 24 }
const ACCEPT_MS = 20 * SECOND
const DELIVERY_MS = 900 * SECOND
const LOAD_MS = { resident: 60 * SECOND, downloaded: 600 * SECOND, absent: 1800 * SECOND }
const EXECUTION_SECONDS = { cpu: 600, other: 300 }
const FREE_CHARACTERS = 1200
const CHARACTERS_PER_SECOND = 40

/** The state of the model on the worker. */
export type LeaseTerms = { readonly device: string; readonly resident: boolean; readonly downloaded: boolean }

const loadBudget = ({ resident, downloaded }: LeaseTerms): number =>
  resident ? LOAD_MS.resident : downloaded ? LOAD_MS.downloaded : LOAD_MS.absent

/** A base per device plus a second per 40 characters beyond 1,200, times the factor of the operation. */
function executionBudget({ device }: LeaseTerms, operation: string, size: number): number {
  const base = device === 'cpu' ? EXECUTION_SECONDS.cpu : EXECUTION_SECONDS.other
  return (base + Math.max(0, size - FREE_CHARACTERS) / CHARACTERS_PER_SECOND) * SECOND * (FACTORS[operation] ?? 1)
}

/** Assumed for a worker without terms. */
const SLOWEST: LeaseTerms = { device: 'cpu', resident: false, downloaded: false }

/** Keepalives renew the lease, but never beyond the budget. */
const renewed = (budgetMs: number): Lease => ({ leaseMs: Math.min(PROGRESS_LEASE_MS, budgetMs), budgetMs })
const fixed = (budgetMs: number): Lease => ({ leaseMs: budgetMs, budgetMs })

/** Shortest and longest wait of an interrupted task for its worker: short for interactive tasks (0), longer for batches (1). */
const GRACE_MS = [
  { least: 4 * SECOND, most: 10 * SECOND },
  { least: 6 * SECOND, most: 30 * SECOND },
] as const
/** Time worked so far, within limits: it costs at most twice the better choice, whether or not the worker returns. */
const grace = (priority: 0 | 1, workedMs: number): number => {
  const { least, most } = GRACE_MS[priority]
  return Math.min(most, Math.max(least, workedMs))
}

/** `workedMs`: time since the worker accepted the task. */
export function leaseFor(
  phase: Phase,
  task: { readonly operation: string; readonly size: number; readonly priority: 0 | 1 },
  terms: LeaseTerms | null = null,
  workedMs = 0,
): Lease | null {
  switch (phase) {
    case 'offered':
      return fixed(ACCEPT_MS)
    case 'loading':
      return renewed(loadBudget(terms ?? SLOWEST))
    case 'running':
      return renewed(executionBudget(terms ?? SLOWEST, task.operation, task.size))
    case 'delivering':
      return fixed(DELIVERY_MS)
    case 'unknown':
      return fixed(grace(task.priority, workedMs))
    case 'cancelling':
      return fixed(10 * SECOND)
    default:
      return null
  }
}

/** The failure code of an expired lease: the budget is spent, or only the keepalives stopped. */
export function expiryCode(phase: Phase, budgetSpent: boolean): FailureCode {
  switch (phase) {
    case 'offered':
      return 'ACCEPT_TIMEOUT'
    case 'loading':
      return budgetSpent ? 'MODEL_LOAD_TIMEOUT' : 'PROGRESS_LEASE_EXPIRED'
    case 'delivering':
      return 'RESULT_DELIVERY_TIMEOUT'
    case 'unknown':
      return 'WORKER_DISCONNECTED'
    default:
      return budgetSpent ? 'EXECUTION_TIMEOUT' : 'PROGRESS_LEASE_EXPIRED'
  }
}
