// Helpers for tests of tasks: a slow task, where it ran, whether all tasks have ended and the history is clean.
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { type History, readHistory, violations } from '../chaos/history.ts'
import { MAX_WAIT_MS, type Program } from './process.ts'
import { eventually, type Machine, type Reply, type World } from './world.ts'

type TaskView = {
  readonly task_id: string
  readonly engine: string
  readonly state: string
  readonly attempts: readonly { readonly worker_id: string; readonly state: string; readonly error: { readonly code: string } | null }[]
  readonly error: { readonly code: string } | null
  readonly result_ref: string | null
}
const TEXT = 'a tone that takes its time '.repeat(4)
const ENDED = ['completed', 'failed', 'timeout', 'cancelled']

/** Parameters of the test voice for four seconds of audio in 40 pieces, generated in about `ms`. Equal parameters give equal bytes. */
export const slowly = (ms: number, seed = 0) => ({
  segments: [{ text: TEXT, seed }],
  ms_per_part: 4000,
  piece_ms: 100,
  fault: { kind: 'slow', msPerChar: ms / TEXT.length },
})

export async function tasksOf(world: World): Promise<TaskView[]> {
  return (await world.get('/workers/tasks?limit=200')).json().tasks
}

/** Submits a task with `target` chosen, and resolves once it has started; `reply` resolves when it has ended. */
export async function startOn(
  world: World,
  target: string,
  body: Record<string, unknown>,
): Promise<{ readonly id: string; readonly workerId: string; readonly reply: Promise<Reply> }> {
  await world.post('/workers/target', { target })
  const before = new Set((await tasksOf(world)).map(({ task_id }) => task_id))
  const reply = world.task({ engine: 'tone', ...body })
  reply.catch(() => {}) // the caller may not await it
  // A short task may have ended before it was seen running.
  const task = await eventually(async () =>
    (await tasksOf(world)).find(({ task_id, state }) => !before.has(task_id) && ['running', ...ENDED].includes(state)),
  )
  return { id: task.task_id, workerId: task.attempts.at(-1)!.worker_id, reply }
}

/** The digest of a task's output, from the reply of its submission. */
export const digestOf = (reply: Reply): string => basename(reply.json().result_ref)

/** Resolves with all tasks, newest first, when every one of them has ended. */
export const allEnded = (world: World, ms = MAX_WAIT_MS): Promise<TaskView[]> =>
  eventually(async () => {
    const tasks = await tasksOf(world)
    return tasks.every(({ state }) => ENDED.includes(state)) && tasks
  }, ms)

/** Number of times that the agent behind `program` has started the task. The local agent logs through its studio. */
export const timesBegun = (program: Program, taskId: string): number =>
  program.lines().filter(({ msg, taskId: id }) => msg === 'attempt started' && id === taskId).length

/** Process ids of the started engine hosts, oldest first. */
export const hostsOf = (program: Program): number[] =>
  program.lines().flatMap(({ msg, pid }) => (msg === 'engine host started' ? [pid as number] : []))

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Resolves when the machine holds no task, according to the studio. */
export const idle = (world: World, { workerId }: Machine): Promise<unknown> =>
  eventually(async () => {
    const { workers } = (await world.get('/workers')).json()
    return workers.find(({ id }: { id: string }) => id === workerId)?.active_tasks === 0
  })

/** Stops the studio, checks its complete history, and returns it. */
export async function cleanHistory(world: World): Promise<History> {
  assert.equal(await world.studio.end(), 0, 'the studio stops cleanly')
  return checkedHistory(world)
}

/** The same for a studio that other files go on using: all tasks must have ended. */
export async function cleanSoFar(world: World): Promise<History> {
  await allEnded(world)
  return checkedHistory(world)
}

function checkedHistory({ dataDir }: World): History {
  const history = readHistory(dataDir)
  assert.deepEqual(violations(history), [])
  return history
}
