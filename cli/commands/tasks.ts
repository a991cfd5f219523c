// `tasks`: lists the newest tasks of the running studio and cancels one.

import { z } from 'zod'
import { type CommandRun, Misuse, parseArguments, type Terminal, unknownVerb } from '#cli/lib/command.ts'
import { requestJson } from '#cli/lib/studio/api.ts'
import { shortDuration, tableLines } from '#cli/views/table.ts'
import { TargetAnswer } from '#cli/views/worker-views.ts'
import { tasksContracts } from '#control-plane/features/machines/tasks/tasks.contract.ts'
import { COMMAND } from '#shared/protocol/version.ts'

const OPTIONS = { json: { type: 'boolean' }, last: { type: 'string' } } as const
const { queue_depth: QueueDepth, tasks: Tasks } = tasksContracts.list.reply.shape
const TaskError = Tasks.element.shape.error.unwrap().pick({ code: true, message: true, hint: true })
const Attempt = Tasks.element.shape.attempts.element
  .pick({ worker_id: true, state: true, progress: true })
  .extend({ error: TaskError.pick({ code: true }).nullable() })
const Task = Tasks.element
  .pick({ task_id: true, operation: true, engine: true, state: true, created_at: true, max_attempts: true, waiting_for: true })
  .extend({ attempts: z.array(Attempt), error: TaskError.nullable() })
const TaskAnswer = z.object({ queue_depth: QueueDepth, tasks: z.array(Task) })
type TaskView = z.output<typeof TaskAnswer>['tasks'][number]
const STATE_LABELS: Readonly<Record<string, string>> = { assigned: 'offered', model_loading: 'loading', result_uploading: 'delivering' }

export const run: CommandRun = async (args, terminal) => {
  const { values, positionals } = parseArguments(args, OPTIONS)
  const [verb, id, ...more] = positionals
  if (verb === undefined) return list(values.last, values.json === true, terminal)
  if (verb !== 'cancel') throw unknownVerb('tasks', verb, ['cancel'])
  if (id === undefined || more.length > 0) throw new Misuse(`Name one task: tasks cancel ID. List the tasks with ${COMMAND} tasks.`)
  const answer = await requestJson(terminal.env, 'POST', `/workers/tasks/${encodeURIComponent(id)}/cancel?always=true`)
  terminal.output.write(`${values.json ? JSON.stringify(answer) : `Cancelling task ${id}.`}\n`)
  return 0
}

async function list(last = '20', json: boolean, { env, output }: Terminal): Promise<number> {
  const count = Number(last)
  if (!(Number.isInteger(count) && count >= 1 && count <= 200)) throw new Misuse('--last takes a number from 1 to 200.')
  const raw = await requestJson(env, 'GET', `/workers/tasks?limit=${count}&always=true`)
  if (json) {
    output.write(`${JSON.stringify(raw, null, 2)}\n`)
    return 0
  }
  const { tasks, queue_depth } = TaskAnswer.parse(raw)
  const { targets } = TargetAnswer.parse(await requestJson(env, 'GET', '/workers/target'))
  const names = new Map(targets.map(({ id, label }) => [id, label]))
  const nameOf = (id: string) => names.get(id) ?? id
  const now = Date.now() / 1000
  const lines = tableLines(
    ['TASK', 'STATE', 'AGE', 'ATTEMPTS', 'MACHINE', 'WORK'],
    tasks.map((task) => ({
      cells: [
        task.task_id,
        stateOf(task),
        shortDuration(now - task.created_at),
        `${task.attempts.length}`,
        task.attempts.length > 0 ? nameOf(task.attempts.at(-1)!.worker_id) : '-',
        `${task.operation} ${task.engine}`,
      ],
      notes: notesOf(task, nameOf),
    })),
    [20, 16, 8, 8, 18, 40],
  )
  output.write(tasks.length === 0 ? `No tasks yet. Try: ${COMMAND} say "Good morning." -o morning.mp3\n` : `${lines.join('\n')}\n`)
  if (queue_depth > 0) output.write(`\nWaiting: ${queue_depth}\n`)
  return 0
}

function stateOf({ state, attempts }: TaskView): string {
  const progress = attempts.at(-1)?.progress ?? 0
  return state === 'running' && progress > 0 ? `running ${Math.round(progress * 100)} %` : (STATE_LABELS[state] ?? state)
}

function notesOf({ error, attempts, waiting_for, state }: TaskView, nameOf: (id: string) => string): string[] {
  const failed = attempts.flatMap((attempt) => (attempt.error ? [`${nameOf(attempt.worker_id)}: ${attempt.error.code}`] : []))
  return [
    ...(state === 'queued' && waiting_for.length > 0
      ? [`waiting: ${waiting_for.map(({ worker_id, reason }) => `${nameOf(worker_id)} is ${reason}`).join('; ')}`]
      : []),
    ...(error ? [`${error.code}: ${error.message}`, error.hint] : []),
    ...(failed.length > 0 && (error === null || attempts.length > 1) ? [`failed attempts: ${failed.join(', ')}`] : []),
  ]
}
