// The task of a pool that an attempt of a tenant becomes. Pure.
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { PoolRequest } from '#agent/engine/host/pool.ts'
import { clientOfSource } from '#control-plane/clients/client.ts'
import type { Offer } from '#control-plane/inference/offers.ts'
import { spokenBy } from '#control-plane/inference/substitutes.ts'
import type { TaskInput, TaskRecord, TaskSpec } from '#control-plane/tasks/record.ts'
import { RELAYED_KEY } from '#control-plane/tasks/retention.ts'
import { OWNER_ID } from '#shared/protocol/access/client.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { ATTEMPT_CODES } from '#shared/protocol/fields/peer-codes.ts'

/** An attempt of a tenant, as its header names it. */
export type Relayed = Pick<PoolRequest, 'engine' | 'model' | 'operation' | 'modelDigest' | 'params'> & {
  readonly tenant: string
  readonly attempt: NonNullable<PoolRequest['attempt']>
}

/** Earlier attempts whose task may still be the right one. */
const EARLIER = 8

const keyOf = (tenant: string, taskId: string, epoch: number): string => `${RELAYED_KEY}${tenant} ${taskId} ${epoch}`

/** Keys of the tenant's task: that of this attempt, and those of the attempts before it from the newest on. */
export const keysOf = ({ tenant, attempt: { task_id, epoch } }: Relayed): readonly string[] =>
  Array.from({ length: Math.min(epoch, EARLIER) }, (_, back) => keyOf(tenant, task_id, epoch - back))

/** The tenant of a relayed task; null for any other task. */
export function tenantOf({ idempotencyKey }: Pick<TaskSpec, 'idempotencyKey'>): string | null {
  if (!idempotencyKey?.startsWith(RELAYED_KEY)) return null
  return idempotencyKey.slice(RELAYED_KEY.length).split(' ')[0]!
}

/** True if a task that an earlier attempt left can answer this one: it runs, or it has ended well and its result is kept. */
export const isUsable = ({ task, spec }: TaskRecord): boolean =>
  !['failed', 'timed_out', 'cancelled', 'cancelling', ...(spec.ephemeral ? ['succeeded'] : [])].includes(task.phase)

type Placing = {
  /** Epoch milliseconds. */
  readonly at: number
  /** The machine that has the state of a recording that goes on; null for none. */
  readonly preferred: string | null
  /** Offers of the machines that may run it. */
  readonly offers: readonly Offer[]
}
export function specOf(relayed: Relayed, inputs: readonly TaskInput[], { at, preferred, offers }: Placing): TaskSpec {
  const { tenant, attempt, engine, model, operation, modelDigest, params } = relayed
  return {
    operation,
    engine,
    model,
    ...(modelDigest && { modelDigest }),
    params: JSON.stringify(params),
    ...speechNeedOf(relayed, inputs, offers),
    priority: attempt.priority === 0 ? 0 : 1,
    target: 'auto',
    size: attempt.size,
    deadlineAt: at + attempt.deadline_ms_left,
    idempotencyKey: keysOf(relayed)[0]!,
    // Its studio keeps the result. Work of a batch may be long, so its result survives a crash of the pool before the studio has it.
    ephemeral: attempt.priority === 0,
    ...(inputs.length > 0 && { inputs }),
    ...(attempt.traceparent !== '' && { traceparent: attempt.traceparent }),
    ...(preferred !== null && { preferred }),
    client: clientOfSource(`tenant ${tenant}`, OWNER_ID),
  }
}

const Spoken = z.looseObject({ voice: z.string().nullish(), language: z.string().nullish() })
/** Voices and languages that only some machines have. */
function speechNeedOf(
  { operation, engine, params }: Relayed,
  inputs: readonly TaskInput[],
  offers: readonly Offer[],
): Pick<TaskSpec, 'speaks'> {
  const asked = operation === 'tts' ? Spoken.safeParse(params).data : undefined
  if (!asked) return {}
  const { voice = null, language = null } = asked
  const speaks = spokenBy(engine, { voice: inputs.length > 0 ? null : voice, language }, offers)
  return speaks ? { speaks } : {}
}

/** SHA-256 of what the machine works on: two attempts of one task are equal in it. */
export const workDigest = ({ engine, model, modelDigest = '', operation, params }: Relayed, inputs: readonly TaskInput[]): string =>
  createHash('sha256')
    .update(
      [engine, model, modelDigest, operation, JSON.stringify(params), ...inputs.map(({ name, sha256 }) => `${name} ${sha256}`)].join('\n'),
    )
    .digest('hex')

const FULL: readonly FailureCode[] = ['QUEUE_FULL', 'QUOTA_EXCEEDED', 'STORAGE_FULL']

/** The failure as an agent may say it. */
export function asAgentFailure({ code, message }: Failure): Failure {
  if (ATTEMPT_CODES.some((each) => each === code)) return new Failure(code, message)
  if (FULL.includes(code)) return new Failure('WORKER_AT_CAPACITY', message)
  // Two machines said that the request is wrong, or the only one that could be asked.
  if (code === 'WORKER_REJECTED') return new Failure('INVALID_TASK_PARAMS', message)
  return new Failure('WORKER_FAILED', message)
}
