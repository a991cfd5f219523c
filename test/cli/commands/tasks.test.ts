import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openFakeStudio, refusal } from '#test/support/doubles/fake-studio.ts'
import { studio } from '#test/support/world/cli.ts'

const task = (id: string, overrides: Record<string, unknown>) => ({
  task_id: id,
  operation: 'tts',
  engine: 'svc-engine',
  state: 'completed',
  created_at: Date.now() / 1000 - 130,
  max_attempts: 3,
  attempts: [],
  error: null,
  waiting_for: [],
  ...overrides,
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

test('lists the newest tasks with machine, reason for waiting and failure hint', async (t) => {
  const { run } = await openFakeStudio(t, {
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
  assert.match(output, /^t3 +queued +2 min +0 +- +tts svc-engine\n {4}waiting: Local is busy; attic is offline$/m)
  assert.match(output, /^ {4}ENGINE_CRASHED: the engine process of flite died\n {4}It is started again for the next task\.$/m)
  assert.match(output, /^ {4}failed attempts: attic: ENGINE_CRASHED, Local: ENGINE_CRASHED$/m)
  assert.match(output, /^t1 +completed +2 min +1 +gone/m)
  assert.match(output, /^Waiting: 1$/m)
})

test('--json prints the response of the studio; --last limits the number of tasks', async (t) => {
  const answer = { queue_depth: 0, tasks: [task('t1', {})] }
  const { run } = await openFakeStudio(t, { 'GET /workers/tasks?limit=1&always=true': answer })
  assert.deepEqual(JSON.parse((await run('tasks', '--json', '--last', '1')).output), JSON.parse(JSON.stringify(answer)))
})

test('an empty list says how to create a task', async (t) => {
  const { run } = await openFakeStudio(t, {
    'GET /workers/target': TARGETS,
    'GET /workers/tasks?limit=20&always=true': { queue_depth: 0, tasks: [] },
  })
  assert.match((await run('tasks')).output, /No tasks yet\. Try: \.\/studio say/)
})

test('tasks cancel cancels a task by id; a refusal shows the message of the studio', async (t) => {
  const { run, requests } = await openFakeStudio(t, {
    'POST /workers/tasks/t1/cancel?always=true': { ok: true },
    'POST /workers/tasks/t2/cancel?always=true': refusal(404, { detail: 'There is no such task, or it has ended already.' }),
  })
  assert.match((await run('tasks', 'cancel', 't1')).output, /Cancelling task t1/)
  const { code, errors } = await run('tasks', 'cancel', 't2')
  assert.deepEqual([code, errors], [1, 'studio: There is no such task, or it has ended already.\n'])
  assert.equal(requests.length, 2)
})

for (const [args, message] of [
  [['stop', 'x'], /Unknown tasks command 'stop'/],
  [['cancel'], /tasks cancel ID/],
  [['--last', '0'], /1 to 200/],
] as const) {
  test(`invalid arguments: tasks ${args.join(' ')}`, async () => {
    const { code, errors } = await studio(['tasks', ...args])
    assert.equal(code, 2)
    assert.match(errors, message)
  })
}
