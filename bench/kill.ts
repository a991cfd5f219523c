// A machine is killed in the middle of a batch: 200 tasks of 200 ms on two machines with four permits each, one of them killed with SIGKILL
// half-way. Ideal: the local agent runs the rest with its four permits, including the tasks that the killed machine had started.
import { post, startMachine, startStudio } from './support/peers.ts'
import { median, title } from './support/rounds.ts'

const TASKS = 200
const TASK_MS = 200
const PERMITS = 4
const ROUNDS = 3
type Task = { task_id: string; state: string; attempts: { worker_id: string; state: string }[] }

async function round(): Promise<{ seconds: number; idealSeconds: number; lost: number; twice: number; repeated: number }> {
  const studio = await startStudio()
  const machine = await startMachine(studio.port, { STUDIO_DEVELOPMENT: '1' })
  try {
    await post(studio.port, '/workers/target', '{"target":"auto"}')
    let done = 0
    let killedAt = 0
    const from = performance.now()
    const ended = await Promise.all(
      Array.from({ length: TASKS }, async (_, index) => {
        const body = { engine: 'tone', priority: 1, deadline_seconds: 300, params: work(index) }
        const reply = await post(studio.port, '/workers/tasks', JSON.stringify(body))
        if (reply.status !== 200) throw new Error(`${reply.status} ${reply.body}`)
        if (++done === TASKS / 2) {
          machine.kill()
          killedAt = performance.now()
        }
        return JSON.parse(reply.body.toString()) as Task
      }),
    )
    const held = PERMITS // the tasks of the killed machine start again
    const idealMs = killedAt - from + ((TASKS / 2 - PERMITS + held) / PERMITS) * TASK_MS
    const committed = ended.map(({ attempts }) => attempts.filter(({ state }) => state === 'committed').length)
    return {
      seconds: (performance.now() - from) / 1000,
      idealSeconds: idealMs / 1000,
      lost: committed.filter((count) => count === 0).length,
      twice: committed.filter((count) => count > 1).length,
      repeated: ended.filter(({ attempts }) => attempts.length > 1).length,
    }
  } finally {
    machine.kill()
    studio.kill()
  }
}
const work = (index: number) => ({
  segments: [{ text: `task ${index}`.padEnd(20, '.') }],
  fault: { kind: 'slow', msPerChar: TASK_MS / 20 },
})

export async function run(): Promise<void> {
  title(`${TASKS} tasks of ${TASK_MS} ms over two machines with ${PERMITS} permits each, one killed half-way`)
  const rounds: Awaited<ReturnType<typeof round>>[] = []
  for (let index = 0; index < ROUNDS; index++) rounds.push(await round())
  const of = (pick: (row: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  process.stdout.write(
    `to the last result ${of(({ seconds }) => seconds).toFixed(2)} s, ideal ${of(({ idealSeconds }) => idealSeconds).toFixed(2)} s, ` +
      `ratio ${median(rounds.map(({ seconds, idealSeconds }) => seconds / idealSeconds)).toFixed(2)}; ` +
      `lost ${of(({ lost }) => lost)}, committed twice ${of(({ twice }) => twice)}, started again ${of(({ repeated }) => repeated)}\n`,
  )
}
