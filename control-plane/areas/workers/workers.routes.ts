// Section 4.8, as far as this version goes. Every row is for this machine only.
import { z } from 'zod'
import { type Route, route } from '../../http/route.ts'
import type { FleetService } from './fleet.service.ts'
import type { RemoteTasks } from './remote-task.service.ts'
import type { Target } from './target.service.ts'
import {
  Enrollment,
  EnrollmentBody,
  Fleet,
  PatchBody,
  TargetView,
  TaskBody,
  TaskPath,
  WorkerPath,
  WorkerRecord,
  WorkerTask,
} from './workers.schema.ts'

export type WorkersParts = { readonly fleet: FleetService; readonly target: Target; readonly remoteTasks: RemoteTasks }
const access = 'admin' as const

export const workersRoutes = ({ fleet, target, remoteTasks }: WorkersParts): Route[] => [
  route({
    id: 'workers.list',
    method: 'GET',
    path: '/workers',
    access,
    summary: 'Everything the workers panel renders.',
    reply: Fleet,
    run: () => fleet.fleet(),
  }),
  route({
    id: 'workers.readTarget',
    method: 'GET',
    path: '/workers/target',
    access,
    summary: 'The choice, what it means now for an operation, and the options.',
    query: z.strictObject({ op: z.string().max(32).default('') }),
    reply: TargetView,
    run: ({ query }) => target.view(query.op),
  }),
  route({
    id: 'workers.chooseTarget',
    method: 'POST',
    path: '/workers/target',
    access,
    summary: 'local, auto or the id of an enrolled worker.',
    body: z.strictObject({ target: z.string().max(64) }),
    reply: TargetView,
    run: ({ body }) => {
      target.choose(body.target)
      return target.view('')
    },
  }),
  route({
    id: 'workers.setEnabled',
    method: 'POST',
    path: '/workers/enabled',
    access,
    summary: 'Opens or closes the port that other machines join by.',
    body: z.strictObject({ enabled: z.boolean() }),
    reply: Fleet,
    run: ({ body }) => fleet.setEnabled(body.enabled),
  }),
  route({
    id: 'workers.createEnrollment',
    method: 'POST',
    path: '/workers/enrollments',
    access,
    summary: 'A join code that works once. It is shown now and never again.',
    body: EnrollmentBody,
    reply: Enrollment,
    run: ({ body }) => fleet.enrol({ label: body.label, endpoint: body.endpoint, ttlSeconds: body.ttl_seconds }),
  }),
  route({
    id: 'workers.change',
    method: 'PATCH',
    path: '/workers/{worker_id}',
    access,
    summary: 'Rename, switch on or off, prefer.',
    params: WorkerPath,
    body: PatchBody,
    reply: WorkerRecord,
    run: ({ params, body }) => fleet.patch(params.worker_id, body),
  }),
  route({
    id: 'workers.remove',
    method: 'DELETE',
    path: '/workers/{worker_id}',
    access,
    summary: 'Revokes the key, cuts the link and gives what the machine held to others.',
    params: WorkerPath,
    reply: z.object({ ok: z.literal(true), revoked: z.string() }),
    run: ({ params }) => fleet.remove(params.worker_id),
  }),
  route({
    id: 'workers.grantConsent',
    method: 'POST',
    path: '/workers/{worker_id}/consent',
    access,
    summary: 'Records that text and audio may be sent to this machine.',
    params: WorkerPath,
    reply: WorkerRecord,
    run: ({ params }) => fleet.grant(params.worker_id),
  }),
  route({
    id: 'workers.withdrawConsent',
    method: 'DELETE',
    path: '/workers/{worker_id}/consent',
    access,
    summary: 'Ours: nothing is sent there any more, and what runs there is stopped and wiped.',
    params: WorkerPath,
    reply: WorkerRecord,
    run: ({ params }) => fleet.withdraw(params.worker_id),
  }),
  route({
    id: 'workers.listTasks',
    method: 'GET',
    path: '/workers/tasks',
    access,
    summary: 'The newest tasks with their attempts, and why waiting ones wait.',
    query: z.strictObject({ limit: z.coerce.number().int().default(50) }),
    reply: z.object({ queue_depth: z.int(), tasks: z.array(WorkerTask) }),
    run: ({ query }) => remoteTasks.list(query.limit),
  }),
  route({
    id: 'workers.submitTask',
    method: 'POST',
    path: '/workers/tasks',
    access,
    summary: 'For development: submits a task and waits for its end.',
    body: TaskBody,
    reply: WorkerTask,
    run: ({ body, signal, traceparent }) => remoteTasks.submit(body, signal, traceparent),
  }),
  route({
    id: 'workers.cancelTask',
    method: 'POST',
    path: '/workers/tasks/{task_id}/cancel',
    access,
    summary: 'Cancels a task that has not ended.',
    params: TaskPath,
    reply: z.object({ ok: z.literal(true) }),
    run: ({ params }) => remoteTasks.cancel(params.task_id),
  }),
]
