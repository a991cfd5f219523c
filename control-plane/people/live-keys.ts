// The keys that were used since the start of the studio, and the people who signed in without one: the signals that end what they opened, and when
// keys were used.
import type { PersonSender } from '#control-plane/clients/client.ts'
import type { PersonKeyRow } from '#control-plane/store/rows.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { PeopleStore } from './people.store.ts'
import { isLive } from './person.rules.ts'

export type LiveKeys = ReturnType<typeof createLiveKeys>
type Live = { readonly sender: PersonSender; readonly end: () => void; unwatch: () => void }
type Deps = { readonly store: PeopleStore; readonly clock: Pick<Clock, 'now' | 'after'> }

/** The name of the signal for all sign-ins of a person without a key. No id of a key has a colon. */
export const signInsOf = (personId: string): string => `person:${personId}`

/** The last use of a key is written once in this time. */
const USED_MS = 60_000
/** Timers take 24 days at most. */
const WATCH_MS = 24 * 3600_000

export function createLiveKeys({ store, clock }: Deps) {
  const live = new Map<string, Live>()

  function end(keyId: string): void {
    const one = live.get(keyId)
    if (!one) return
    live.delete(keyId)
    one.unwatch()
    one.end()
  }

  /** Ends the key when its time is over. */
  function watch(keyId: string): void {
    const one = live.get(keyId)
    const row = store.key(keyId)
    if (!one) return
    if (!row || !isLive(row, clock.now())) return end(keyId)
    one.unwatch()
    if (row.expires_at !== null) one.unwatch = clock.after(Math.min(row.expires_at - clock.now(), WATCH_MS), () => watch(keyId))
  }

  function begin(name: string, id: string, keyId: string | null): Live {
    const ending = new AbortController()
    const sender = { id, keyId, role: () => store.person(id)!.role, ended: ending.signal }
    const one: Live = { sender, end: () => ending.abort(), unwatch: () => {} }
    live.set(name, one)
    if (keyId !== null) watch(keyId)
    return one
  }

  function used(row: PersonKeyRow): void {
    const now = clock.now()
    if (row.used_at === null || Math.abs(now - row.used_at) >= USED_MS) store.putKey({ ...row, used_at: now }, true)
  }

  return {
    /** Null for a key that has ended or expired, or whose person has ended. */
    find(digest: string): PersonSender | null {
      const row = store.keyOfDigest(digest)
      if (!row) return null
      if (!isLive(row, clock.now()) || store.person(row.person_id)?.ended_at !== null) {
        end(row.id)
        return null
      }
      used(row)
      return (live.get(row.id) ?? begin(row.id, row.person_id, row.id)).sender
    },
    /** The sender of sign-ins without a key. The person must not have ended. */
    withoutKey: (id: string): PersonSender => (live.get(signInsOf(id)) ?? begin(signInsOf(id), id, null)).sender,
    /** Ends the sign-ins and streams of the key, or of `signInsOf` a person. If the key itself has not ended, its next request opens new ones. */
    end,
    /** Call it after the expiry of a key has changed. */
    watch,
  }
}
