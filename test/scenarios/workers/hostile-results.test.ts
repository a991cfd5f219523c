// A lent machine that sends results that no engine would send: each attempt fails and is charged to it, another machine does the work, and
// the studio stays responsive and small.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HOSTILE_RESULTS } from '#test/support/peers/hostile-agent.ts'
import { cpuSeconds, startProgram } from '#test/support/world/process.ts'
import { cleanHistory, tasksOf } from '#test/support/world/tasks.ts'
import { sharedWorld, type World } from '#test/support/world/world.ts'

const LONGEST_PAUSE_SECONDS = 3
const MAX_GROWTH_BYTES = 300 * 1024 ** 2

async function figure(world: World, name: string): Promise<number> {
  const text = (await world.get('/metrics')).body.toString()
  return Number(text.match(new RegExp(`^${name} (\\S+)$`, 'm'))?.[1])
}

/**
 * Requests the health of the studio until `done` settles. Resolves with the most processor time that the studio used before one answer, in
 * seconds: unlike the time of a clock it does not depend on what else the machine does.
 */
async function longestAnswer(world: World, done: Promise<unknown>): Promise<number> {
  let isDone = false
  void done.finally(() => {
    isDone = true
  })
  let longest = 0
  while (!isDone) {
    const from = cpuSeconds(world.studio.pid)
    assert.equal((await world.get('/health')).status, 200)
    longest = Math.max(longest, cpuSeconds(world.studio.pid) - from)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return longest
}

const taskFor = (world: World, text: string) => world.task({ engine: 'tone', params: { segments: [{ text }] } })

const open = sharedWorld({ remote: true })

test('invalid results of a hostile machine fail its attempts only', async (t) => {
  const world = await open()
  await world.post('/system/flush-memory?unload_model=true')
  await world.post('/workers/target', { target: 'auto' })
  const program = startProgram(
    t,
    ['test/support/peers/hostile-agent.ts', await world.code({ label: 'hostile' }), String(HOSTILE_RESULTS.length)],
    {},
  )
  const [, workerId] = await program.says(/joined as (\w+)\./)
  await world.studio.says(new RegExp(`"workerId":"${workerId}".*a machine is connected`))
  assert.equal((await world.post(`/workers/${workerId}/consent`)).status, 200)
  const before = await figure(world, 'process_resident_memory_bytes')

  // Its engine is loaded and the local one is not, so it is offered every task first.
  const submitted = Promise.all(HOSTILE_RESULTS.map((name) => taskFor(world, name)))
  const hostile = await longestAnswer(world, submitted)
  const replies = await submitted
  for (const [index, reply] of replies.entries()) {
    const name = HOSTILE_RESULTS[index]!
    assert.equal(reply.status, 200, `${name}: ${reply.body}`)
    // A machine that is very busy may be late with its messages, which costs no attempt.
    const [first, ...others] = reply
      .json()
      .attempts.filter(({ error }: { error: { code: string } | null }) => error?.code !== 'WORKER_DISCONNECTED')
    assert.deepEqual([first.worker_id, first.state, first.error.code], [workerId, 'failed', 'INVALID_RESULT'], name)
    assert.ok(first.error.message.length < 500, name)
    assert.deepEqual(
      others.map(({ worker_id, state }: { worker_id: string; state: string }) => [worker_id, state]),
      [['local', 'committed']],
      name,
    )
  }
  const honest = await longestAnswer(world, Promise.all(HOSTILE_RESULTS.map((name) => taskFor(world, name))))
  t.diagnostic(`longest answer: ${hostile.toFixed(2)} s while results were invalid, ${honest.toFixed(2)} s without the hostile machine`)
  assert.ok(hostile < Math.max(LONGEST_PAUSE_SECONDS, honest * 10), `an answer took ${hostile} s, and ${honest} s without it`)
  const growth = (await figure(world, 'process_resident_memory_bytes')) - before
  assert.ok(growth < MAX_GROWTH_BYTES, `the studio grew by ${(growth / 1024 ** 2).toFixed(0)} MiB`)

  const { workers } = (await world.get('/workers')).json()
  const { breakers } = workers.find(({ id }: { id: string }) => id === workerId)
  assert.deepEqual([breakers.length, ['open', 'half_open'].includes(breakers[0]?.state)], [1, true], 'its failures open its breaker')
  const later = (await tasksOf(world)).slice(0, HOSTILE_RESULTS.length)
  assert.ok(later.every(({ attempts }) => attempts.every(({ worker_id }) => worker_id === 'local')))
  await cleanHistory(world)
})
