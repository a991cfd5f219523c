// Deletes a dub with everything that only it needs.
import type { DubCore } from '../core.ts'

export type Removal = {
  /** Resolves with the ids of other dubs that keep some of its files; they are not removed. An unknown id changes nothing. */
  readonly remove: (id: string) => Promise<string[]>
  /** Removes those of the files that no dub needs. */
  readonly free: (digests: readonly string[]) => Promise<void>
}

export const createRemoval = ({ store, files, rows }: Pick<DubCore, 'store' | 'files' | 'rows'>): Removal => {
  const free = (digests: readonly string[]) => files.remove(digests, rows.isUsed)
  return { free, remove }

  async function remove(id: string): Promise<string[]> {
    const sharers = rows.sharersOf(id)
    const used = rows.usedBy(id)
    store.dubs.remove(id)
    await free(used)
    return sharers
  }
}
