// The actions of clients on takes.
import type { ClientId } from '#shared/protocol/access/client.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { History, ListedTake } from './history.store.ts'
import type { TakeQuery } from './takes/search.store.ts'

const PAGE = 50

/** Throws NOT_FOUND for a take that does not exist. */
export function starTake(history: Pick<History, 'star'>, id: string, starred: boolean): { id: string; starred: boolean } {
  if (!history.star(id, starred)) throw new Failure('NOT_FOUND', 'This take does not exist. It may have been pruned.')
  return { id, starred }
}

/** Throws NOT_FOUND for a take that does not exist. */
export function readTake(history: Pick<History, 'get'>, id: string): ListedTake {
  const take = history.get(id)
  if (take === null) throw new Failure('NOT_FOUND', 'This take does not exist. It may have been deleted.')
  return take
}

type Asked = { readonly [K in keyof TakeQuery]?: TakeQuery[K] | undefined }
/**
 * The takes of a query, newest first; without one, the newest and all starred. Throws NOT_FOUND for a page after a take that does not exist,
 * and the reason of the signal.
 */
export async function listTakes(
  history: Pick<History, 'list' | 'page'>,
  { before, q, starred, limit }: Asked,
  viewer: ClientId | null,
  signal: AbortSignal,
): Promise<ListedTake[]> {
  if (before === undefined && q === undefined && starred === undefined && limit === undefined) return history.list(viewer)
  const query = { before: before ?? null, q: q ?? '', starred: starred ?? null, limit: limit ?? PAGE }
  const page = await history.page(query, viewer, signal)
  if (page === null) throw new Failure('NOT_FOUND', 'The take before this page does not exist any more. Read the list from its beginning.')
  return page
}

/** A take that is there already is no error: the request may have been sent twice. Throws NOT_FOUND for a take that cannot come back. */
export async function undeleteTake(history: Pick<History, 'restore' | 'has'>, id: string, viewer: ClientId | null) {
  if (!history.has(id) && !(await history.restore(id, viewer)))
    throw new Failure('NOT_FOUND', 'This take cannot come back. A deleted take is kept for 60 seconds, until the studio starts again.')
  return { id, restored: true as const }
}
