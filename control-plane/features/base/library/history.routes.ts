import { currentViewer } from '#control-plane/clients/client.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { historyContracts } from './history.contract.ts'
import { listTakes, readTake, starTake, undeleteTake } from './history.service.ts'
import type { History } from './history.store.ts'
import type { TakeDownloads } from './takes/download.service.ts'

export const historyRoutes = (history: History, files: TakeDownloads): Route[] => [
  handle(historyContracts.listHistory, ({ query, signal }) => listTakes(history, query, currentViewer(), signal)),
  handle(historyContracts.clearHistory, async ({ query }) => {
    await history.clear({ keepsStarred: query.keep_starred })
    return { cleared: true as const }
  }),
  handle(historyContracts.undeleteAll, async () => ({ restored: await history.restoreAll() })),
  handle(historyContracts.countTakes, () => {
    const { surplus, ...counts } = history.count(currentViewer())
    return { ...counts, next_removes: surplus, formats: files.formats() }
  }),
  handle(historyContracts.readTake, ({ params }) => readTake(history, params.history_id)),
  handle(historyContracts.readTakeFile, ({ params, query, signal }) => files.read(params.history_id, query.format, signal)),
  handle(historyContracts.starTake, ({ params, body }) => starTake(history, params.history_id, body.starred)),
  handle(historyContracts.removeTake, async ({ params }) => {
    await history.remove(params.history_id)
    return { deleted: true as const }
  }),
  handle(historyContracts.undeleteTake, ({ params }) => undeleteTake(history, params.history_id, currentViewer())),
]
