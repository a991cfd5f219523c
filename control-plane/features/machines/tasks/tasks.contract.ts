// The task list, for this machine only.
import { z } from 'zod'
import { contract } from '#control-plane/http/contract/contract.ts'
import { TaskBody, TaskCancel, TaskList, TaskPath, WorkerTask } from './tasks.schema.ts'

const access = 'admin' as const

export const tasksContracts = {
  list: contract({
    id: 'workers.listTasks',
    method: 'GET',
    path: '/workers/tasks',
    access,
    summary: 'Lists the newest tasks with their attempts, and why queued tasks wait.',
    query: TaskList,
    reply: z.object({ queue_depth: z.int(), tasks: z.array(WorkerTask) }),
  }),
  submit: contract({
    id: 'workers.submitTask',
    method: 'POST',
    path: '/workers/tasks',
    access: 'loopback',
    summary: 'Submits a task and waits until it ends. For development.',
    body: TaskBody,
    reply: WorkerTask,
  }),
  cancel: contract({
    id: 'workers.cancelTask',
    method: 'POST',
    path: '/workers/tasks/{task_id}/cancel',
    access,
    summary: 'Cancels a task that has not ended.',
    params: TaskPath,
    query: TaskCancel,
    reply: z.object({ ok: z.literal(true) }),
  }),
}
