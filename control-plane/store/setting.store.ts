// Settings that survive a restart, as text by key. Read from memory; written with the batch of all stores.
import type { GroupCommit } from './group-commit.ts'
import type { JournalState } from './journal.ts'

export type SettingStore = ReturnType<typeof createSettings>
type Deps = { readonly state: Pick<JournalState, 'settings'>; readonly commits: Pick<GroupCommit, 'stage' | 'settled'> }

export function createSettings({ state, commits }: Deps) {
  const values = new Map(state.settings)
  return {
    get: (key: string): string | null => values.get(key) ?? null,
    /** In effect at once; resolves when durable. Rejects with STORAGE_FULL, and the earlier value is back. */
    set(key: string, value: string): Promise<void> {
      const before = values.get(key)
      values.set(key, value)
      commits.stage({
        write: (writes) => void writes.settings.set(key, value),
        undo: () => void (before === undefined ? values.delete(key) : values.set(key, before)),
      })
      return commits.settled()
    },
  }
}
