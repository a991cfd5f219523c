// The actions of clients on takes.
import { Failure } from '#shared/protocol/failure.ts'
import type { History } from './history.store.ts'

/** Throws NOT_FOUND for a take that does not exist. */
export function starTake(history: Pick<History, 'star'>, id: string, starred: boolean): { id: string; starred: boolean } {
  if (!history.star(id, starred)) throw new Failure('NOT_FOUND', 'This take does not exist. It may have been pruned.')
  return { id, starred }
}
