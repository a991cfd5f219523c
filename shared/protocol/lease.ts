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
const FACTORS: Readonly<Record<string, number>> = { tts: 1, asr: 2, dictation: 0.5, dub: 12, dub_segments: 12, audiobook: 24 }

/** Base of 10 minutes plus a second for each 40 characters beyond 1,200, times what the operation is known to need. */
const executionBudget = (operation: string, size: number): number =>
  (600 + Math.max(0, size - 1200) / 40) * SECOND * (FACTORS[operation] ?? 1)

/** An interrupted task waits for its worker: shortly when a person listens, longer in a batch. */
export function leaseFor(
  phase: Phase,
  task: { readonly operation: string; readonly size: number; readonly priority: 0 | 1 },
): Lease | null {
  const graceMs = (task.priority === 0 ? 10 : 30) * SECOND
  switch (phase) {
    case 'offered':
      return { leaseMs: 20 * SECOND, budgetMs: 20 * SECOND }
    case 'loading':
      return { leaseMs: PROGRESS_LEASE_MS, budgetMs: 1800 * SECOND }
    case 'running':
      return { leaseMs: PROGRESS_LEASE_MS, budgetMs: executionBudget(task.operation, task.size) }
    case 'delivering':
      return { leaseMs: 900 * SECOND, budgetMs: 900 * SECOND }
    case 'unknown':
      return { leaseMs: graceMs, budgetMs: graceMs }
    case 'cancelling':
      return { leaseMs: 10 * SECOND, budgetMs: 10 * SECOND }
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
