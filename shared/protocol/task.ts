// The lifecycle of a task: one table of edges and one function. Pure: time, ids and randomness arrive in events.
// Leases are outside: they run on the studio's monotonic clock (control-plane/tasks/leases.ts) and arrive as `lease-expired`.
import { FAILURES, type FailureCode, isRetryable } from './failure.ts'

export const PHASES = [
  'queued',
  'offered',
  'loading',
  'running',
  'delivering',
  'unknown',
  'cancelling',
  'succeeded',
  'failed',
  'timed_out',
  'cancelled',
] as const
export type Phase = (typeof PHASES)[number]
export const HELD: ReadonlySet<Phase> = new Set(['offered', 'loading', 'running', 'delivering', 'unknown', 'cancelling'])
export const TERMINAL: ReadonlySet<Phase> = new Set(['succeeded', 'failed', 'timed_out', 'cancelled'])
/** The phase a broken link interrupted; `found` leads back to it. */
export type Interrupted = 'offered' | 'loading' | 'running' | 'delivering'

type Fact = { readonly epoch: number } // every fact from a worker carries the epoch of its offer
type Fault = { readonly code: FailureCode; readonly message: string }
export type TaskEvent =
  | { readonly kind: 'offer'; readonly workerId: string; readonly attemptId: string }
  | ({ readonly kind: 'refuse' } & Fault)
  | { readonly kind: 'retarget'; readonly target: string }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'deadline' }
  | ({ readonly kind: 'accept' } & Fact)
  | ({ readonly kind: 'decline' } & Fact & Fault)
  | ({ readonly kind: 'start' } & Fact)
  | ({ readonly kind: 'deliver' } & Fact)
  | ({ readonly kind: 'complete' } & Fact)
  | ({ readonly kind: 'fail' } & Fact & Fault)
  | ({ readonly kind: 'cancel-confirmed' } & Fact)
  | ({ readonly kind: 'lease-expired' } & Fact & Fault)
  | ({ readonly kind: 'link-lost' } & Fact)
  | ({ readonly kind: 'found' } & Fact)
  | ({ readonly kind: 'lost' } & Fact & Fault)
  | ({ readonly kind: 'release'; readonly retarget: string | null } & Fact & Fault)
export type Kind = TaskEvent['kind']

const STOPPED: readonly Phase[] = ['cancelled', 'timed_out']
const RETRY: readonly Phase[] = ['queued', 'failed', 'timed_out']
const whileHeld = { cancel: ['cancelling'], deadline: ['cancelling'], release: ['queued'] } as const

/** The possible next phases of each event. Any other event is refused. */
export const EDGES: Readonly<Record<Phase, { readonly [K in Kind]?: readonly Phase[] }>> = {
  queued: { offer: ['offered'], refuse: ['failed'], retarget: ['queued'], cancel: ['cancelled'], deadline: ['timed_out'] },
  offered: {
    ...whileHeld,
    accept: ['loading'],
    decline: ['queued', 'failed'],
    fail: RETRY,
    'lease-expired': ['queued'],
    'link-lost': ['unknown'],
  },
  loading: { ...whileHeld, start: ['running'], fail: RETRY, 'lease-expired': RETRY, 'link-lost': ['unknown'] },
  running: {
    ...whileHeld,
    deliver: ['delivering'],
    complete: ['succeeded'],
    fail: RETRY,
    'lease-expired': RETRY,
    'link-lost': ['unknown'],
  },
  delivering: { ...whileHeld, complete: ['succeeded'], fail: RETRY, 'lease-expired': RETRY, 'link-lost': ['unknown'] },
  unknown: { ...whileHeld, found: ['offered', 'loading', 'running', 'delivering'], lost: ['queued', 'failed'] },
  cancelling: {
    complete: STOPPED,
    fail: STOPPED,
    'cancel-confirmed': STOPPED,
    'lease-expired': STOPPED,
    lost: STOPPED,
    release: STOPPED,
    'link-lost': ['cancelling'],
  },
  succeeded: {},
  failed: {},
  timed_out: {},
  cancelled: {},
}

/** The action to take once the new phase is durable. A hint: sweeps derive the same action from the table. */
export type Effect = 'place' | 'offer' | 'stop' | 'settle'
export const ON_ENTER: Readonly<Record<Phase, Effect | null>> = {
  queued: 'place',
  offered: 'offer',
  loading: null,
  running: null,
  delivering: null,
  unknown: null,
  cancelling: 'stop',
  succeeded: 'settle',
  failed: 'settle',
  timed_out: 'settle',
  cancelled: 'settle',
}

export type Task = {
  readonly id: string
  readonly phase: Phase
  /** Fencing token: +1 with every offer, never reused. */
  readonly epoch: number
  /** Spent attempts; an offer that was not accepted does not count. */
  readonly attempt: number
  readonly maxAttempts: number
  readonly workerId: string | null
  readonly attemptId: string | null
  /** 'auto', or the one worker that may run it. */
  readonly target: string
  /** Workers that cannot run it at all. */
  readonly excluded: readonly string[]
  /** Workers that failed it: used again only when no other can run it. Ignored for a pinned task. */
  readonly avoided: readonly string[]
  readonly interrupted: Interrupted | null
  /** Reason for the cancellation: selects cancelled or timed_out. */
  readonly stopping: 'cancel' | 'deadline' | null
  readonly failure: { readonly code: FailureCode; readonly message: string } | null
}
export type StepRefusal = 'stale-epoch' | 'not-allowed'
export type TaskStep = { readonly ok: true; readonly task: Task } | { readonly ok: false; readonly reason: StepRefusal }

export const isPinnedTask = (task: Task): boolean => task.target !== 'auto'

/** The only function that moves a task. Never throws. Refuses a fact of an older epoch first. */
export function step(task: Task, event: TaskEvent): TaskStep {
  if ('epoch' in event && event.epoch !== task.epoch) return { ok: false, reason: 'stale-epoch' }
  const targets = EDGES[task.phase][event.kind]
  if (!targets) return { ok: false, reason: 'not-allowed' }
  const phase = choose(task, event, targets)
  return { ok: true, task: enter(phase, record(task, event), event) }
}

function choose(task: Task, event: TaskEvent, targets: readonly Phase[]): Phase {
  if (targets.length === 1) return targets[0]!
  if (event.kind === 'found') return task.interrupted!
  if (task.phase === 'cancelling') return task.stopping === 'deadline' ? 'timed_out' : 'cancelled'
  if (mayRetry(task, event)) return 'queued'
  return 'code' in event && FAILURES[event.code].class === 'timeout' && targets.includes('timed_out') ? 'timed_out' : 'failed'
}

function mayRetry(task: Task, event: TaskEvent): boolean {
  if (!('code' in event) || !isRetryable(event.code)) return false
  // A pinned task cannot move, and its worker will never support the request.
  if (isPinnedTask(task) && FAILURES[event.code].class === 'capability') return false
  return isFree(task, event) || task.attempt < task.maxAttempts
}

/** True if nothing ran, or the task is not at fault: the attempt does not count. */
function isFree(task: Task, event: TaskEvent): boolean {
  if (event.kind === 'release' || event.kind === 'decline') return true
  if (event.kind === 'lost') return task.interrupted === 'offered'
  if (event.kind === 'lease-expired') return task.phase === 'offered'
  return event.kind === 'fail' && ['capacity', 'capability'].includes(FAILURES[event.code].class)
}

/** Applies the content of the event. */
function record(task: Task, event: TaskEvent): Task {
  switch (event.kind) {
    case 'offer':
      return { ...task, epoch: task.epoch + 1, attempt: task.attempt + 1, workerId: event.workerId, attemptId: event.attemptId }
    case 'retarget':
      return { ...task, target: event.target }
    case 'cancel':
      return { ...task, stopping: 'cancel' }
    case 'deadline':
      return { ...task, stopping: 'deadline', failure: { code: 'TASK_DEADLINE_EXCEEDED', message: 'The deadline passed.' } }
    case 'link-lost':
      return task.phase === 'cancelling' ? task : { ...task, interrupted: task.phase as Interrupted }
    case 'found':
      return { ...task, interrupted: null }
    case 'refuse':
    case 'decline':
    case 'fail':
    case 'lease-expired':
    case 'lost':
    case 'release':
      return blame(task, event)
    default:
      return task
  }
}

function blame(task: Task, event: Extract<TaskEvent, Fault>): Task {
  if (task.phase === 'cancelling') return task // cancelled anyway; the reason of the end is irrelevant
  const kind = FAILURES[event.code].class
  const list = kind === 'capability' ? 'excluded' : kind === 'capacity' && event.kind !== 'release' ? null : 'avoided'
  const { workerId } = task
  return {
    ...task,
    attempt: event.kind !== 'refuse' && isFree(task, event) ? task.attempt - 1 : task.attempt,
    target: event.kind === 'release' && event.retarget ? event.retarget : task.target,
    ...(list && workerId && !task[list].includes(workerId) && { [list]: [...task[list], workerId] }),
    failure: { code: event.code, message: event.message },
  }
}

/** Applies the invariants of the new phase. */
function enter(phase: Phase, task: Task, event: TaskEvent): Task {
  const held = HELD.has(phase)
  const explained = phase === 'failed' || phase === 'timed_out'
  const exhausted =
    phase === 'failed' && isPinnedTask(task) && 'code' in event && isRetryable(event.code) && task.attempt >= task.maxAttempts
  return {
    ...task,
    phase,
    workerId: held ? task.workerId : null,
    attemptId: held ? task.attemptId : null,
    interrupted: phase === 'unknown' ? task.interrupted : null,
    stopping: phase === 'cancelling' || phase === 'cancelled' || phase === 'timed_out' ? task.stopping : null,
    failure: exhausted ? exhaustion(task) : explained || phase === 'cancelling' ? task.failure : null,
  }
}

const exhaustion = (task: Task) =>
  ({
    code: 'PINNED_WORKER_EXHAUSTED',
    message: `${task.attempt} attempts on the chosen machine failed. The last failure: ${task.failure?.message}`,
  }) as const

/** The lifecycle as a Mermaid state diagram, generated from the table. */
export const diagram = (): string =>
  [
    'stateDiagram-v2',
    '  [*] --> queued',
    ...PHASES.flatMap((from) =>
      Object.entries(EDGES[from]).flatMap(([event, to]) => to.map((phase) => `  ${from} --> ${phase}: ${event}`)),
    ),
    ...[...TERMINAL].map((phase) => `  ${phase} --> [*]`),
  ].join('\n')
