// Takes that outlive a studio that is killed, or a machine that does not come back: both waits take half a minute or more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { form } from '../support/world/http.ts'
import { eventually, openWorld } from '../support/world/world.ts'

test('a take goes on after the studio is killed while it is spoken, and is made once', async (t) => {
  const world = await openWorld(t, { remote: true })
  const fields = form({ text: 'Many words follow one another here and there. '.repeat(300), seed: 11 })
  const { id } = (await world.send('POST', '/generate', fields, { prefer: 'respond-async' })).json()
  const job = async () => (await world.get(`/jobs/${id}`)).json()
  await eventually(async () => (await world.get('/workers/tasks?limit=1')).json().tasks[0]?.state === 'running')
  await world.restart('SIGKILL')
  const row = await eventually(async () => (await job()).finished_at !== null && job(), 180_000)
  assert.equal(row.status, 'done', row.error)
  const takes = (await world.get('/history')).json()
  assert.equal(takes.filter(({ seed }: { seed: number }) => seed === 11).length, 1)
  assert.equal((await world.get('/workers/tasks?limit=200')).json().tasks.length, 1, 'the task was adopted')
})

test('a take whose chosen machine dies and stays away is finished on this machine without a request', async (t) => {
  const world = await openWorld(t, { remote: true })
  const machine = await world.machine('attic')
  await world.approve(machine)
  await world.post('/workers/target', { target: machine.workerId })
  const fields = { text: 'Many words follow one another here and there. '.repeat(60), seed: 5, max_chunk_chars: 50 }
  const start = async () => (await world.send('POST', '/generate', form(fields), { prefer: 'respond-async' })).json().id as string
  const id = await start()
  const job = async (one: string) => (await world.get(`/jobs/${one}`)).json()
  await eventually(async () => (await job(id)).progress > 0.1)
  await machine.program.end('SIGKILL')
  const row = await eventually(async () => (await job(id)).finished_at !== null && job(id), 120_000)
  assert.equal(row.status, 'done', row.error)
  const [take] = (await world.get('/history')).json()
  assert.match(take.notice, /This machine finished the take after \d+ of \d+ parts on attic\./)
  assert.equal((await world.get('/workers/tasks?limit=1')).json().tasks[0].attempts.at(-1).worker_id, 'local')
  await world.post('/workers/target', { target: 'local' })
  const again = await start()
  const whole = await eventually(async () => (await job(again)).finished_at !== null && job(again), 120_000)
  assert.equal(JSON.parse(whole.meta_json).duration, JSON.parse(row.meta_json).duration)
})
