// The failure of work that a limit refuses, with its sentence and the time of the next attempt. Pure.
import { Failure, type FailureValues } from '#shared/protocol/failure.ts'
import { shortBytes } from '#shared/runtime/memory/short-bytes.ts'
import type { LimitName, Refusal } from './account.ts'
import type { Calendar } from './calendar.ts'
import { MINUTE_MS } from './limits.ts'

/** Seconds until work of the person has probably ended, and until it may have deleted something. */
const SOON_S = 5
const DELETED_S = 60

/** Minutes as people read them: whole from ten on. */
const minutes = (ms: number): string => {
  const value = ms / MINUTE_MS
  const shown = value >= 10 ? String(Math.round(value)) : String(Math.round(value * 10) / 10)
  return `${shown} ${shown === '1' ? 'minute' : 'minutes'}`
}
const tasks = (count: number): string => `${count} ${count === 1 ? 'task' : 'tasks'}`

/** `unit`: what the amounts of a refusal are divided by for a client. */
type Words = { readonly shown: (amount: number) => string; readonly of: string; readonly within: string; readonly unit: number }
const WORDS: Readonly<Record<LimitName, Words>> = {
  tasks_at_once: { shown: tasks, of: ' at once', within: '', unit: 1 },
  sound_minutes_a_day: { shown: minutes, of: ' of sound a day', within: ' today', unit: MINUTE_MS },
  gpu_minutes_a_month: { shown: minutes, of: ' on a GPU a month', within: ' this month', unit: MINUTE_MS },
  disk_bytes: { shown: shortBytes, of: ' on the disk of the studio', within: '', unit: 1 },
}

/** `now`: epoch ms. */
export function quotaExceeded(refusal: Refusal, now: number, { momentOf }: Pick<Calendar, 'momentOf'>): Failure {
  const { limit, most, free } = refusal
  // Pages write a sentence of their language with them. `amount`: tasks, minutes or bytes. `free`: epoch ms; 'never' is more than the whole limit.
  const values: FailureValues = { limit, amount: most / WORDS[limit].unit, free: free ?? 'never' }
  const seconds = secondsUntil(free, now)
  const sentence = sentenceOf(refusal, momentOf)
  return new Failure('QUOTA_EXCEEDED', sentence, { values, ...(seconds !== null && { retryAfterSeconds: seconds }) })
}

/** Null: another attempt makes no sense. */
function secondsUntil(free: Refusal['free'], now: number): number | null {
  if (free === 'running') return SOON_S
  if (free === 'deleted') return DELETED_S
  return free === null ? null : Math.max(1, Math.ceil((free - now) / 1000))
}

function sentenceOf({ limit, most, settled, reserved, needed, free }: Refusal, momentOf: Calendar['momentOf']): string {
  const { shown, of, within } = WORDS[limit]
  const limited = `The limit is ${shown(most)}${of}`
  if (free === null && most === 0) return `${limited}.`
  if (free === null) return `${limited}, and this may need ${shown(needed)}. Send less at once.`
  if (limit === 'tasks_at_once')
    return `${limited}, and ${reserved === 1 ? '1 is' : `${reserved} are`} running or waiting. Try again when one has ended.`
  const used = `${limited}: ${shown(settled)} ${settled === MINUTE_MS ? 'is' : 'are'} used${within}`
  const held = reserved > 0 ? `, running work may need ${shown(reserved)}` : ''
  const more = `${used}${held}, and this may need ${shown(needed)}.`
  if (free === 'running') return `${more} Try again when running work has ended.`
  if (free === 'deleted') return `${more} Delete something first.`
  return `${more} It is free again on ${momentOf(free)}.`
}
