// A machine whose engine crashes repeatedly: it is paused, others do its work, the owner sees why, and the pause survives a restart.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openStore } from '#control-plane/store/open.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { cleanHistory, tasksOf } from '#test/support/world/tasks.ts'
import { eventually, type Reply, sharedWorld } from '#test/support/world/world.ts'

const segments = [{ text: 'Hello.' }]
const crash = { engine: 'tone', params: { segments, fault: { kind: 'crash' } } }
const well = { engine: 'tone', params: { segments } }
/** Machine and code of the attempts of a failed task. A machine that is very busy may be late with its messages, which costs no attempt. */
const crashesIn = (failed: Reply): string[][] =>
  failed
    .json()
    .detail.attempts.map(({ worker_id, error }: { worker_id: string; error: { code: string } }) => [worker_id, error.code])
    .filter(([, code]: string[]) => code !== 'WORKER_DISCONNECTED')

const open = sharedWorld({ remote: true })

test('a machine whose engine crashes', { timeout: 400_000 }, async (t) => {
  const world = await open()

  await t.test('a host that is killed under load costs its tasks seconds, and pauses nothing', async () => {
    const slowly = { engine: 'tone', params: { segments: [{ text: 'x'.repeat(40) }], fault: { kind: 'slow', msPerChar: 120 } } }
    for (let wave = 0; wave < 2; wave++) {
      const from = world.studio.output().length
      // One client leaves the last permit of the machine to others.
      const pending = Array.from({ length: 3 }, () => world.task(slowly))
      await eventually(async () => (await tasksOf(world)).filter(({ state }) => state === 'running').length === 3)
      const pid = Number([...world.studio.output().matchAll(/"group":"tone","pid":(\d+),"msg":"engine host started"/g)].at(-1)![1])
      const startedAt = performance.now()
      process.kill(pid, 'SIGKILL')
      for (const reply of await Promise.all(pending)) {
        const codes = reply.json().attempts.map(({ error }: { error: { code: string } | null }) => error?.code ?? null)
        assert.deepEqual([reply.status, codes], [200, ['ENGINE_CRASHED', null]], reply.body.toString())
      }
      assert.ok(performance.now() - startedAt < 45_000, 'sooner than a paused machine is tried again')
      assert.doesNotMatch(world.studio.output().slice(from), /a machine is paused/)
    }
  })

  await t.test('this machine is paused too, and resumed whether or not remote machines are on', async () => {
    const failed = await world.task(crash)
    assert.deepEqual(crashesIn(failed), Array(3).fill(['local', 'ENGINE_CRASHED']))
    const waiting = world.task(well)
    await eventually(async () => {
      const [newest] = (await world.get('/workers/tasks?limit=1')).json().tasks
      return newest.waiting_for[0]?.reason === 'paused after repeated failures'
    })
    assert.equal((await world.post('/v1/audio/speech', { input: 'Another engine is well.' })).status, 200)
    assert.deepEqual((await world.post('/workers/local/resume')).json(), { ok: true })
    assert.equal((await waiting).status, 200)

    assert.deepEqual((await world.post('/workers/0123456789ab/resume')).json(), { ok: true }, 'of an unknown one there is nothing to close')
    await world.post('/workers/enabled', { enabled: false })
    const off = await world.post('/workers/0123456789ab/resume')
    assert.deepEqual([off.status, off.json().detail.startsWith('Remote workers are turned off.')], [409, true])
    assert.equal((await world.post('/workers/local/resume')).status, 200)
    await world.post('/workers/enabled', { enabled: true })
  })

  await t.test('three crashes pause a machine; a restart keeps it paused, and a person resumes it', async () => {
    const earlier = (await tasksOf(world)).length
    const bad = await world.machine('bad')
    const good = await world.machine('good')
    await world.approve(bad)
    await world.approve(good)
    const fleet = async () => (await world.get('/workers')).json().workers as { id: string; breakers: Record<string, unknown>[] }[]
    const breakersOf = async (id: string) => (await fleet()).find((worker) => worker.id === id)!.breakers

    await world.post('/workers/target', { target: bad.workerId })
    const failed = await world.task(crash)
    assert.equal(failed.status, 502)
    assert.deepEqual(crashesIn(failed), Array(3).fill([bad.workerId, 'ENGINE_CRASHED']))

    const [breaker, ...more] = await breakersOf(bad.workerId)
    assert.deepEqual(more, [])
    assert.match((await world.get('/metrics')).body.toString(), /^studio_breakers\{state="open"\} 1$/m)
    const { retry_at, summary, ...rest } = breaker!
    assert.deepEqual(rest, { worker_id: bad.workerId, model_key: 'tone:', state: 'open', trips: 1 })
    const left = Number(retry_at) - Date.now() / 1000
    assert.ok(left > 0 && left <= 60, `${left}`)
    assert.match(String(summary), /^paused after 3 failures \(.+\), retrying in \d+ s$/)
    assert.deepEqual(await breakersOf(good.workerId), [])
    const target = async () => (await world.get('/workers/target?op=tts')).json()
    assert.deepEqual(
      [(await target()).active.worker_id, (await target()).targets[1].detail],
      [bad.workerId, ''],
      'it still has another engine',
    )

    await world.post('/workers/target', { target: 'auto' })
    for (const reply of await Promise.all([1, 2, 3, 4, 5, 6].map(() => world.task(well)))) {
      assert.equal(reply.status, 200, reply.body.toString())
      assert.notEqual(reply.json().attempts.at(-1).worker_id, bad.workerId)
    }

    await world.restart()
    await eventually(async () =>
      (await world.get('/workers/target')).json().targets.every(({ connected }: { connected: boolean }) => connected),
    )
    const [kept] = await breakersOf(bad.workerId)
    // Half open once the pause is over, which it may be on a busy machine.
    assert.deepEqual([['open', 'half_open'].includes(String(kept!['state'])), kept!['trips']], [true, 1])
    assert.ok(Math.abs(Number(kept!['retry_at']) - Number(retry_at)) < 5)

    await world.post('/workers/target', { target: bad.workerId })
    const waiting = world.task(well)
    const reasons = await eventually(async () => {
      const [newest] = (await world.get('/workers/tasks?limit=1')).json().tasks
      return newest.state === 'queued' && newest.waiting_for.length > 0 && newest.waiting_for
    })
    assert.deepEqual(
      reasons.filter(({ worker_id }: { worker_id: string }) => worker_id === bad.workerId),
      [{ worker_id: bad.workerId, reason: 'paused after repeated failures' }],
    )
    assert.deepEqual((await world.post(`/workers/${bad.workerId}/resume`)).json(), { ok: true })
    const done = await waiting
    assert.deepEqual([done.status, done.json().attempts[0].worker_id], [200, bad.workerId])
    assert.deepEqual(await breakersOf(bad.workerId), [])

    await world.task(crash)
    assert.equal((await breakersOf(bad.workerId))[0]!['trips'], 1, 'resume zeroed the trips')
    await world.delete(`/workers/${bad.workerId}`)
    await world.restart()
    assert.deepEqual(
      (await fleet()).map(({ id }) => id),
      [good.workerId],
    )
    assert.equal((await tasksOf(world)).length, earlier + 9)
    await cleanHistory(world)
    const { state, close } = await openStore({ kind: 'sqlite', path: join(world.dataDir, 'studio.db') }, { log, clock })
    assert.deepEqual(state.breakers, [], 'the breakers of a removed machine are deleted')
    await close()
  })
})
