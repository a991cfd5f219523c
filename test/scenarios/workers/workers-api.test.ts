// The /workers routes (section 4.8): their responses, their input, and every refusal with its status.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { eventually, openWorld, sharedWorld } from '#test/support/world/world.ts'

const OFF = 'Remote workers are turned off. Turn them on first on the Machines page.'
const LOCAL = { remote: false, worker_id: null, label: 'Local' }

test('turned off', async (t) => {
  const blocker = createServer().listen(0, '0.0.0.0')
  t.after(() => blocker.close())
  await once(blocker, 'listening')
  const { port } = blocker.address() as AddressInfo
  const world = await openWorld(t, { env: { STUDIO_WORKER_PORT: String(port) } })

  await t.test('lists nothing, and requests that need remote machines are a 409 that says how to turn them on', async () => {
    assert.deepEqual((await world.get('/workers')).json(), {
      enabled: false,
      running: false,
      startup_error: null,
      workers: [],
      queue_depth: 0,
    })
    assert.deepEqual((await world.get('/workers/tasks')).json(), { tasks: [], queue_depth: 0 })
    for (const reply of [
      await world.post('/workers/enrollments', {}),
      await world.task({ engine: 'tone' }),
      await world.post('/workers/tasks/x/cancel'),
    ])
      assert.deepEqual([reply.status, reply.json().detail], [409, OFF])
    assert.equal((await world.post('/workers/tasks/x/cancel?always=true')).status, 404)
    assert.deepEqual((await world.get('/workers/tasks?always=true')).json(), { queue_depth: 0, tasks: [] })
  })

  await t.test('the target is this machine', async () => {
    const view = (await world.get('/workers/target')).json()
    assert.deepEqual([view.target, view.op, view.active], ['local', '', { ...LOCAL, reason: 'chosen' }])
    assert.deepEqual(view.remote_operations, [
      'audiobook',
      'clone',
      'design',
      'dictation',
      'dub',
      'dub_segments',
      'longform',
      'tts',
      'verify',
    ])
    const { active_tasks, max_tasks, can, ...local } = view.targets[0]
    for (const what of ['svc-engine tts', 'tone tts']) assert.ok(can.includes(what), can.join()) // other programs of this machine may add more
    assert.deepEqual(local, {
      id: 'local',
      label: 'Local',
      endpoint: '',
      connected: true,
      available: true,
      detail: '',
      is_local: true,
      status: 'ready',
      latency_ms: 0,
    })
    assert.ok(active_tasks === 0 && max_tasks >= 1)
    const own = (await world.get('/workers/local')).json()
    assert.deepEqual([own.id, own.connected, own.status, own.breakers, own.active_tasks], ['local', true, 'ready', [], 0])
    assert.ok(own.host.cpu_count >= 1 && own.max_concurrent_tasks === max_tasks)
  })

  await t.test('unknown ids are a 404 everywhere', async () => {
    for (const id of ['0123456789ab', 'local', '%00']) {
      // /workers/local is a path of its own, which has GET alone.
      const status = id === 'local' ? 405 : 404
      assert.equal((await world.patch(`/workers/${id}`, {})).status, status, id)
      assert.equal((await world.delete(`/workers/${id}`)).status, status, id)
      assert.equal((await world.post(`/workers/${id}/consent`)).status, 404, id)
      assert.equal((await world.delete(`/workers/${id}/consent`)).status, 404, id)
    }
    const reply = await world.post('/workers/target', { target: '0123456789ab' })
    assert.deepEqual([reply.status, reply.json().detail], [404, 'No such worker.'])
  })

  await t.test('invalid fields are a 422 everywhere', async () => {
    for (const [method, path, body] of [
      ['POST', '/workers/target', {}],
      ['POST', '/workers/target', { target: 5 }],
      ['POST', '/workers/target', { target: 'x'.repeat(65) }],
      ['POST', '/workers/enabled', { enabled: 'maybe' }],
      ['POST', '/workers/enabled', {}],
      ['POST', '/workers/enrollments', { label: 'x'.repeat(121) }],
      ['POST', '/workers/enrollments', { endpoint: 'x'.repeat(257) }],
      ['POST', '/workers/enrollments', { ttl_seconds: 59 }],
      ['POST', '/workers/enrollments', { ttl_seconds: 86_401 }],
      ['POST', '/workers/enrollments', { ttl_seconds: 60.5 }],
      ['PATCH', '/workers/x', { name: 'x'.repeat(121) }],
      ['PATCH', '/workers/x', { name: 'two\nlines' }],
      ['PATCH', '/workers/x', { priority: 101 }],
      ['PATCH', '/workers/x', { enabled: 2 }],
      ['POST', '/workers/tasks', {}],
      ['POST', '/workers/tasks', { engine: 'x'.repeat(65), deadline_seconds: 1 }],
      ['POST', '/workers/tasks', { engine: 'tone', deadline_seconds: 0 }],
      ['POST', '/workers/tasks', { engine: 'tone', deadline_seconds: 21_601 }],
      ['POST', '/workers/tasks', { engine: 'tone', deadline_seconds: 1, operation: 'x'.repeat(33) }],
      ['POST', '/workers/tasks', { engine: 'tone', deadline_seconds: 1, model_id: 'x'.repeat(129) }],
      ['POST', '/workers/tasks', { engine: 'tone', deadline_seconds: 1, params: [] }],
      ['POST', '/workers/tasks', { engine: 'tone', deadline_seconds: 1, idempotency_key: 'x'.repeat(129) }],
    ] as const) {
      const reply = await world.send(method, path, body)
      assert.equal(reply.status, 422, `${method} ${path} ${JSON.stringify(body).slice(0, 60)}: ${reply.status}`)
      assert.ok(Array.isArray(reply.json().detail))
    }
  })

  await t.test('a worker port that is in use is a 409; the setting is kept and the reason shown', async () => {
    const reply = await world.post('/workers/enabled', { enabled: true })
    assert.equal(reply.status, 409)
    assert.match(reply.json().detail, new RegExp(String(port)))
    const fleet = (await world.get('/workers')).json()
    assert.deepEqual([fleet.enabled, fleet.running, fleet.startup_error], [true, false, reply.json().detail])
    await world.restart()
    assert.match((await world.get('/workers')).json().startup_error, new RegExp(String(port)))
    blocker.close()
    await once(blocker, 'close')
    assert.equal((await world.post('/workers/enabled', { enabled: true })).json().running, true)
  })
})

const open = sharedWorld({ remote: true })

test('turned on, with one machine', async (t) => {
  const world = await open()
  const fleet = async () => (await world.get('/workers')).json()

  await t.test('shows the address where machines join', async () => {
    const { endpoint, fingerprint, ...rest } = await fleet()
    assert.deepEqual(rest, { enabled: true, running: true, queue_depth: 0, workers: [] })
    assert.match(endpoint, /^127\.0\.0\.1:\d+$/)
    assert.match(fingerprint, /^[0-9a-f]{64}$/)
    assert.deepEqual((await world.post('/workers/enabled', { enabled: true })).json(), await fleet())
  })

  await t.test('a join code shows its address and expiry, and is shown once', async () => {
    const reply = (await world.post('/workers/enrollments', { label: 'box', ttl_seconds: 60 })).json()
    assert.match(reply.token, /^svcj_[A-Za-z0-9_-]+$/)
    const { endpoint, fingerprint } = await fleet()
    assert.deepEqual([reply.endpoint, reply.fingerprint, reply.shown_once], [endpoint, fingerprint, true])
    assert.ok(Math.abs(reply.expires_at - Date.now() / 1000 - 60) < 30)
    assert.equal((await world.post('/workers/enrollments', { endpoint: 'studio.example' })).json().endpoint.split(':')[0], 'studio.example')
    for (const wrong of ['a b', 'http://x', ':::', 'x:99999'])
      assert.equal((await world.post('/workers/enrollments', { endpoint: wrong })).status, 400, wrong)
  })

  const machine = await world.machine('box')
  t.after(() => world.remove(machine))
  const path = `/workers/${machine.workerId}`

  await t.test('a machine that joined is listed with its details and is not approved', async () => {
    const [worker, ...more] = (await fleet()).workers
    assert.deepEqual(more, [])
    const { host, key_id, created_at, last_seen_at, address, latency_ms, max_concurrent_tasks, endpoint, resident_models, name, ...rest } =
      worker
    assert.deepEqual(rest, {
      id: machine.workerId,
      enabled: true,
      revoked: false,
      priority: 50,
      consent_granted: false,
      quarantine: null,
      pool: null,
      lapsed: null,
      connected: true,
      breakers: [],
      draining: false,
      drained: false,
      status: 'ready',
      active_tasks: 0,
      available_slots: max_concurrent_tasks,
      stale: false,
    })
    assert.match(machine.workerId, /^[0-9a-f]{12}$/)
    assert.match(key_id, /^[0-9a-f]{16}$/)
    assert.ok(max_concurrent_tasks >= 1 && latency_ms >= 0 && Array.isArray(resident_models))
    assert.equal(name, 'box')
    assert.match(address, /^127\.0\.0\.1:\d+$/)
    assert.equal(typeof endpoint, 'string')
    assert.deepEqual(Object.keys(host).sort(), [
      'arch',
      'cpu_count',
      'gpus',
      'hostname',
      'os',
      'outdated',
      'system_memory_bytes',
      'unusable_gpus',
      'worker_version',
    ])
    assert.ok(Math.abs(created_at - Date.now() / 1000) < 600 && last_seen_at >= created_at - 1)
  })

  await t.test('the target and its effective value follow the state of the machine', async () => {
    const choose = async (target: string) => (await world.post('/workers/target', { target })).json()
    const detail = async () => {
      const { active, targets } = (await world.get('/workers/target?op=tts')).json()
      return { active, detail: targets.find(({ id }: { id: string }) => id === machine.workerId)?.detail }
    }
    const chosen = await choose(machine.workerId)
    assert.deepEqual([chosen.target, chosen.op], [machine.workerId, ''])
    assert.deepEqual(await detail(), { active: { ...LOCAL, reason: 'box is not approved — running locally' }, detail: 'not approved' })

    const granted = (await world.post(`${path}/consent`)).json()
    assert.deepEqual([granted.id, granted.consent_granted, granted.connected], [machine.workerId, true, undefined])
    assert.equal((await world.post(`${path}/consent`)).status, 200, 'a second approval is not an error')
    const ready = { remote: true, worker_id: machine.workerId, label: 'box', reason: 'chosen' }
    assert.deepEqual(await detail(), { active: ready, detail: '' })
    assert.match((await world.get('/workers/target?op=asr')).json().active.reason, /transcription does not run on remote workers yet/)

    const renamed = (await world.patch(path, { name: 'Attic', priority: 70 })).json()
    assert.deepEqual([renamed.name, renamed.priority, renamed.enabled], ['Attic', 70, true])
    assert.deepEqual((await world.patch(path, { name: null, priority: null, enabled: null })).json(), renamed)
    assert.equal((await detail()).active.label, 'Attic')

    await world.patch(path, { enabled: false })
    assert.deepEqual(await detail(), { active: { ...LOCAL, reason: 'Attic is disabled — running locally' }, detail: 'disabled' })
    await world.patch(path, { enabled: true, name: '' })
    assert.equal((await detail()).active.label, granted.key_id)

    assert.equal((await world.delete(`${path}/consent`)).json().consent_granted, false)
    assert.equal((await detail()).detail, 'not approved')
    await world.post(`${path}/consent`)
    assert.equal((await choose('auto')).active.remote, true)
    assert.deepEqual((await choose(' ')).target, 'local')
  })

  let first = ''
  await t.test('a development task returns itself, in each final state', async () => {
    await world.post('/workers/target', { target: machine.workerId })
    const segments = [{ text: 'Hello.' }]
    const done = await world.task({ engine: 'tone', params: { segments }, idempotency_key: 'k' })
    assert.equal(done.status, 200, done.body.toString())
    const { attempts, result_ref, created_at, finished_at, ...task } = done.json()
    assert.deepEqual(task, {
      task_id: task.task_id,
      operation: 'tts',
      engine: 'tone',
      model_id: '',
      state: 'completed',
      priority: 0,
      max_attempts: 3,
      error: null,
      expected_at: null,
      waiting_for: [],
    })
    assert.match(task.task_id, /^[0-9a-f]{16}$/)
    first = task.task_id
    assert.ok(created_at > 1e9 && finished_at >= created_at)
    assert.ok(result_ref === null || typeof result_ref === 'string')
    const [{ attempt_id, ...attempt }] = attempts
    assert.match(attempt_id, /^[0-9a-f]{16}$/)
    assert.deepEqual(attempt, {
      task_id: task.task_id,
      worker_id: machine.workerId,
      attempt_number: 1,
      state: 'committed',
      progress: 1,
      stage: attempt.stage,
      error: null,
      machine: '',
    })
    assert.equal((await world.task({ engine: 'tone', params: { segments }, idempotency_key: 'k' })).json().task_id, task.task_id)
    assert.equal((await world.task({ engine: 'tone', params: { segments: [{ text: 'Other.' }] }, idempotency_key: 'k' })).status, 409)

    const failed = await world.task({ engine: 'tone', params: { segments, fault: { kind: 'fail', code: 'INVALID_TASK_PARAMS' } } })
    assert.equal(failed.status, 502)
    const { detail } = failed.json()
    assert.deepEqual(
      [detail.state, detail.error.error_class, detail.error.code, detail.error.retryable],
      ['failed', 'capability', 'WORKER_REJECTED', true],
    )
    assert.ok(detail.error.message && detail.error.hint)

    const wrong = await world.task({ engine: 'tone', operation: 'asr', params: {} })
    assert.deepEqual([wrong.status, wrong.json().detail], [400, "'asr' does not run on a remote worker yet."])

    const whole = await world.task({ engine: 'tone', operation: 'audiobook', params: { segments } })
    assert.deepEqual([whole.status, whole.json().detail], [400, "'audiobook' is made of several tasks. Submit one of them, such as 'tts'."])
    const { tasks: before } = (await world.get('/workers/tasks')).json()
    for (const [params, loc] of [
      [{ text: 'Hello.' }, ['segments']],
      [{ segments, speed: 9 }, ['speed']],
      [{ segments: [{ text: '' }] }, ['segments', 0, 'text']],
    ] as const) {
      const refused = await world.task({ engine: 'tone', params })
      assert.deepEqual([refused.status, refused.json().detail[0]?.loc], [422, ['body', 'params', ...loc]], JSON.stringify(params))
    }
    assert.deepEqual((await world.get('/workers/tasks')).json().tasks, before, 'no machine was asked')

    const slow = { engine: 'tone', params: { segments, fault: { kind: 'slow', msPerChar: 20_000 } } }
    const waiting = world.task(slow)
    const { task_id } = await eventually(async () => {
      const [newest] = (await world.get('/workers/tasks?limit=1')).json().tasks
      return newest.state === 'running' && newest
    })
    assert.deepEqual((await world.post(`/workers/tasks/${task_id}/cancel`)).json(), { ok: true })
    const cancelled = await waiting
    assert.deepEqual([cancelled.status, cancelled.json().detail.state], [409, 'cancelled'])
    assert.equal((await world.post(`/workers/tasks/${task_id}/cancel`)).status, 404)

    const late = await world.task({ ...slow, deadline_seconds: 0.5 })
    assert.deepEqual([late.status, typeof late.json().detail], [504, 'string'])
  })

  await t.test('the list of tasks is newest first and respects its limits', async () => {
    const list = async (limit: string) => (await world.get(`/workers/tasks?limit=${limit}`)).json().tasks
    const all = await list('200')
    const oldest = all.findIndex(({ task_id }: { task_id: string }) => task_id === first)
    assert.ok(oldest >= 3)
    assert.equal(all[oldest].state, 'completed')
    assert.equal((await list('2')).length, 2)
    for (const limit of ['0', '-5']) assert.equal((await list(limit)).length, 1)
    assert.equal((await list('100000')).length, all.length)
  })

  await t.test('a removed machine disappears from every list; if it was the target, the target becomes this machine', async () => {
    const notices: string[] = []
    const socket = new WebSocket(`${world.url.replace('http', 'ws')}/ws/events`)
    socket.onmessage = ({ data }) => {
      const event = JSON.parse(String(data))
      if (event.kind === 'notice') notices.push(event.message)
    }
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    const reply = await world.delete(path)
    assert.deepEqual(reply.json(), { ok: true, revoked: machine.workerId })
    await eventually(() => notices.includes('The chosen machine was removed. Work runs on this machine now.'))
    socket.close()
    assert.deepEqual((await fleet()).workers, [])
    const { target, active, targets } = (await world.get('/workers/target')).json()
    assert.equal(target, 'local')
    assert.deepEqual(active, { ...LOCAL, reason: 'the chosen worker no longer exists — running locally' })
    assert.equal(targets.length, 1)
    assert.equal((await world.post('/workers/target', { target: machine.workerId })).status, 404)
    const spoken = await world.post('/v1/audio/speech', { input: 'Still here.' })
    assert.equal(spoken.status, 200)
    assert.match(spoken.headers.get('x-svc-routing-reason')!, /The chosen machine no longer exists, so this machine was used\./)
    // A new choice ends it.
    await world.post('/workers/target', { target: 'local' })
    const chosen = await world.post('/v1/audio/speech', { input: 'Here by choice.' })
    assert.doesNotMatch(chosen.headers.get('x-svc-routing-reason') ?? '', /no longer exists/)
    assert.deepEqual((await world.get('/workers/target')).json().active, { ...LOCAL, reason: 'chosen' })
  })
})
