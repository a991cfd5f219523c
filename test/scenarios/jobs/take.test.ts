// A take that outlives its request: POST /generate with `Prefer: respond-async`.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readCopy } from '#control-plane/store/database.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { form } from '#test/support/world/http.ts'
import { eventually, type Reply, sharedWorld, type World } from '#test/support/world/world.ts'

const ASYNC = { prefer: 'wait=10, Respond-Async; x=1' }
/** The test voice makes 40 ms of sound for every character. */
const SHORT = { engine: 'tone', text: 'Aaaa bbbb. Cccc dddd. Eeee ffff.', max_chunk_chars: 11, seed: 7 }
const LONG = { ...SHORT, text: 'A sentence that takes its time to be made. '.repeat(1_000) }

/** Speech takes time to make; the test voice does not. */
const SPOKEN = 'Many words follow one another here and there. '.repeat(8)

type Take = { readonly id: string; readonly seed: number }
type Frame = Record<string, unknown> & { type: string }
const framesOf = (reply: Reply): Frame[] =>
  String(reply.body)
    .split('\n\n')
    .filter((frame) => frame !== '')
    .map((frame) => JSON.parse(frame.slice('data: '.length)))

/** Follows a stream of frames; `find` waits for the first one that matches. */
function follow(url: string) {
  const received: Frame[] = []
  void (async () => {
    const response = await fetch(url)
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (text + chunk).split('\n\n')
      text = parts.pop()!
      for (const part of parts) received.push(JSON.parse(part.slice('data: '.length)))
    }
  })().catch(() => {})
  return { find: (matches: (frame: Frame) => boolean) => eventually(() => received.find(matches)) }
}

/** Resolves when something changes in the folder. */
function firstChange(folder: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const watcher = watch(folder, () => resolve())
  return promise.finally(() => watcher.close())
}
/** The current step of a job, also while no studio runs; null when it has ended. */
const stepOf = ({ dataDir }: World, id: string): string | null =>
  readCopy(
    join(dataDir, 'studio.db'),
    (db) => db.prepare<[string], string | null>(`select step_name from job where id = ? and finished_at is null`).pluck().get(id) ?? null,
  )

const open = sharedWorld({ remote: true })

test('a take as a job', async (t) => {
  const world = await open()
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

  await t.test('can be heard while it is generated, from any offset, until its file is complete', async (t) => {
    const release = slowHosts(t, world.studio)
    const id = await start({ text: SPOKEN, seed: 5, max_chunk_chars: 50, effect_preset: 'raw' })
    const live = await fetch(`${world.url}/jobs/${id}/audio`)
    assert.equal(live.status, 200)
    const rate = Number(live.headers.get('x-sample-rate'))
    release.hold()
    assert.equal((await job(id)).status, 'running', 'the sound begins before the take is complete')
    const reading = live.arrayBuffer()
    const range = { range: 'bytes=40001-' }
    const rest = await fetch(`${world.url}/jobs/${id}/audio`, { headers: range })
    assert.deepEqual([rest.status, rest.headers.get('content-range')], [206, `bytes 40001-${Number.MAX_SAFE_INTEGER}/*`])
    release()
    const whole = Buffer.from(await reading)
    assert.ok(Buffer.from(await rest.arrayBuffer()).equals(whole.subarray(40_001)), 'the same bytes')
    const row = await ended(id)
    assert.equal(row.status, 'done', row.error)
    assert.equal(whole.length, Math.round(JSON.parse(row.meta_json).duration * rate) * 2)
    const complete = await fetch(`${world.url}/jobs/${id}/audio`)
    assert.deepEqual([complete.redirected, complete.headers.get('content-type')], [true, 'audio/wav'])
    assert.equal((await world.get('/jobs/nothing/audio')).status, 404)
  })

  await t.test('whose machine dies is reported at once and finished here with its finished parts', async (t) => {
    const machine = await world.machine('attic')
    await world.approve(machine)
    await world.post('/workers/target', { target: machine.workerId })
    const fields = { text: SPOKEN, seed: 5, max_chunk_chars: 50 }
    const hosts = slowHosts(t, machine.program)
    const id = await start(fields)
    const frames = follow(`${world.url}/tasks/stream/${id}`)
    await frames.find(({ type, chunk }) => type === 'progress' && Number(chunk) >= 2)
    hosts.hold()
    const sound = world.get(`/jobs/${id}/audio`)
    const diedAt = performance.now()
    await machine.program.end('SIGKILL')
    const lost = await frames.find(({ type, state }) => type === 'machine' && state === 'lost')
    t.diagnostic(`reported after ${Math.round(performance.now() - diedAt)} ms`)
    const [gone] = await world.studio.says(new RegExp(`"workerId":"${machine.workerId}".*a machine is gone`))
    assert.doesNotMatch(gone, /sent nothing/, 'reported before the studio misses its messages')
    const { parts_kept: kept, parts, ...facts } = lost
    assert.deepEqual(facts, { type: 'machine', state: 'lost', name: 'attic', local: false, next: 'here', can_finish_here: true })
    assert.ok(Number(kept) >= 2 && Number(kept) < Number(parts), `${kept} of ${parts}`)
    const moved = await world.post(`/jobs/${id}/move`, {})
    assert.equal(moved.status, 200, String(moved.body))
    const row = await ended(id)
    assert.equal(row.status, 'done', row.error)
    const [take] = (await world.get('/history')).json()
    assert.match(take.notice, new RegExp(`This machine finished the take after ${kept} of ${parts} parts on attic\\.`))
    const [last, before] = (await world.get('/workers/tasks?limit=2')).json().tasks
    assert.deepEqual([last.attempts.at(-1).worker_id, before.attempts.at(-1).worker_id], ['local', machine.workerId])
    // Equal seeds give equal audio, so the take is as long as one that a single machine has generated.
    await world.post('/workers/target', { target: 'local' })
    const again = await ended(await start(fields))
    assert.equal(JSON.parse(again.meta_json).duration, JSON.parse(row.meta_json).duration)
    assert.ok((await sound).body.length > 0, 'a listener hears it to the end')
    assert.equal((await world.post(`/jobs/${id}/move`, {})).status, 409)
    await world.remove(machine)
  })

  await t.test('leaves nothing when it is cancelled: no task, no file, no row', async (t) => {
    const [rows, before] = [(await world.get('/history')).json().length, files()]
    slowHosts(t, world.studio)
    const id = await start(LONG)
    await eventually(async () => (await job(id)).progress > 0)
    assert.equal((await world.post(`/tasks/cancel/${id}`)).status, 200)
    assert.equal((await ended(id)).status, 'cancelled')
    assert.deepEqual(framesOf(await world.get(`/tasks/stream/${id}`)).at(-1), { type: 'cancelled' })
    await eventually(async () => (await world.get('/workers/tasks?limit=1')).json().tasks[0].state === 'cancelled')
    assert.deepEqual([(await world.get('/history')).json().length, files()], [rows, before])
  })

  await t.test('goes on after the studio is killed while its file is written, and is made once', async () => {
    const spoken = async () =>
      (await world.get('/workers/tasks?limit=200')).json().tasks.filter(({ state }: { state: string }) => state === 'completed').length
    const earlier = new Set((await world.get('/history')).json().map((row: Take) => row.id))
    let [before, seed, id] = [0, 10, '']
    // Writing the file takes less time than a busy machine may need for one look at it, so takes are made until one is killed meanwhile.
    for (let isWriting = false; !isWriting; ) {
      if (id !== '') {
        await world.restart()
        await ended(id)
      }
      assert.ok(++seed <= 30, 'no take was killed while its file was written')
      before = await spoken()
      const created = firstChange(join(world.dataDir, 'outputs'))
      id = await start({ ...SHORT, text: 'A sentence that takes its time to be made. '.repeat(100), seed })
      await created
      await world.studio.end('SIGKILL')
      isWriting = stepOf(world, id) === 'file'
    }
    await world.restart()
    const row = await ended(id)
    assert.equal(row.status, 'done', row.error)
    const takes = (await world.get('/history')).json().filter((row: Take) => row.seed === seed && !earlier.has(row.id))
    assert.equal(takes.length, 1)
    assert.ok(existsSync(join(world.dataDir, 'outputs', takes[0].audio_path)))
    assert.equal(framesOf(await world.get(`/tasks/stream/${id}`)).filter(({ type }) => type === 'done').length, 1)
    assert.equal((await spoken()) - before, 1, 'the finished task is not repeated')
  })
})
