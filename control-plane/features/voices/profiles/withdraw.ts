// A recording that the studio no longer may use: its tasks end at once, and no machine keeps it or what was derived from it.

import type { Machines } from '#control-plane/kernel/platform.ts'
import type { Log } from '#shared/runtime/log.ts'
import type { WithdrawalListener } from './api.ts'
import type { ProfileStore } from './store/profile.store.ts'

type Deps = {
  readonly store: Pick<ProfileStore, 'names' | 'withdrawn' | 'endWithdrawal'>
  readonly machines: Pick<Machines, 'forgetVoices'>
  readonly log: Pick<Log, 'warn'>
}
/** SHA-256 in lower-case hex; null for a recording that there was not. */
type Digests = readonly (string | null)[]
export type Withdrawal = ReturnType<typeof createWithdrawal>

export function createWithdrawal({ store, machines, log }: Deps) {
  const listeners: WithdrawalListener[] = []
  const present = (digests: Digests): string[] => [...new Set(digests.filter((digest) => digest !== null))]
  async function withdraw(recordings: readonly string[]): Promise<void> {
    if (recordings.length === 0) return
    await Promise.all([machines.forgetVoices(recordings), ...listeners.map((listener) => listener(recordings))])
  }
  async function end(recordings: readonly string[], used: readonly string[]): Promise<void> {
    await withdraw(recordings.filter((digest) => !used.includes(digest)))
    try {
      store.endWithdrawal(recordings)
    } catch {
      // The disk is full: the next start repeats it.
    }
  }
  return {
    /** Called with every recording that is withdrawn, while the request waits. */
    listen: (listener: WithdrawalListener): void => void listeners.push(listener),
    /** Called after the row was deleted or changed. A recording that another profile has stays. */
    async gone(digests: Digests): Promise<void> {
      const recordings = present(digests)
      await end(recordings, [...(await store.names(recordings))])
    },
    /**
     * Called after the speaker has withdrawn their statement, and for a voice that stays here from now on: also ends a recording of another
     * profile.
     */
    revoked: (digests: Digests): Promise<void> => end(present(digests), []),
    /** Finishes the withdrawals that a killed studio has not. Before any machine connects: its tasks must not be sent again. */
    async resume(): Promise<void> {
      const recordings = store.withdrawn()
      if (recordings.length === 0) return
      await end(recordings, []).catch((error: unknown) =>
        log.warn({ err: String(error) }, 'what has the sound of withdrawn voices could not be removed; the next start tries again'),
      )
    },
  }
}
