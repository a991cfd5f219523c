// Deletes a dub with everything that only it needs.
import type { Machines } from '#control-plane/kernel/platform.ts'
import type { DubCore } from '../core.ts'

export type Removal = {
  /** Resolves with the ids of other dubs that keep some of its files; they are not removed. An unknown id changes nothing. */
  readonly remove: (id: string) => Promise<string[]>
  /** Removes those of the files that no dub needs. */
  readonly free: (digests: readonly string[]) => Promise<void>
}

type Deps = {
  readonly core: Pick<DubCore, 'store' | 'files' | 'rows'>
  readonly machines: Pick<Machines, 'forgetVoices'>
}

export const createRemoval = ({ core: { store, files, rows }, machines }: Deps): Removal => {
  const free = (digests: readonly string[]) => files.remove(digests, rows.isUsed)
  return { free, remove }

  async function remove(id: string): Promise<string[]> {
    const sharers = rows.sharersOf(id)
    const used = rows.usedBy(id)
    const clips = rows.ofKind(used, 'clip')
    store.dubs.remove(id)
    // Machines keep the recordings of speakers in memory, so that each travels once.
    const forgotten = clips.filter((digest) => !rows.isUsed(digest))
    if (forgotten.length > 0) await machines.forgetVoices(forgotten)
    await free(used)
    return sharers
  }
}
