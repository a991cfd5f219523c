// The rows of People and keys: who is listed, the use of this month, and when keys end.
import type { UsageRow } from '#control-plane/features/operate/people/people.contract.ts'
import type { Gets, Person } from '#control-plane/web/lib/api-types.ts'
import { duration, exact } from '#control-plane/web/lib/format.ts'
import { strings } from '#messages/system/people.ts'

export type PersonTab = keyof typeof strings.tabs
export type Me = Gets['/people/me']
/** `person`: null for the owner of the studio. */
export type PersonRow = { readonly person: Person | null; readonly isOwn: boolean }
/** Seconds of this month. */
export type Spent = { readonly gpu: number; readonly sound: number; readonly tasks: number }

/** A limit is nearly used up. */
const NEARLY = 0.9
const KINDS = 8

/** The first day of the month, in local time. `now`: epoch seconds */
export const monthStart = (now: number) => `${exact(now).slice(0, 8)}01`

/** The own row first. `me`: null until it is read */
export function rowsOf(people: readonly Person[], me: Me | null): PersonRow[] {
  const own = people.find(({ id }) => id === me?.id) ?? null
  const others = people.filter((one) => one !== own).map((person) => ({ person, isOwn: false }))
  return me ? [{ person: own, isOwn: true }, ...others] : others
}

/** `all` leaves out those that have ended. */
export function isIn(tab: PersonTab, { person }: PersonRow) {
  if (tab === 'ended') return person?.ended_at != null
  return person?.ended_at == null && (tab === 'all' || (person?.kind ?? 'person') === tab)
}

function sumOf(rows: readonly UsageRow[]): Spent {
  let [gpu, sound, tasks] = [0, 0, 0]
  for (const row of rows) {
    gpu += row.gpu_ms / 1000
    sound += row.sound_ms / 1000
    tasks += row.tasks
  }
  return { gpu, sound, tasks }
}
export const spentBy = (usage: readonly UsageRow[], id: string) => sumOf(usage.filter(({ person_id: one }) => one === id))
export function enginesOf(usage: readonly UsageRow[], id: string) {
  const own = usage.filter(({ person_id: one }) => one === id)
  return [...Map.groupBy(own, ({ engine }) => engine)].map(([engine, rows]) => ({ engine, ...sumOf(rows) }))
}

/** 40 h, and 18 h 20 min. */
export const hours = (seconds: number) => (seconds % 3600 === 0 ? strings.hours(String(seconds / 3600)) : duration(seconds))

/** `share`: of the limit, 0 to 1; null without one */
export function useOf({ gpu, sound }: Spent, minutes: number | null) {
  if (minutes === null) {
    const used = gpu || sound
    return { text: used > 0 ? strings.unlimited(hours(used)) : strings.nothing, share: null, isNearly: false }
  }
  const limit = minutes * 60
  const share = limit > 0 ? Math.min(1, gpu / limit) : 1
  return { text: strings.ofLimit(hours(gpu), hours(limit)), share, isNearly: share >= NEARLY }
}

/** The end of the key that works longest: epoch seconds, null for never, undefined without a key. */
export function endOf({ keys }: Person) {
  const ends = keys.flatMap(({ expired, expires_at: at }) => (expired ? [] : [at]))
  return ends.includes(null) ? null : ends.length > 0 ? Math.max(...(ends as number[])) : undefined
}

/** Two letters, by which a row is found. */
export function initialsOf(name: string) {
  const [first = '', second = ''] = name.split(' ')
  const letters = [...first]
  return `${letters[0]}${[...second][0] ?? letters[1] ?? ''}`.toUpperCase()
}
/** The colour of a person, which stays with it. `id`: hexadecimal */
export const tintOf = (id: string) => (Number.parseInt(id.slice(0, 4), 16) % KINDS) + 1
