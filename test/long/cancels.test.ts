// Ten thousand tasks are cancelled while waiting or running: each cancel of a running task is confirmed soon, and nothing is left behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { cleanHistory, hostsOf, idle, isAlive, slowly, tasksOf } from '../support/world/tasks.ts'
import { eventually, openWorld } from '../support/world/world.ts'

const CANCELS = 10_000
const LANES = 100
const PERMITS = 8
/** The agent has 250 ms at a step boundary; the rest is a margin for a busy machine. */
const CONFIRMED_MS = 250

test(`${CANCELS} cancels leave no task, permit or process`, async (t) => {
  const world = await openWorld(t, { remote: true })
  const box = await world.machine('box')
  await world.approve(box)
  await world.post('/workers/target', { target: 'auto' })
  const confirmed: number[] = []
  let left = CANCELS
  let isOver = false

  const lane = async () => {
    while (left-- > 0) {
      const { status } = await world.task({ engine: 'tone', deadline_seconds: 3_600, params: slowly(600_000, left % 7) })
      assert.equal(status, 409)
    }
  }
  const cancel = async () => {
    while (!isOver) {
      const open = (await tasksOf(world)).filter(({ state }) => state === 'queued' || state === 'running')
      await Promise.all(
        open.map(async ({ task_id, state }) => {
          const from = clock.mono()
          const { status } = await world.post(`/workers/tasks/${task_id}/cancel`)
          assert.ok(status === 200 || status === 404, String(status))
          if (state !== 'running' || status !== 200) return
          await eventually(async () => (await tasksOf(world)).every((task) => task.task_id !== task_id || task.state === 'cancelled'))
          confirmed.push(clock.mono() - from)
        }),
      )
      await clock.sleep(5)
    }
  }
  const cancelling = cancel()
  await Promise.all(Array.from({ length: LANES }, lane))
  isOver = true
  await cancelling

  await idle(world, box)
  assert.equal((await world.get('/workers')).json().queue_depth, 0)
  const again = await Promise.all(Array.from({ length: PERMITS }, (_, seed) => world.task({ engine: 'tone', params: slowly(300, seed) })))
  for (const reply of again) assert.equal(reply.status, 200, reply.body.toString())
  const sorted = confirmed.sort((a, b) => a - b)
  t.diagnostic(
    `${confirmed.length} cancels of running tasks, median ${sorted[sorted.length >> 1]?.toFixed(0)} ms measured by the client, limit ${CONFIRMED_MS}`,
  )
  const { tasks } = await cleanHistory(world)
  assert.equal(tasks.filter(({ phase }) => phase === 'cancelled').length, CANCELS)
  assert.equal(await box.program.end(), 0)
  assert.deepEqual([...hostsOf(box.program), ...hostsOf(world.studio)].filter(isAlive), [])
})
