// Engines that fail in every way, callers that cancel, deadlines that expire: each task ends with its own code, within its three
// attempts, and leaves nothing behind.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allEnded, cleanSoFar, hostsOf, idle, isAlive, slowly, startOn, tasksOf } from '../support/world/tasks.ts'
import { eventually, type Reply, sharedWorld } from '../support/world/world.ts'

const CANCELS = 60
const faulty = (fault: object) => ({ segments: [{ text: 'something goes wrong' }], fault })
type Attempt = { readonly worker_id: string; readonly error: { readonly code: string } | null }

/** A failed task as returned to its submitter. */
function failed(reply: Reply) {
  assert.equal(reply.status, 502, reply.body.toString())
  const { state, error, attempts } = reply.json().detail
  return {
    state: state as string,
    code: error.code as string,
    message: error.message as string,
    codes: attempts.map((attempt: Attempt) => attempt.error?.code),
    places: attempts.map(({ worker_id }: Attempt) => worker_id) as string[],
  }
}

const open = sharedWorld({ remote: true })

test('faults', async (t) => {
  const world = await open()
  // No host of an earlier file takes part.
  await world.post('/system/flush-memory?unload_model=true')
  const earlier = hostsOf(world.studio).length
  await t.test('an engine that hangs is killed each time', async () => {
    const { state, code, codes } = failed(await world.task({ engine: 'tone', params: faulty({ kind: 'hang' }) }))
    // A machine that is very busy may be late with its messages, which costs no attempt.
    const hung = codes.filter((each: string) => each !== 'WORKER_DISCONNECTED')
    assert.deepEqual([state, code, hung], ['failed', 'ENGINE_HUNG', ['ENGINE_HUNG', 'ENGINE_HUNG', 'ENGINE_HUNG']])
    const hosts = hostsOf(world.studio).slice(earlier)
    assert.ok(hosts.length >= 3 && hosts.length <= codes.length, `${hosts.length} hosts`)
    assert.deepEqual(hosts.filter(isAlive), [])
  })

  const box = await world.machine('box')
  await world.approve(box)
  const run = async (target: string, params: object, more: object = {}) => {
    // So many failures would pause both machines; test/scenarios/workers/breakers.test.ts covers that.
    for (const id of ['local', box.workerId]) await world.post(`/workers/${id}/resume`)
    await world.post('/workers/target', { target })
    return world.task({ engine: 'tone', params, ...more })
  }

  for (const [kind, code] of [
    ['nan', 'NON_FINITE_OUTPUT'],
    ['digest', 'DIGEST_MISMATCH'],
    ['crash', 'ENGINE_CRASHED'],
  ] as const)
    await t.test(`${kind}: three attempts, each machine at least once`, async () => {
      const { state, code: last, codes, places } = failed(await run('auto', faulty({ kind })))
      assert.deepEqual([state, last, codes], ['failed', code, [code, code, code]])
      assert.deepEqual(new Set(places), new Set(['local', box.workerId]))
    })

  await t.test('a pinned task is attempted three times on its machine and reports that', async () => {
    const { state, code, message, codes, places } = failed(await run(box.workerId, faulty({ kind: 'nan' })))
    assert.deepEqual([state, code], ['failed', 'PINNED_WORKER_EXHAUSTED'])
    assert.match(message, /3 attempts on the chosen machine failed\. The last failure: /)
    assert.deepEqual(codes, ['NON_FINITE_OUTPUT', 'NON_FINITE_OUTPUT', 'NON_FINITE_OUTPUT'])
    assert.deepEqual(new Set(places), new Set([box.workerId]))
  })

  await t.test('a permanent failure is not retried', async () => {
    const wrong = faulty({ kind: 'fail', code: 'INVALID_TASK_PARAMS' })
    const rejected = failed(await run(box.workerId, wrong))
    assert.deepEqual([rejected.code, rejected.codes], ['WORKER_REJECTED', ['WORKER_REJECTED']], 'one machine is no proof')
    const bad = failed(await run('auto', wrong))
    const codes = bad.places[0] === 'local' ? ['INVALID_TASK_PARAMS'] : ['WORKER_REJECTED', 'INVALID_TASK_PARAMS']
    assert.deepEqual([bad.code, bad.codes], ['INVALID_TASK_PARAMS', codes], 'two are, and so is this machine')
    const missing = failed(await run('auto', faulty({ kind: 'fail', code: 'MODEL_NOT_INSTALLED' })))
    assert.deepEqual([missing.code, missing.codes.length], ['NO_CAPABLE_WORKER', 2])
    const pinned = failed(await run(box.workerId, faulty({ kind: 'fail', code: 'MODEL_NOT_INSTALLED' })))
    assert.deepEqual([pinned.code, pinned.codes], ['MODEL_NOT_INSTALLED', ['MODEL_NOT_INSTALLED']])
  })

  await t.test('a machine that always declines is retried with a delay, and the deadline ends the task', async () => {
    const reply = await run(box.workerId, faulty({ kind: 'fail', code: 'WORKER_AT_CAPACITY' }), { deadline_seconds: 2 })
    assert.equal(reply.status, 504)
    const [task] = await tasksOf(world)
    assert.equal(task!.state, 'timeout')
    assert.ok(task!.attempts.length < 20, `${task!.attempts.length} offers in two seconds`)
  })

  await t.test('a deadline stops the work, not only the wait', async () => {
    // After declined offers a machine is left alone for a while, which must not use up the deadline.
    assert.equal((await run(box.workerId, slowly(100))).status, 200)
    // Long enough for the work to start, also on a busy machine: only started work can be cancelled.
    const begun = await startOn(world, box.workerId, { params: slowly(60_000), deadline_seconds: 15 })
    const reply = await begun.reply
    assert.equal(reply.status, 504)
    assert.match(reply.json().detail, /deadline passed/)
    const [task] = await tasksOf(world)
    assert.deepEqual([task!.task_id, task!.state, task!.error?.code], [begun.id, 'timeout', 'TASK_DEADLINE_EXCEEDED'])
    await box.program.says(new RegExp(`"taskId":"${task!.task_id}".*an attempt failed`))
    await idle(world, box)
  })

  await t.test('an engine that ignores cancellation is killed', async () => {
    const deaf = await startOn(world, box.workerId, { params: faulty({ kind: 'deaf' }) })
    const host = hostsOf(box.program).at(-1)!
    assert.ok(isAlive(host))
    assert.equal((await world.post(`/workers/tasks/${deaf.id}/cancel`)).status, 200)
    const reply = await deaf.reply
    assert.equal(reply.status, 409)
    assert.equal(reply.json().detail.state, 'cancelled')
    await eventually(() => !isAlive(host))
    assert.equal((await world.post(`/workers/tasks/${deaf.id}/cancel`)).status, 404)
  })

  await t.test(`${CANCELS} tasks are cancelled, by request and by disconnecting callers, and nothing is left`, async () => {
    await world.post('/workers/target', { target: 'auto' })
    const calls = Array.from({ length: CANCELS }, (_, seed) => {
      const hangUp = new AbortController()
      const reply = world.task({ engine: 'tone', params: slowly(60_000, seed) }, hangUp.signal)
      return {
        hangUp,
        status: reply.then(
          ({ status }) => status,
          () => 'hung up' as const,
        ),
      }
    })
    const count = async (wanted: string) => (await tasksOf(world)).slice(0, CANCELS).filter(({ state }) => state === wanted).length
    // One client leaves the last of the four permits of each machine to others.
    await eventually(async () => (await count('running')) === 6 && (await count('queued')) === CANCELS - 6)
    for (const { hangUp } of calls.slice(CANCELS / 2)) hangUp.abort()
    await eventually(async () => (await count('cancelled')) === CANCELS / 2)
    for (const { task_id, state } of (await tasksOf(world)).slice(0, CANCELS))
      if (state !== 'cancelled') assert.equal((await world.post(`/workers/tasks/${task_id}/cancel`)).status, 200)
    const statuses = await Promise.all(calls.map(({ status }) => status))
    assert.ok(
      statuses.every((status) => status === 409 || status === 'hung up'),
      String([...new Set(statuses)]),
    )
    assert.equal(statuses.filter((status) => status === 'hung up').length, CANCELS / 2)
    assert.deepEqual(new Set((await allEnded(world)).slice(0, CANCELS).map(({ state }) => state)), new Set(['cancelled']))

    await idle(world, box)
    assert.equal((await world.get('/workers')).json().queue_depth, 0)
    for (const program of [box.program, world.studio]) assert.ok(hostsOf(program).filter(isAlive).length <= 1)
    // All permits are free again.
    const again = await Promise.all(Array.from({ length: 8 }, (_, seed) => run('auto', slowly(500, seed))))
    for (const reply of again) assert.equal(reply.status, 200, reply.body.toString())
  })
  await cleanSoFar(world)
  assert.equal(await box.program.end(), 0)
  assert.deepEqual(hostsOf(box.program).filter(isAlive), [])
  await world.remove(box)
})
