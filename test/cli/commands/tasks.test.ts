import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playStudio, refused } from '#test/support/doubles/played-studio.ts'
import { studio } from '#test/support/world/cli.ts'

const task = (id: string, wish: Record<string, unknown>) => ({
  task_id: id,
  operation: 'tts',
  engine: 'svc-engine',
  state: 'completed',
  created_at: Date.now() / 1000 - 130,
  max_attempts: 3,
  attempts: [],
  error: null,
  waiting_for: [],
  ...wish,
})
const attempt = (worker_id: string, code: string | null, progress = 0) => ({
  worker_id,
  state: 'failed',
  progress,
  error: code && { code, message: 'm' },
})
const TARGETS = { target: 'auto', targets: [{ ...localTarget(), id: 'a0', label: 'attic' }, localTarget()] }
function localTarget() {
  const numbers = { latency_ms: 0, active_tasks: 0, max_tasks: 1, can: [] }
  return { id: 'local', label: 'Local', connected: true, available: true, detail: '', is_local: true, status: 'ready', ...numbers }
}

test('the newest tasks, where they ran, why they wait and what to do about a failure', async (t) => {
  const { run } = await playStudio(t, {
    'GET /workers/target': TARGETS,
    'GET /workers/tasks?limit=20&always=true': {
      queue_depth: 1,
      tasks: [
        task('t4', { state: 'running', attempts: [attempt('a0', null, 0.42)] }),
        task('t3', {
          state: 'queued',
          waiting_for: [
            { worker_id: 'local', reason: 'busy' },
            { worker_id: 'a0', reason: 'offline' },
          ],
        }),
        task('t2', {
          state: 'failed',
          attempts: [attempt('a0', 'ENGINE_CRASHED'), attempt('local', 'ENGINE_CRASHED')],
          error: { code: 'ENGINE_CRASHED', message: 'the engine process of flite died', hint: 'It is started again for the next task.' },
        }),
        task('t1', { attempts: [attempt('gone', null)] }),
      ],
    },
  })
  const { code, output } = await run('tasks')
  assert.equal(code, 0)
  for (const line of output.split('\n')) assert.ok(line.length <= 80, line)
  assert.match(output, /^t4 +running 42 % +2 min +1 +attic +tts svc-engine$/m)
  assert.match(output, /^t3 +queued +2 min +0 +- +tts svc-engine\n {4}waits: Local is busy; attic is offline$/m)
  assert.match(output, /^ {4}ENGINE_CRASHED: the engine process of flite died\n {4}It is started again for the next task\.$/m)
  assert.match(output, /^ {4}tried: attic: ENGINE_CRASHED, Local: ENGINE_CRASHED$/m)
  assert.match(output, /^t1 +completed +2 min +1 +gone/m)
  assert.match(output, /^Waiting: 1\.$/m)
})

test('scripts get what the studio said, and the number of tasks they asked for', async (t) => {
  const answer = { queue_depth: 0, tasks: [task('t1', {})] }
  const { run } = await playStudio(t, { 'GET /workers/tasks?limit=1&always=true': answer })
  assert.deepEqual(JSON.parse((await run('tasks', '--json', '--last', '1')).output), JSON.parse(JSON.stringify(answer)))
})

test('a studio without tasks says how to make one', async (t) => {
  const { run } = await playStudio(t, {
    'GET /workers/target': TARGETS,
    'GET /workers/tasks?limit=20&always=true': { queue_depth: 0, tasks: [] },
  })
  assert.match((await run('tasks')).output, /No task yet\. Try: \.\/studio say/)
})

test('a task is cancelled by its id, or it is said why not', async (t) => {
  const { run, asked } = await playStudio(t, {
    'POST /workers/tasks/t1/cancel?always=true': { ok: true },
    'POST /workers/tasks/t2/cancel?always=true': refused(404, { detail: 'There is no such task, or it has ended already.' }),
  })
  assert.match((await run('tasks', 'cancel', 't1')).output, /t1 is being cancelled/)
  const { code, errors } = await run('tasks', 'cancel', 't2')
  assert.deepEqual([code, errors], [1, 'studio: There is no such task, or it has ended already.\n'])
  assert.equal(asked.length, 2)
})

for (const [args, message] of [
  [['stop', 'x'], /'stop' it cannot/],
  [['cancel'], /tasks cancel ID/],
  [['--last', '0'], /1 to 200/],
] as const) {
  test(`misuse: tasks ${args.join(' ')}`, async () => {
    const { code, errors } = await studio(['tasks', ...args])
    assert.equal(code, 2)
    assert.match(errors, message)
  })
}
