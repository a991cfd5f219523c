import { currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { historyContracts } from './history.contract.ts'
import { starTake } from './history.service.ts'
import type { History } from './history.store.ts'

export const historyRoutes = (history: History): Route[] => [
  handle(historyContracts.listHistory, async () => history.list(currentViewer())),
  handle(historyContracts.clearHistory, async () => {
    await history.clear()
    return { cleared: true as const }
  }),
  handle(historyContracts.starTake, ({ params, body }) => starTake(history, params.history_id, body.starred)),
  handle(historyContracts.removeTake, ({ params }) => {
    history.remove(params.history_id)
    return { deleted: true as const }
  }),
]
