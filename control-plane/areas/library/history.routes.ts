import { Failure } from '#shared/protocol/failure.ts'
import { handle, type Route } from '../../http/handle.ts'
import { historyContracts } from './history.contract.ts'
import type { History } from './history.store.ts'

export const historyRoutes = (history: History): Route[] => [
  handle(historyContracts.listHistory, () => history.list()),
  handle(historyContracts.clearHistory, () => {
    history.clear()
    return { cleared: true as const }
  }),
  handle(historyContracts.starTake, ({ params, body }) => {
    if (!history.star(params.history_id, body.starred)) throw new Failure('NOT_FOUND', 'There is no such take; it may have been pruned.')
    return { id: params.history_id, starred: body.starred }
  }),
  handle(historyContracts.removeTake, ({ params }) => {
    history.remove(params.history_id)
    return { deleted: true as const }
  }),
]
