// The studio stops with many tasks in flight on three machines: no task is lost, committed twice or run without need.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../support/world/process.ts'
import { allEnded, cleanHistory, slowly, tasksOf, timesBegun } from '../support/world/tasks.ts'
import { eventually, openWorld, type Reply, temporaryFolder, type World } from '../support/world/world.ts'

/** Stops it twice with this many tasks in flight, and once between an offer and its record. */
export async function stoppedStudio(t: TestContext, count: number): Promise<void> {
  const world = await openWorld(t, { remote: true })
  const machines = await Promise.all([world.machine('one'), world.machine('two')] as const)
  for (const machine of machines) await world.approve(machine)

  const kill = join(temporaryFolder(t), 'kill')
  const preload = pathToFileURL(join(ROOT, 'test/support/chaos/kills/killed-at-write.ts'))
  // The last start has what the test after it needs.
  const starts = { SIGKILL: {}, SIGTERM: { NODE_OPTIONS: `--import="${preload}"`, VOICE_STUDIO_TEST_KILL: kill } } as const
  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    await t.test(`${signal} with ${count} tasks in flight`, async (t) => {
      const earlier = new Set((await tasksOf(world)).map(({ task_id }) => task_id))
      const own = <T extends { readonly task_id: string }>(tasks: readonly T[]) => tasks.filter(({ task_id }) => !earlier.has(task_id))
      // The machines may still be reconnecting after the restart before.
      await eventually(async () =>
        (await world.get('/workers/target')).json().targets.every(({ connected }: { connected: boolean }) => connected),
      )
      // One task more than the machine has permits waits for that machine; a short disconnect must not fail it.
      const pinned = await oneTooMany(world, machines[0]!.workerId)

      await world.post('/workers/target', { target: 'auto' })
      const free = Array.from({ length: count }, (_, seed) => world.task({ engine: 'tone', params: slowly(1500, seed) }))
      const callers = [...pinned, ...free].map((reply) =>
        reply.then(
          ({ status }) => status,
          () => 'connection lost',
        ),
      )
      await eventually(async () => {
        const tasks = own(await tasksOf(world))
        // How many run and how many wait at one moment depends on the machine, so only what lasts is required.
        return tasks.length === callers.length && tasks.some(({ state }) => state === 'completed')
      })
      const before = world.studio
      await world.restart(signal, starts[signal])

      const outcomes = await Promise.all(callers)
      assert.ok(
        outcomes.some((outcome) => outcome !== 200),
        'the studio went down while callers waited',
      )
      const ended = own(await allEnded(world))
      assert.equal(ended.length, callers.length)
      let again = 0
      for (const { task_id, state, error, attempts } of ended) {
        assert.equal(state, 'completed', `${task_id}: ${JSON.stringify(error)}`)
        const begun = machines.reduce((sum, { program }) => sum + timesBegun(program, task_id), 0)
        assert.ok(begun <= 1, 'results completed while the studio was down are used')
        // Only the local agent stopped with its studio: only its tasks and tasks that had not started may run again.
        if (attempts.length > 1 && attempts[0]!.worker_id !== 'local') assert.equal(begun, attempts.at(-1)!.worker_id === 'local' ? 0 : 1)
        if (attempts.length > 1) again++
      }
      if (signal === 'SIGTERM') assert.match(before.output(), /the studio is stopping/)
      t.diagnostic(`${again} of ${ended.length} ran again`)
    })

  await t.test('killed before it writes an admission whose offer has left: the machine stops the attempt', async () => {
    const [{ program, workerId }] = machines
    await world.post('/workers/target', { target: workerId })
    const before = program.lines().length
    const reported = (message: string) =>
      program
        .lines()
        .slice(before)
        .find(({ msg }) => msg === message)
    await eventually(async () => {
      const { targets } = (await world.get('/workers/target')).json()
      return targets.some(({ id, connected }: { id: string; connected: boolean }) => id === workerId && connected)
    })
    writeFileSync(kill, '')
    await assert.rejects(world.task({ engine: 'tone', params: slowly(60_000) }), 'the caller got no answer')
    rmSync(kill)
    await world.restart('SIGKILL')
    const id = reported('attempt started')?.['taskId']
    assert.ok(id)
    await eventually(() => reported('an attempt failed')?.['taskId'] === id)
    assert.equal((await world.get(`/workers/tasks/${id}`)).status, 404)
  })
  await cleanHistory(world)
}

/** Five tasks for a machine with four permits, four of them long; resolves with their replies once all are submitted. */
async function oneTooMany(world: World, target: string): Promise<Promise<Reply>[]> {
  await world.post('/workers/target', { target })
  const before = (await tasksOf(world)).length
  const submitted = (count: number) => eventually(async () => (await tasksOf(world)).length === before + count)
  const submit = (ms: number, seed: number) => {
    const reply = world.task({ engine: 'tone', params: slowly(ms, seed) })
    reply.catch(() => {}) // awaited by the caller, later
    return reply
  }
  const long = [0, 1, 2, 3].map((seed) => submit(9_000, seed))
  await submitted(4)
  const fifth = submit(100, 4)
  await submitted(5)
  return [...long, fifth]
}
