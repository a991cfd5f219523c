// Deletes finished books so that they can come back for a minute.
import type { Bin } from '#control-plane/store/files/bin.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import type { Random } from '#shared/runtime/random.ts'
import { bookFiles } from '../assembly/publish-book.ts'
import type { BookStore } from './book.store.ts'
import type { BookJobs } from './book-job.ts'

export type BookDeletion = ReturnType<typeof createBookDeletion>
type Deps = {
  readonly store: Pick<BookStore, 'find' | 'binned'>
  readonly books: Pick<BookJobs, 'isLive'>
  readonly bin: Pick<Bin, 'put' | 'giveBack'>
  readonly clock: Pick<Clock, 'now'>
  readonly random: Pick<Random, 'hex'>
}

const BATCH_BYTES = 8

export const createBookDeletion = ({ store, books, bin, clock, random }: Deps) => ({
  /** The book is gone at once, and can come back for a minute; it resolves when its files are away. Throws NOT_FOUND, CONFLICT, STORAGE_FULL. */
  async remove(id: string): Promise<void> {
    const row = store.find(id)
    if (!row?.output) throw new Failure('NOT_FOUND', 'There is no finished book with this id.')
    if (await books.isLive(id)) throw new Failure('CONFLICT', 'The book is being rendered now. Cancel it first.')
    const batch = random.hex(BATCH_BYTES)
    await bin.put({ files: bookFiles(row), remove: () => store.binned.remove(id, batch), forget: () => store.binned.forget(batch) })
  },
  /** A book that is there already is no error: the request may have been sent twice. Throws NOT_FOUND for one that cannot come back, STORAGE_FULL. */
  async undelete(id: string, viewer: ClientId | null): Promise<void> {
    if (store.find(id)) return
    if (!store.binned.isVisible(id, viewer))
      throw new Failure('NOT_FOUND', 'This book cannot come back. A deleted book is kept for 60 seconds, until the studio starts again.')
    const files = (['audiobook', 'story'] as const).flatMap((kind) => bookFiles({ kind, job_id: id }))
    await bin.giveBack(files, () => store.binned.restore(id, clock.now()))
  },
})
