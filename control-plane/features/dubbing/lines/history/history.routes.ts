import { currentViewer } from '#control-plane/clients/client.ts'
import type { AbortDub } from '#control-plane/features/dubbing/store/abort.service.ts'
import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { dubHistoryContracts } from './history.contract.ts'
import type { createDubHistory } from './history.service.ts'

export const dubHistoryRoutes = (history: ReturnType<typeof createDubHistory>, { abort }: AbortDub): Route[] => [
  handle(dubHistoryContracts.list, async () => history.list(currentViewer())),
  handle(dubHistoryContracts.summaries, async ({ query }) => history.summaries(query.limit, currentViewer())),
  handle(dubHistoryContracts.read, ({ params }) => history.read(params.history_id)),
  handle(dubHistoryContracts.clear, async () => ({ cleared: true as const, count: await history.clear() })),
  handle(dubHistoryContracts.remove, async ({ params }) => ({
    deleted: true as const,
    dir_kept_for: await history.remove(params.history_id),
  })),
  handle(dubHistoryContracts.abort, async ({ params }) => ({ aborted: true as const, had_active_procs: await abort(params.job_id) })),
]
