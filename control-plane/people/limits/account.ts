// The work that one person has done and has reserved, and the refusal of another task. Pure.
import type { PersonLimits } from '#shared/protocol/access/person.ts'
import { MINUTE_MS, type Period, type Spent, type TaskEstimate } from './limits.ts'

/** Settled amounts are those of `day` and of `month`; reserved ones those of the tasks that have not ended. */
export type PersonAccount = {
  readonly day: string
  readonly month: string
  readonly settled: Spent
  readonly tasks: number
  readonly reserved: TaskEstimate
}
export type LimitName = 'tasks_at_once' | 'sound_minutes_a_day' | 'gpu_minutes_a_month' | 'disk_bytes'
/** One limit that refuses a task. Amounts: tasks, milliseconds or bytes. */
export type Refusal = {
  readonly limit: LimitName
  readonly most: number
  readonly settled: number
  readonly reserved: number
  readonly needed: number
  /** Epoch ms. 'running': when work of the person ends. 'deleted': when something is deleted. Null: never, it is more than the whole limit. */
  readonly free: number | 'running' | 'deleted' | null
}
type Amounts = Omit<Refusal, 'free'> & { readonly later: number | 'deleted' }

export const NOTHING_SPENT: Spent = { soundMs: 0, gpuMs: 0 }
const NOTHING_RESERVED: TaskEstimate = { soundMs: 0, gpuMs: 0, bytes: 0 }

export const newAccount = ({ day, month }: Pick<Period, 'day' | 'month'>, settled: Spent = NOTHING_SPENT): PersonAccount => ({
  day,
  month,
  settled,
  tasks: 0,
  reserved: NOTHING_RESERVED,
})

/** The account in another period: a new day and a new month begin with nothing settled. */
export function inPeriod(account: PersonAccount, { day, month }: Pick<Period, 'day' | 'month'>): PersonAccount {
  if (account.day === day) return account
  return { ...account, day, month, settled: { soundMs: 0, gpuMs: account.month === month ? account.settled.gpuMs : 0 } }
}

function changed(account: PersonAccount, estimate: TaskEstimate, sign: 1 | -1): PersonAccount {
  const { soundMs, gpuMs, bytes } = account.reserved
  return {
    ...account,
    tasks: account.tasks + sign,
    reserved: {
      soundMs: soundMs + sign * estimate.soundMs,
      gpuMs: gpuMs + sign * estimate.gpuMs,
      bytes: bytes + sign * estimate.bytes,
    },
  }
}
/** The account with a task that has begun. */
export const reserve = (account: PersonAccount, estimate: TaskEstimate): PersonAccount => changed(account, estimate, 1)
/** The account after the end of a task that reserved this. */
export const giveBack = (account: PersonAccount, estimate: TaskEstimate): PersonAccount => changed(account, estimate, -1)

/** The account with an upload that arrives; negative bytes give it back. */
export const withBytes = (account: PersonAccount, bytes: number): PersonAccount => ({
  ...account,
  reserved: { ...account.reserved, bytes: account.reserved.bytes + bytes },
})

/** The account with what a task took on a day. An amount that is taken back is negative. */
export function withSpent(account: PersonAccount, day: string, { soundMs, gpuMs }: Spent): PersonAccount {
  const isToday = account.day === day
  const isThisMonth = day.startsWith(account.month)
  return {
    ...account,
    settled: {
      soundMs: account.settled.soundMs + (isToday ? soundMs : 0),
      gpuMs: account.settled.gpuMs + (isThisMonth ? gpuMs : 0),
    },
  }
}

function refusalFor({ later, ...amounts }: Amounts): Refusal | null {
  const { most, settled, reserved, needed } = amounts
  // Work that needs nothing of it takes nothing from it.
  if (needed === 0 || settled + reserved + needed <= most) return null
  const free = needed > most ? null : settled + needed <= most ? 'running' : later
  return { ...amounts, free }
}

/**
 * The refusal of a task with this estimate; null if it may begin. `usedBytes`: what the person has on the disk; null if it was not counted. A
 * limit that was lowered refuses new tasks only.
 */
export function limitRefusal(
  limits: PersonLimits,
  { settled, reserved, tasks }: PersonAccount,
  needed: TaskEstimate,
  { nextDayAt, nextMonthAt }: Period,
  usedBytes: number | null,
): Refusal | null {
  const { tasks_at_once: atOnce, sound_minutes_a_day: sound, gpu_minutes_a_month: gpu, disk_bytes: bytes } = limits
  const checks: (Amounts | null)[] = [
    atOnce === null ? null : { limit: 'tasks_at_once', most: atOnce, settled: 0, reserved: tasks, needed: 1, later: 'deleted' },
    sound === null
      ? null
      : {
          limit: 'sound_minutes_a_day',
          most: sound * MINUTE_MS,
          settled: settled.soundMs,
          reserved: reserved.soundMs,
          needed: needed.soundMs,
          later: nextDayAt,
        },
    gpu === null
      ? null
      : {
          limit: 'gpu_minutes_a_month',
          most: gpu * MINUTE_MS,
          settled: settled.gpuMs,
          reserved: reserved.gpuMs,
          needed: needed.gpuMs,
          later: nextMonthAt,
        },
    bytes === null || usedBytes === null
      ? null
      : { limit: 'disk_bytes', most: bytes, settled: usedBytes, reserved: reserved.bytes, needed: needed.bytes, later: 'deleted' },
  ]
  for (const check of checks) {
    const refusal = check && refusalFor(check)
    if (refusal) return refusal
  }
  return null
}
