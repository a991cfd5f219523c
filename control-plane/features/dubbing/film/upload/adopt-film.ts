// Makes a film that arrived the film of a dub, which replaces an earlier dub of the same id.

import type { DubCore } from '#control-plane/features/dubbing/store/core.ts'
import type { InputType } from '#control-plane/features/dubbing/store/dub.ts'
import type { Removal } from '#control-plane/features/dubbing/store/files/removal.ts'
import type { Clock } from '#shared/runtime/clock.ts'

export type ArrivedFilm = {
  readonly id: string
  readonly run: string
  readonly path: string
  /** SHA-256. */
  readonly digest: string
  readonly filename: string
  readonly inputType: InputType
  /** Called right before the earlier dub is replaced; may throw. */
  readonly lastCheck?: () => void
}
/** Moves the file. Throws STORAGE_FULL. */
export type AdoptFilm = (film: ArrivedFilm) => Promise<void>
type Deps = { readonly core: Pick<DubCore, 'store' | 'files' | 'rows'>; readonly removal: Removal; readonly clock: Pick<Clock, 'now'> }

export const createAdoptFilm =
  ({ core: { store, files, rows }, removal, clock }: Deps): AdoptFilm =>
  async ({ id, run, path, digest, filename, inputType, lastCheck }) => {
    await files.keep(digest, path, { kind: 'source', maker: run }, null)
    try {
      lastCheck?.()
    } catch (error) {
      await removal.free([digest])
      throw error
    }
    const before = rows.usedBy(id)
    store.dubs.create({ id, filename, inputType, sourceDigest: digest, createdAt: clock.now() })
    files.use(id, digest)
    await removal.free(before)
  }
