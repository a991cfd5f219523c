// Jobs over the routes of the specification, by the real programs: a model installation that is watched, cancelled and resumed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open, REPO, server } from '#test/support/models/model-studio.ts'
import { eventually, type World } from '#test/support/world/world.ts'

const WEIGHTS = `/${REPO}/resolve/${'c0ffee'.padEnd(40, '0')}/model.onnx`
const VOICES = WEIGHTS.replace('model.onnx', 'voices/a.bin')
const FIELDS = ['id', 'type', 'project_id', 'status', 'created_at', 'updated_at', 'finished_at', 'error', 'meta_json']
const EXTENSIONS = ['step', 'progress', 'seconds_left', 'set_aside']

async function install(world: World): Promise<string> {
  assert.equal((await world.post('/models/install', { repo_id: REPO })).json().status, 'install_started')
  return ((await world.get('/jobs')).json() as { id: string }[])[0]!.id
}
const statusOf = async (world: World, id: string): Promise<string> => (await world.get(`/jobs/${id}`)).json().status
const ended = (world: World, id: string, status: string) => eventually(async () => (await statusOf(world, id)) === status)
const typesOf = (stream: string): string[] =>
  stream
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => (JSON.parse(frame.slice('data: '.length)) as { type: string }).type)

test('installations as jobs', async (t) => {
  const world = await open()
  await t.test('an installation is a job: row, events and stream have the shapes of the specification', async (t) => {
    assert.deepEqual((await world.get('/jobs')).json(), [], 'a bare array')
    server.fail(WEIGHTS, { kind: 'stall', after: 1_000_000 })
    const id = await install(world)
    await eventually(() => server.count(WEIGHTS) === 1)
    // The machine begins before the job exists, so its first request says nothing about the step.
    await eventually(async () => (await world.get(`/jobs/${id}`)).json().step !== null)
    const row = (await world.get(`/jobs/${id}`)).json()
    assert.deepEqual(Object.keys(row), [...FIELDS, ...EXTENSIONS])
    assert.deepEqual([row.type, row.status, row.error, row.finished_at, row.project_id], ['model_install', 'running', null, null, null])
    assert.ok(Math.abs(row.created_at - Date.now() / 1000) < 60, 'epoch seconds')
    assert.equal(typeof row.meta_json, 'string')
    assert.equal(JSON.parse(row.meta_json).repo_id, REPO)
    assert.deepEqual(row.step, { name: 'download', ordinal: 1, total: 1 })
    assert.deepEqual((await world.get('/jobs?status=active')).json().length, 1)
    assert.deepEqual((await world.get('/jobs?status=done')).json(), [])
    assert.deepEqual((await world.get('/jobs/counts')).json(), { pending: 0, running: 1, done: 0, failed: 0, cancelled: 0 })

    const stream = world.get(`/tasks/stream/${id}`)
    assert.deepEqual((await world.post(`/tasks/cancel/${id}`)).json(), { cancelled: true, task_id: id })
    const { headers, body } = await stream
    assert.match(headers.get('content-type')!, /^text\/event-stream/)
    assert.doesNotMatch(String(body), /^id:/m, 'frames carry no number')
    assert.equal(typesOf(String(body)).at(-1), 'cancelled')
    await ended(world, id, 'cancelled')
    assert.deepEqual((await world.post(`/tasks/cancel/${id}`)).json(), { cancelled: true, task_id: id }, 'also when it has ended')

    server.heal()
    await eventually(async () => (await world.get('/models')).json().models.every(({ installing }: { installing: boolean }) => !installing))
    const second = await install(world)
    await ended(world, second, 'done')
    const { job, events } = (await world.get(`/jobs/${second}/events`)).json()
    assert.deepEqual([job.id, job.status, job.progress], [second, 'done', 1])
    for (const [index, event] of events.entries()) {
      assert.deepEqual(Object.keys(event), ['seq', 'created_at', 'payload'])
      assert.match(event.payload, /^data: \{.*\}\n\n$/, 'the raw frame')
      assert.ok(index === 0 || event.seq > events[index - 1].seq)
    }
    assert.deepEqual(typesOf(events.map(({ payload }: { payload: string }) => payload).join('')).slice(-2), ['install_done', 'done'])
    const last = events.at(-1).seq
    const tail = await world.get(`/tasks/stream/${second}?after_seq=${last - 1}&ids=true`)
    assert.equal(String(tail.body), `id: ${last}\ndata: {"type":"done"}\n\n`)
    assert.deepEqual((await world.get(`/jobs/${second}/events?after_seq=${last}`)).json().events, [])
    const ids = ((await world.get('/jobs')).json() as { id: string }[]).map((each) => each.id)
    assert.deepEqual(ids, [second, id], 'newest first')
    assert.deepEqual(((await world.get(`/jobs?before=${second}`)).json() as { id: string }[])[0]!.id, id)

    await t.test('limits are clamped, unknown values find nothing, unknown ids are 404', async () => {
      const count = async (query: string) => (await world.get(`/jobs?${query}`)).json().length
      assert.deepEqual(
        await Promise.all(
          ['limit=0', 'limit=-5', 'limit=1', 'limit=99999', 'status=nonsense', 'type=nothing', 'q=TONE', 'q=%25', 'nonsense=1'].map(count),
        ),
        [1, 1, 1, 2, 0, 0, 2, 0, 2],
      )
      assert.equal((await world.get(`/jobs/${second}/events?limit=0`)).json().events.length, 1)
      for (const path of ['/jobs/none', '/jobs/none/events', '/tasks/stream/none']) assert.equal((await world.get(path)).status, 404, path)
      assert.equal((await world.post('/tasks/cancel/none')).status, 404)
      assert.equal((await world.get('/jobs?limit=many')).status, 422)
    })
  })

  await t.test('an installation resumes after the studio is killed, and no file is fetched twice', async () => {
    assert.equal((await world.delete(`/models/${REPO}`)).status, 200)
    const earlier = { weights: server.count(WEIGHTS), voices: server.count(VOICES) }
    const { promise, resolve } = Promise.withResolvers<void>()
    server.fail(VOICES, { kind: 'wait', until: promise })
    const id = await install(world)
    await eventually(() => server.count(VOICES) - earlier.voices === 1)
    const before = (await world.get(`/jobs/${id}/events`)).json().events as { seq: number }[]
    await world.restart('SIGKILL')
    resolve()
    await ended(world, id, 'done')
    const after = (await world.get(`/jobs/${id}/events`)).json().events as { seq: number }[]
    assert.deepEqual(after.slice(0, before.length), before, 'events from before the kill stay')
    assert.equal(server.count(WEIGHTS) - earlier.weights, 1)
    await world.restart()
    assert.equal(await statusOf(world, id), 'done')
    assert.match(String((await world.get(`/tasks/stream/${id}`)).body), /"type":"done"\}\n\n$/, 'also after a restart')
    assert.equal((await world.post(`/tasks/cancel/${id}`)).status, 404, 'it ended before this start')
    assert.equal((await world.delete(`/models/${REPO}`)).status, 200)
  })
})
