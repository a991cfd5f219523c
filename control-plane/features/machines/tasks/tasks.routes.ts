import { handle, type Route } from '#control-plane/http/contract/handle.ts'
import { tasksContracts } from './tasks.contract.ts'
import type { TaskService } from './tasks.service.ts'

export const tasksRoutes = (tasks: TaskService): Route[] => [
  handle(tasksContracts.list, ({ query }) => tasks.list({ ...query, always: query.always === 'true' })),
  handle(tasksContracts.submit, ({ body, signal, traceparent }) => tasks.submit(body, signal, traceparent)),
  handle(tasksContracts.cancel, ({ params, query }) => tasks.cancel(params.task_id, query.always === 'true')),
]
