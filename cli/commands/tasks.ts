// `tasks`: the newest tasks of the running studio, and the one thing that may be done to them.
import { z } from 'zod'
import { Misuse, parse, type Run, type Terminal } from '../lib/command.ts'
import { askStudio } from '../lib/studio-api.ts'
import { ago, tableLines } from '../views/table.ts'
import { Targets } from '../views/worker-views.ts'

const OPTIONS = { json: { type: 'boolean' }, last: { type: 'string' } } as const
const Trouble = z.object({ code: z.string(), message: z.string(), hint: z.string() })
const TaskAnswer = z.object({
  queue_depth: z.number(),
  tasks: z.array(
    z.object({
      task_id: z.string(),
      operation: z.string(),
      engine: z.string(),
      state: z.string(),
      created_at: z.number(),
      max_attempts: z.number(),
      attempts: z.array(
        z.object({ worker_id: z.string(), state: z.string(), progress: z.number(), error: z.object({ code: z.string() }).nullable() }),
      ),
      error: Trouble.nullable(),
      waiting_for: z.array(z.object({ worker_id: z.string(), reason: z.string() })),
    }),
  ),
})
type TaskView = z.output<typeof TaskAnswer>['tasks'][number]
const WORDS: Readonly<Record<string, string>> = { assigned: 'offered', model_loading: 'loading', result_uploading: 'delivering' }

export const run: Run = async (args, terminal) => {
  const { values, positionals } = parse(args, OPTIONS)
  const [verb, id, ...more] = positionals
  if (verb === undefined) return list(values.last, values.json === true, terminal)
  if (verb !== 'cancel') throw new Misuse(`tasks can cancel; '${verb}' it cannot`)
  if (id === undefined || more.length > 0) throw new Misuse('say which task: tasks cancel ID')
  const answer = await askStudio(terminal.env, 'POST', `/workers/tasks/${encodeURIComponent(id)}/cancel?always=true`)
  terminal.output.write(`${values.json ? JSON.stringify(answer) : `Task ${id} is being cancelled.`}\n`)
  return 0
}

async function list(last = '20', json: boolean, { env, output }: Terminal): Promise<number> {
  const count = Number(last)
  if (!(Number.isInteger(count) && count >= 1 && count <= 200)) throw new Misuse('--last takes a number from 1 to 200')
  const raw = await askStudio(env, 'GET', `/workers/tasks?limit=${count}&always=true`)
  if (json) {
    output.write(`${JSON.stringify(raw, null, 2)}\n`)
    return 0
  }
  const { tasks, queue_depth } = TaskAnswer.parse(raw)
  const { targets } = Targets.parse(await askStudio(env, 'GET', '/workers/target'))
  const names = new Map(targets.map(({ id, label }) => [id, label]))
  const nameOf = (id: string) => names.get(id) ?? id
  const now = Date.now() / 1000
  const lines = tableLines(
    ['TASK', 'STATE', 'AGE', 'TRIES', 'MACHINE', 'WORK'],
    tasks.map((task) => ({
      cells: [
        task.task_id,
        stateOf(task),
        ago(now - task.created_at),
        `${task.attempts.length}`,
        task.attempts.length > 0 ? nameOf(task.attempts.at(-1)!.worker_id) : '-',
        `${task.operation} ${task.engine}`,
      ],
      notes: notesOf(task, nameOf),
    })),
    [20, 16, 8, 5, 18, 40],
  )
  output.write(tasks.length === 0 ? 'No task yet. Try: ./studio say "Good morning." -o morning.mp3\n' : `${lines.join('\n')}\n`)
  if (queue_depth > 0) output.write(`\nWaiting: ${queue_depth}.\n`)
  return 0
}

function stateOf({ state, attempts }: TaskView): string {
  const progress = attempts.at(-1)?.progress ?? 0
  return state === 'running' && progress > 0 ? `running ${Math.round(progress * 100)} %` : (WORDS[state] ?? state)
}

function notesOf({ error, attempts, waiting_for, state }: TaskView, nameOf: (id: string) => string): string[] {
  const failed = attempts.flatMap(({ worker_id, error: trouble }) => (trouble ? [`${nameOf(worker_id)}: ${trouble.code}`] : []))
  return [
    ...(state === 'queued' && waiting_for.length > 0
      ? [`waits: ${waiting_for.map(({ worker_id, reason }) => `${nameOf(worker_id)} is ${reason}`).join('; ')}`]
      : []),
    ...(error ? [`${error.code}: ${error.message}`, error.hint] : []),
    ...(failed.length > 0 && (error === null || attempts.length > 1) ? [`tried: ${failed.join(', ')}`] : []),
  ]
}
