import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandsOf, jsonIn, studio } from '#test/support/world/cli.ts'
import { slowly, startOn } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ remote: true })

test('the newest tasks are listed with machine, progress, reason for waiting and failure hint, and cancelled', async () => {
  const world = await open()
  const run = commandsOf(world)
  assert.match((await run('tasks')).output, /No tasks yet\. Try: \.\/studio say/)
  const failed = await world.task({ engine: 'tone', params: { segments: [{ text: 'Hello.' }], fault: { kind: 'crash' } } })
  assert.equal(failed.status, 502)
  await world.post('/workers/local/resume')
  const box = await world.machine('attic')
  await world.approve(box)
  const long = await startOn(world, box.workerId, { params: slowly(120_000) })
  const vast = world.task({ engine: 'tone', model_id: 'vast', params: { segments: [{ text: 'Hello.' }] } })
  const newest = async (count: number) => (await world.get(`/workers/tasks?limit=${count}`)).json().tasks
  await eventually(async () => {
    const tasks = (await newest(3)) as { attempts: { progress: number }[]; waiting_for: object[] }[]
    return tasks[0]!.waiting_for.length === 2 && tasks[1]!.attempts[0]!.progress > 0.005
  })

  const { code, output } = await run('tasks')
  assert.equal(code, 0)
  for (const line of output.split('\n')) assert.ok(line.length <= 80, line)
  assert.match(output, new RegExp(`^${long.id} +running \\d+ % +\\d+ (s|min) +1 +attic +tts tone$`, 'm'))
  assert.match(
    output,
    /^\S+ +queued +\d+ (s|min) +0 +- +tts tone\n {4}waiting: Local is not the chosen machine; attic is not enough memory/m,
  )
  assert.match(
    output,
    /^\S+ +failed +\d+ (s|min) +3 +Local +tts tone\n {4}ENGINE_CRASHED: [\s\S]*?\n {4}failed attempts: Local: ENGINE_CRASHED, Local:/m,
  )
  assert.match(output, /^Waiting: 1$/m)
  const listed = jsonIn((await run('tasks', '--json', '--last', '1')).output)
  assert.deepEqual(
    listed.tasks.map(({ task_id }: { task_id: string }) => task_id),
    [(await newest(1))[0].task_id],
  )

  for (const { task_id } of await newest(2)) {
    assert.equal((await run('tasks', 'cancel', task_id)).output, `Cancelling task ${task_id}.\n`)
    await eventually(
      async () =>
        ((await newest(2)) as { task_id: string; state: string }[]).find((task) => task.task_id === task_id)!.state === 'cancelled',
    )
  }
  await Promise.all([vast, long.reply])
  const again = await run('tasks', 'cancel', long.id)
  assert.deepEqual([again.code, again.errors], [5, 'studio: There is no such task, or it has ended already.\n'])
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
