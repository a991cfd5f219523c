// Sign-ins that have begun: what the studio needs when the provider sends the browser back. In memory, for ten minutes, each for one use and for the
// browser that began it.
import { createHash } from 'node:crypto'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'

export type Login = {
  readonly nonce: string
  readonly verifier: string
  /** The place on the page that the visitor asked for, such as #/jobs; empty for none. */
  readonly page: string
}
export type Started = Login & { readonly state: string }
type Kept = Login & {
  /** Digest of the text that only the browser has. */
  readonly browser: string
  readonly source: string
  readonly wall: number
  readonly mono: number
}
type Deps = { readonly clock: Pick<Clock, 'now' | 'mono'>; readonly random: Random }

export const LOGIN_MS = 10 * 60_000
/** Sign-ins at once of all browsers. A further one ends the oldest of the address with the most. */
export const MOST_LOGINS = 1_000
const SECRET_BYTES = 32

export function createLogins({ clock, random }: Deps) {
  // By the digest of the state, oldest first.
  const kept = new Map<string, Kept>()
  const text = () => random.bytes(SECRET_BYTES).toString('base64url')
  // The wall clock may be set back, and the monotonic one stands still while the machine sleeps.
  const isOver = ({ wall, mono }: Kept): boolean => Math.max(clock.now() - wall, clock.mono() - mono) >= LOGIN_MS

  function displaceOne(): void {
    const counts = new Map<string, number>()
    for (const { source } of kept.values()) counts.set(source, (counts.get(source) ?? 0) + 1)
    const most = Math.max(...counts.values())
    kept.delete([...kept].find(([, { source }]) => counts.get(source) === most)![0])
  }

  return {
    /** `browser`: a random text that only this browser has. `source`: the address behind the request. */
    begin({ browser, source, page }: { readonly browser: string; readonly source: string; readonly page: string }): Started {
      for (const [name, one] of kept) if (isOver(one)) kept.delete(name)
      const login = { nonce: text(), verifier: text(), page }
      const state = text()
      kept.set(digest(state), { ...login, browser: digest(browser), source, wall: clock.now(), mono: clock.mono() })
      if (kept.size > MOST_LOGINS) displaceOne()
      return { ...login, state }
    },
    /** Null for an unknown state, for one that was used or is over, and for one of another browser, which can still use it. */
    take(state: string, browsers: readonly string[]): Login | null {
      const name = digest(state)
      const one = kept.get(name)
      if (!one || !browsers.some((browser) => digest(browser) === one.browser)) return null
      kept.delete(name)
      return isOver(one) ? null : one
    },
    /** Ends all of them. */
    clear: (): void => kept.clear(),
  }
}

const digest = (text: string): string => createHash('sha256').update(text).digest('base64')
