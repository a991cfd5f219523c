// Processes that are killed or suspended, one after the other in one studio: each time the work completes elsewhere or restarts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cleanHistory, hostsOf, idle, isAlive, slowly, startOn, timesBegun } from '../support/world/tasks.ts'
import { eventually, type Reply, sharedWorld } from '../support/world/world.ts'

type Attempt = { readonly worker_id: string; readonly state: string; readonly error: { readonly code: string } | null }
const attemptsOf = (reply: Reply): readonly (readonly [string, string, string | undefined])[] => {
  assert.equal(reply.status, 200, reply.body.toString())
  return reply.json().attempts.map(({ worker_id, state, error }: Attempt) => [worker_id, state, error?.code] as const)
}

const open = sharedWorld({ remote: true })

test('SIGKILL and SIGSTOP of every working process', async (t) => {
  const world = await open()
  const [box, desk] = await Promise.all([world.machine('box'), world.machine('desk')])
  for (const machine of [box, desk]) await world.approve(machine)
  const localAgentPid = () => {
    const children = world.studio.lines().filter(({ program, msg }) => program === 'studio' && msg === 'the local agent was started')
    return children.at(-1)?.['pid'] as number | undefined
  }

  // Suspended first and resumed last: its messages are then about an attempt that has been completed elsewhere.
  let asleep = await startOn(world, 'auto', { params: slowly(5_000) })
  while (asleep.workerId !== desk.workerId) asleep = await startOn(world, 'auto', { params: slowly(5_000) })
  desk.program.signal('SIGSTOP')
  const stoppedAt = performance.now()

  await t.test('an engine host is killed: the same agent starts another one and repeats the task', async () => {
    const held = await startOn(world, box.workerId, { params: slowly(6_000) })
    process.kill(hostsOf(box.program).at(-1)!, 'SIGKILL')
    assert.deepEqual(attemptsOf(await held.reply), [
      [box.workerId, 'failed', 'ENGINE_CRASHED'],
      [box.workerId, 'committed', undefined],
    ])
    assert.equal(hostsOf(box.program).length, 2)
  })

  await t.test('an engine host is suspended: the agent detects the silence and kills it', async () => {
    const held = await startOn(world, box.workerId, { params: slowly(6_000) })
    process.kill(hostsOf(box.program).at(-1)!, 'SIGSTOP')
    assert.deepEqual(attemptsOf(await held.reply), [
      [box.workerId, 'failed', 'ENGINE_HUNG'],
      [box.workerId, 'committed', undefined],
    ])
  })

  await t.test('an agent is killed and started again: it receives its task again', async () => {
    const held = await startOn(world, box.workerId, { params: slowly(6_000) })
    const host = hostsOf(box.program).at(-1)!
    await box.program.end('SIGKILL')
    await eventually(() => !isAlive(host))
    const again = await box.restart()
    assert.deepEqual(attemptsOf(await held.reply), [
      [box.workerId, 'lost', 'WORKER_DISCONNECTED'],
      [box.workerId, 'committed', undefined],
    ])
    assert.equal(timesBegun(again.program, held.id), 1)
    await again.program.end()
  })

  await t.test('the local agent is killed: the studio starts it again and the task completes', async () => {
    const held = await startOn(world, 'local', { params: slowly(6_000) })
    const pid = localAgentPid()
    assert.ok(pid)
    process.kill(pid, 'SIGKILL')
    assert.deepEqual(
      attemptsOf(await held.reply).map(([worker, state]) => [worker, state]),
      [
        ['local', 'lost'],
        ['local', 'committed'],
      ],
    )
    assert.notEqual(localAgentPid(), pid)
  })

  await t.test('a suspended agent loses its task; its late result is ignored when it resumes', async () => {
    const attempts = attemptsOf(await asleep.reply)
    t.diagnostic(`done elsewhere ${Math.round((performance.now() - stoppedAt) / 1000)} s after the stop`)
    assert.deepEqual(attempts[0], [desk.workerId, 'lost', 'WORKER_DISCONNECTED'])
    assert.ok(attempts.slice(1).every(([worker]) => worker !== desk.workerId))
    const from = world.studio.output().length
    desk.program.signal('SIGCONT')
    await world.studio.says(new RegExp(`"workerId":"${desk.workerId}".*a machine is connected`), { from })
    const later = await startOn(world, desk.workerId, { params: slowly(100) })
    assert.deepEqual(attemptsOf(await later.reply), [[desk.workerId, 'committed', undefined]])
    assert.equal(timesBegun(desk.program, asleep.id), 1)
    await idle(world, desk)
  })
  await cleanHistory(world)
  assert.deepEqual(hostsOf(world.studio).filter(isAlive), [])
})
