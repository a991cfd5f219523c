// Reads the complete history of all tasks from the database of a studio, and checks the rules that no fault may break. It derives
// everything again from the recorded events and shares only the table of edges with the product.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCopy } from '#control-plane/store/database.ts'
import { FAILURES, isFailureCode } from '#shared/protocol/failure.ts'
import { EDGES, type Kind, type Phase, TERMINAL } from '#shared/protocol/task.ts'

export type TaskRow = {
  readonly id: string
  readonly phase: Phase
  readonly epoch: number
  readonly attempt: number
  readonly max_attempts: number
  /** Its bytes belonged to one response and are not stored. */
  readonly ephemeral: 0 | 1
  readonly result_digest: string | null
  readonly result_bytes: Buffer | null
}
export type EventRow = {
  readonly task_id: string
  readonly epoch: number
  readonly at: number
  readonly kind: Kind | 'submit'
  readonly phase: Phase
  readonly worker_id: string | null
  readonly code: string | null
}
export type AttemptRow = { readonly task_id: string; readonly epoch: number; readonly worker_id: string; readonly state: string }
export type ConsentRow = { readonly worker_id: string; readonly granted_at: number; readonly withdrawn_at: number | null }
export type History = {
  readonly tasks: readonly TaskRow[]
  /** In the order in which they became durable. */
  readonly events: readonly EventRow[]
  readonly attempts: readonly AttemptRow[]
  readonly consents: readonly ConsentRow[]
  /** Digests of results that are files, without missing or damaged files. */
  readonly artifacts: ReadonlySet<string>
}

/** The history of a studio that has stopped, or whose tasks have ended. */
export const readHistory = (dataDir: string): History =>
  readCopy(join(dataDir, 'studio.db'), (db) => {
    const all = <T>(sql: string) => db.prepare<[], T>(sql).all()
    const tasks = all<TaskRow>('select * from task order by seq')
    const named = tasks.flatMap(({ result_digest, result_bytes }) => (result_digest && !result_bytes ? [result_digest] : []))
    const isWhole = (digest: string) => {
      const path = join(dataDir, 'artifacts', digest)
      return existsSync(path) && digestOf(readFileSync(path)) === digest
    }
    return {
      tasks,
      events: all<EventRow>('select * from task_event order by seq, place'),
      attempts: all<AttemptRow>('select * from attempt order by task_id, epoch'),
      consents: all<ConsentRow>('select * from consent'),
      artifacts: new Set(named.filter(isWhole)),
    }
  })

/** Every broken rule as a sentence; empty if all rules are satisfied. */
export function violations(history: History): string[] {
  const found: string[] = []
  for (const task of history.tasks) {
    const events = history.events.filter(({ task_id }) => task_id === task.id)
    const attempts = history.attempts.filter(({ task_id }) => task_id === task.id)
    const broken = [
      ...lifeOf(task, events),
      ...chargesOf(task, events),
      ...commitsOf(task, events, attempts, history.artifacts),
      ...consentsOf(events, history.consents),
    ]
    found.push(...broken.map((what) => `task ${task.id}: ${what}`))
  }
  const known = new Set(history.tasks.map(({ id }) => id))
  for (const { task_id } of history.events) if (!known.has(task_id)) found.push(`an event names task ${task_id}, which is not there`)
  return found
}

/** It starts with submit, uses only existing edges, ends once, and its epoch equals the number of its offers. */
function* lifeOf(task: TaskRow, events: readonly EventRow[]): Generator<string> {
  if (!TERMINAL.has(task.phase)) yield `never ended, it is ${task.phase}`
  if (events[0]?.kind !== 'submit') yield 'was never submitted'
  let phase: Phase = 'queued'
  let epoch = 0
  for (const event of events.slice(1)) {
    if (event.kind === 'submit') yield 'was submitted twice'
    else if (!EDGES[phase][event.kind]?.includes(event.phase)) yield `went from ${phase} to ${event.phase} by ${event.kind}`
    const due = event.kind === 'offer' ? epoch + 1 : epoch
    if (event.epoch !== due) yield `${event.kind} has epoch ${event.epoch}, the newest was ${epoch}`
    epoch = Math.max(epoch, event.epoch)
    phase = event.phase
  }
  if (phase !== task.phase) yield `is ${task.phase}, its last event left it ${phase}`
  if (epoch !== task.epoch) yield `has epoch ${task.epoch}, its events lead to ${epoch}`
}

/** Counts the attempts again: an offer uses one, and it is returned if nothing ran or the failure is not charged. */
function* chargesOf(task: TaskRow, events: readonly EventRow[]): Generator<string> {
  let charged = 0
  let phase: Phase = 'queued'
  let interrupted: Phase = 'queued'
  for (const { kind, code, phase: next } of events) {
    if (kind === 'offer') charged++
    if (charged > task.max_attempts) yield `was tried ${charged} times, ${task.max_attempts} are allowed`
    if (kind === 'link-lost' && phase !== 'cancelling') interrupted = phase
    const isWithoutFault = code !== null && isFailureCode(code) && ['capacity', 'capability'].includes(FAILURES[code].class)
    const isFree =
      kind === 'release' ||
      kind === 'decline' ||
      (kind === 'lost' && interrupted === 'offered') ||
      (kind === 'lease-expired' && phase === 'offered') ||
      (kind === 'fail' && isWithoutFault)
    if (phase !== 'cancelling' && isFree) charged--
    phase = next
  }
  if (charged !== task.attempt) yield `is charged ${task.attempt} tries, its events make ${charged}`
}

/** At most one attempt was committed: the newest, with an existing result; and no attempt outlives its task. */
function* commitsOf(
  task: TaskRow,
  events: readonly EventRow[],
  attempts: readonly AttemptRow[],
  artifacts: ReadonlySet<string>,
): Generator<string> {
  const completions = events.filter(({ kind, phase }) => kind === 'complete' && phase === 'succeeded')
  const committed = attempts.filter(({ state }) => state === 'committed')
  if (completions.length > 1 || committed.length > 1) yield `was committed ${Math.max(completions.length, committed.length)} times`
  if (task.phase === 'succeeded' && (completions.length === 0 || committed.length === 0)) yield 'succeeded without a commit'
  if (task.phase !== 'succeeded' && completions.length + committed.length > 0) yield `is ${task.phase} in spite of a commit`
  for (const { epoch } of [...completions, ...committed])
    if (epoch !== task.epoch) yield `was committed with epoch ${epoch}, the newest is ${task.epoch}`
  for (const { epoch, state } of attempts)
    if (['assigned', 'accepted', 'running', 'uploading'].includes(state)) yield `attempt ${epoch} was left ${state}`
  const offers = events.filter(({ kind }) => kind === 'offer').length
  if (attempts.length !== offers) yield `has ${attempts.length} attempts for ${offers} offers`
  if (task.phase !== 'succeeded' || task.ephemeral) return
  const { result_bytes: bytes, result_digest: digest } = task
  if (bytes ? digestOf(bytes) !== digest : !artifacts.has(digest ?? '')) yield 'succeeded, but its result is missing or damaged'
}

/** Every worker that got an offer had valid consent at that time. */
function* consentsOf(events: readonly EventRow[], consents: readonly ConsentRow[]): Generator<string> {
  for (const { kind, worker_id, at } of events) {
    if (kind !== 'offer') continue
    const hadConsent = consents.some(
      (consent) =>
        consent.worker_id === worker_id && consent.granted_at <= at && (consent.withdrawn_at === null || at <= consent.withdrawn_at),
    )
    if (!hadConsent) yield `was offered to ${worker_id} without a live consent`
  }
}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
