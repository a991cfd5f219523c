// Deletes takes so that they can come back for a minute.
import { type Bin, createBin } from '#control-plane/store/files/bin.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import type { BinnedTakes } from './binned-takes.store.ts'

type Deps = {
  readonly binned: BinnedTakes
  readonly clock: Clock
  readonly random: Pick<Random, 'hex'>
  readonly folder: string
  readonly audioFolder: string
  readonly isStored: (id: string) => boolean
  /** True if a take has this file. */
  readonly isNamed: (file: string) => boolean
}

export function createTakeBin({ binned, clock, random, folder, audioFolder, isStored, isNamed }: Deps) {
  const bin: Bin = createBin({ clock, random, folder, home: audioFolder, isNamed })
  const put = (files: readonly string[], remove: (batch: string) => void) => {
    const batch = random.hex(8)
    return bin.put({ files, remove: () => remove(batch), forget: () => binned.forget(batch) })
  }
  return {
    /** The take is gone at once, and can come back for a minute; it resolves when its file is away. Throws STORAGE_FULL. */
    async remove(id: string): Promise<void> {
      if (isStored(id)) await put(binned.filesOfOne(id), (batch) => binned.removeOne(id, batch))
    },
    /** The same for all takes, or those without a star. */
    async clear({ keepsStarred = false }: { readonly keepsStarred?: boolean } = {}): Promise<void> {
      await put(binned.filesOfAll(keepsStarred), (batch) => binned.removeAll(keepsStarred, batch))
    },
    /** Brings a deleted take back. False for one that is not there any more, or that another client made. Throws STORAGE_FULL. */
    async restore(id: string, viewer: ClientId | null): Promise<boolean> {
      const found = binned.find(id, viewer)
      if (!found?.isVisible) return false
      await bin.giveBack([found.audio_path], () => binned.restore(id, clock.now()))
      return isStored(id)
    },
    /** Brings back the takes that `clear` deleted within the last minute. Returns their number. Throws STORAGE_FULL. */
    async restoreAll(): Promise<number> {
      let count = 0
      await bin.giveBack(binned.filesOfBatches(), () => {
        count = binned.restore(null, clock.now())
      })
      return count
    },
    /** Empties the bin at the start of the studio. */
    bin: bin.service,
  }
}
