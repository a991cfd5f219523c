// How long each phase may last without a sign of life (lease) and at all (budget). Pure arithmetic on lengths in milliseconds.
import type { FailureCode } from './failure.ts'
import type { Phase } from './task.ts'

export type Lease = { readonly leaseMs: number; readonly budgetMs: number }

const SECOND = 1000
/** A sign of life renews the lease for this long: four missed keepalives of 30 s. */
export const PROGRESS_LEASE_MS = 120 * SECOND
/** A busy agent speaks at least this often, so that two lost keepalives still fit into the lease. */
export const KEEPALIVE_MS = 40 * SECOND
/** An agent reports what it holds this often, */
export const BEAT_MS = 5 * SECOND
/** a studio that has not heard a report for this long gives the link up, */
export const LOST_MS = 3 * BEAT_MS
/** and asks something this often, so that the agent knows the same of its studio. */
export const PING_MS = 2 * BEAT_MS
/** After a restart of the studio the agents need time to notice and to come back. */
export const RESTART_GRACE_MS = 90 * SECOND
const FACTORS: Readonly<Record<string, number>> = { tts: 1, clone: 2, asr: 2, dictation: 0.5, dub: 12, dub_segments: 12, audiobook: 24 }
const ACCEPT_MS = 20 * SECOND
const DELIVERY_MS = 900 * SECOND
const LOAD_MS = { resident: 60 * SECOND, downloaded: 600 * SECOND, absent: 1800 * SECOND }
const EXECUTION_SECONDS = { cpu: 600, other: 300 }
const FREE_CHARACTERS = 1200
const CHARACTERS_PER_SECOND = 40

/** What the worker says of the model it was given. */
export type LeaseTerms = { readonly device: string; readonly resident: boolean; readonly downloaded: boolean }

const loadBudget = ({ resident, downloaded }: LeaseTerms): number =>
  resident ? LOAD_MS.resident : downloaded ? LOAD_MS.downloaded : LOAD_MS.absent

/** A base by device plus a second for each 40 characters beyond 1,200, times what the operation is known to need. */
function executionBudget({ device }: LeaseTerms, operation: string, size: number): number {
  const base = device === 'cpu' ? EXECUTION_SECONDS.cpu : EXECUTION_SECONDS.other
  return (base + Math.max(0, size - FREE_CHARACTERS) / CHARACTERS_PER_SECOND) * SECOND * (FACTORS[operation] ?? 1)
}

/** Of a worker that tells nothing the slowest is expected. */
const SLOWEST: LeaseTerms = { device: 'cpu', resident: false, downloaded: false }

/** Signs of life keep the lease, and never beyond the budget. */
const renewed = (budgetMs: number): Lease => ({ leaseMs: Math.min(PROGRESS_LEASE_MS, budgetMs), budgetMs })
const fixed = (budgetMs: number): Lease => ({ leaseMs: budgetMs, budgetMs })

/** An interrupted task waits for its worker, the least and the most: shortly when a person listens, longer in a batch. */
const GRACE_MS = [
  { least: 4 * SECOND, most: 10 * SECOND },
  { least: 6 * SECOND, most: 30 * SECOND },
] as const
/** As long as the work has already taken: whether the worker comes back or not, this is never more than twice what the better choice costs. */
const grace = (priority: 0 | 1, workedMs: number): number => {
  const { least, most } = GRACE_MS[priority]
  return Math.min(most, Math.max(least, workedMs))
}

/** `workedMs`: since the worker accepted it. */
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

/** What an expired lease is called: the budget ran out, or only the signs of life stopped. */
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
