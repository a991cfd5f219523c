// A take whose studio is killed while a machine speaks: the machine is gone with it, so the task is waited for and tried again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { form } from '#test/support/world/http.ts'
import { eventually, openWorld } from '#test/support/world/world.ts'

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
