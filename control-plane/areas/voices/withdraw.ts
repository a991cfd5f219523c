// A recording that the studio no longer may use: its tasks end at once, and no machine keeps it or what was derived from it.
import type { Machines } from '../platform.ts'
import type { WithdrawalListener } from './api.ts'
import type { ProfileStore } from './profiles/profile.store.ts'

type Deps = { readonly store: Pick<ProfileStore, 'names'>; readonly machines: Pick<Machines, 'forgetVoices'> }
/** SHA-256 in lower-case hex; null for a recording that there was not. */
type Digests = readonly (string | null)[]
export type Withdrawal = ReturnType<typeof createWithdrawal>

export function createWithdrawal({ store, machines }: Deps) {
  const listeners: WithdrawalListener[] = []
  const present = (digests: Digests): string[] => [...new Set(digests.filter((digest) => digest !== null))]
  async function withdraw(recordings: readonly string[]): Promise<void> {
    if (recordings.length === 0) return
    await Promise.all([machines.forgetVoices(recordings), ...listeners.map((listener) => listener(recordings))])
  }
  return {
    /** Called with every recording that is withdrawn, while the request waits. */
    listen: (listener: WithdrawalListener): void => void listeners.push(listener),
    /** After the row was deleted or changed. A recording that another profile has stays. */
    async gone(digests: Digests): Promise<void> {
      const named = await store.names(present(digests))
      await withdraw(present(digests).filter((digest) => !named.has(digest)))
    },
    /** After the speaker has withdrawn their statement, and for a voice that stays here from now on: also a recording that another profile has. */
    revoked: (digests: Digests): Promise<void> => withdraw(present(digests)),
  }
}
