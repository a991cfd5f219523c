// A take that outlives its request: POST /generate with `Prefer: respond-async`.
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { form } from '#test/support/world/http.ts'
import { eventually, openWorld, type Reply } from '#test/support/world/world.ts'

const ASYNC = { prefer: 'wait=10, Respond-Async; x=1' }
/** The test voice makes 40 ms of sound for every character. */
const SHORT = { engine: 'tone', text: 'Aaaa bbbb. Cccc dddd. Eeee ffff.', max_chunk_chars: 11, seed: 7 }
const LONG = { ...SHORT, text: 'A sentence that takes its time to be made. '.repeat(4_000) }

type Frame = Record<string, unknown> & { type: string }
const framesOf = (reply: Reply): Frame[] =>
  String(reply.body)
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => JSON.parse(frame.slice('data: '.length)))

test('a take as a job', async (t) => {
  const world = await openWorld(t, { remote: true })
  const send = (fields: Parameters<typeof form>[0], headers: Record<string, string> = ASYNC) =>
    world.send('POST', '/generate', form(fields), headers)
  const start = async (fields: Parameters<typeof form>[0]): Promise<string> => {
    const reply = await send(fields)
    assert.equal(reply.status, 202, String(reply.body))
    return reply.json().id
  }
  const job = async (id: string) => (await world.get(`/jobs/${id}`)).json()
  const ended = (id: string) => eventually(async () => (await job(id)).finished_at !== null && job(id))
  const files = () => readdirSync(join(world.dataDir, 'outputs'))

  await t.test('is accepted at once, reported by events, and as long as the take of a plain request', async () => {
    const accepted = await send(SHORT)
    assert.equal(accepted.status, 202)
    const { id, ...rest } = accepted.json()
    assert.deepEqual(rest, { status: 'pending', location: `/jobs/${id}`, stream: `/tasks/stream/${id}` })
    assert.equal(accepted.headers.get('location'), `/jobs/${id}`)
    assert.equal(accepted.headers.get('preference-applied'), 'respond-async')
    const frames = framesOf(await world.get(`/tasks/stream/${id}`))
    const done = frames.at(-1)!
    assert.equal(done.type, 'done')
    assert.deepEqual(Object.keys(done), ['type', 'id', 'audio_path', 'duration', 'gen_time', 'seed', 'sample_rate', 'dropped_chunks'])
    assert.equal(done['seed'], 7)
    const row = await ended(id)
    assert.deepEqual([row.type, row.status, row.step], ['generate', 'done', { name: 'history', ordinal: 3, total: 3 }])
    assert.deepEqual(JSON.parse(row.meta_json).audio_path, done['audio_path'])
    const waited = await send(SHORT, {})
    assert.equal(waited.status, 200)
    const { body } = await world.get(`/audio/${done['audio_path']}`)
    assert.equal(body.length, waited.body.length)
    const [, first] = (await world.get('/history')).json()
    assert.deepEqual([first.id, first.text, first.seed, first.engine], [done['id'], SHORT.text, 7, 'tone'])
  })

  await t.test('is refused with the errors of a plain request, before a job exists', async () => {
    const before = (await world.get('/jobs')).json().length
    assert.equal((await send({ ...SHORT, text: '[pause]' })).status, 400)
    assert.equal((await send({ ...SHORT, engine: 'nothing' })).status, 400)
    assert.equal((await send({ ...SHORT, text: '' })).status, 422)
    assert.equal((await send({ ...SHORT, ref_audio: Buffer.from('no sound') })).status, 400)
    assert.equal((await world.get('/jobs')).json().length, before)
  })

  await t.test('leaves nothing when it is cancelled: no task, no file, no row', async () => {
    const [rows, before] = [(await world.get('/history')).json().length, files()]
    const id = await start(LONG)
    await eventually(async () => (await job(id)).progress > 0)
    assert.equal((await world.post(`/tasks/cancel/${id}`)).status, 200)
    assert.equal((await ended(id)).status, 'cancelled')
    assert.deepEqual(framesOf(await world.get(`/tasks/stream/${id}`)).at(-1), { type: 'cancelled' })
    await eventually(async () => (await world.get('/workers/tasks?limit=1')).json().tasks[0].state === 'cancelled')
    assert.deepEqual([(await world.get('/history')).json().length, files()], [rows, before])
  })

  await t.test('goes on after the studio is killed while its file is written, and is made once', async () => {
    const id = await start({ ...SHORT, text: 'A sentence that takes its time to be made. '.repeat(400), seed: 11 })
    const { step } = await eventually(async () => {
      const row = await job(id)
      return row.step?.name !== 'speak' && row.step !== null && row
    })
    await world.restart('SIGKILL')
    const row = await ended(id)
    assert.equal(row.status, 'done', row.error)
    assert.equal(step.name, 'file', 'it was killed in the middle')
    const takes = (await world.get('/history')).json().filter(({ seed }: { seed: number }) => seed === 11)
    assert.equal(takes.length, 1)
    assert.ok(existsSync(join(world.dataDir, 'outputs', takes[0].audio_path)))
    assert.equal(framesOf(await world.get(`/tasks/stream/${id}`)).filter(({ type }) => type === 'done').length, 1)
    const spoken = (await world.get('/workers/tasks?limit=200'))
      .json()
      .tasks.filter(({ state }: { state: string }) => state === 'completed')
    assert.equal(spoken.length, 3, 'the finished task is not repeated')
  })
})
