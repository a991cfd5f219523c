// A job whose step ends the studio: after its second time it is set aside with its input, and a person can try it again.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDatabase } from '#control-plane/store/database.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { plantPeople } from '#test/support/guests/planted-people.ts'
import { EXIT_FLAG, EXIT_STATUS } from '#test/support/starting/exit-when-reading.ts'
import { eventually, openWorld } from '#test/support/world/world.ts'

/** A recording that does not last a whole number of tenths of a millisecond. */
const SAMPLES = 496_007

test('a job that ends the studio twice is set aside with its input, a notice and another try', async (t) => {
  const preload = join(import.meta.dirname, '../../support/starting/exit-when-reading.ts')
  const world = await openWorld(t, { env: { NODE_OPTIONS: `--import ${preload}` } })
  const flag = join(world.dataDir, EXIT_FLAG)
  writeFileSync(flag, '')
  const form = new FormData()
  const wav = Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples: SAMPLES }), Buffer.alloc(SAMPLES * 2)])
  form.set('file', new Blob([new Uint8Array(wav)]), 'recording.wav')
  form.set('model', 'tone')
  const accepted = await world.send('POST', '/v1/audio/transcriptions', form, { prefer: 'respond-async' })
  assert.equal(accepted.status, 202, String(accepted.body))
  const id: string = accepted.json().id ?? accepted.json().job_id
  assert.equal(await world.studio.ended, EXIT_STATUS)

  await world.restart('SIGTERM', {}, false)
  assert.equal(await world.studio.ended, EXIT_STATUS, 'it is resumed once')
  // The same job, of a person.
  plantPeople(world.dataDir, { ada: 'create' })
  const db = openDatabase(join(world.dataDir, 'studio.db'))
  db.exec(`create temp table copy as select * from job where id = '${id}';
    update copy set id = 'of-ada', seq = (select max(seq) + 1 from job), source = 'person ada';
    insert into job select * from copy;
    insert into made_by (kind, id, client, made_at) values ('job', 'of-ada', 'person:ada', 1)`)
  db.close()

  await world.restart()
  const job = (await world.get(`/jobs/${id}`)).json()
  assert.deepEqual([job.status, job.set_aside], ['failed', true])
  assert.match(job.error, /ended unexpectedly 2 times while it ran this job.*Its input is kept\.$/)
  assert.equal((await world.get('/jobs/of-ada')).json().set_aside, true)
  assert.equal((await world.delete('/people/ada')).status, 200)
  const { notifications } = (await world.get('/system/notifications')).json()
  const notice = notifications.find((one: { id: string }) => one.id === 'jobs-set-aside')
  assert.match(notice?.title, /^A job was set aside$/)

  rmSync(flag)
  const refused = await world.post('/jobs/of-ada/retry')
  assert.deepEqual([refused.status, refused.json().code], [403, 'FORBIDDEN'], 'its person has ended')
  assert.equal((await world.post('/jobs/unknown/retry')).status, 404)
  const retried = await world.post(`/jobs/${id}/retry`)
  assert.deepEqual([retried.status, retried.json().set_aside], [200, false], String(retried.body))
  await eventually(async () => (await world.get(`/jobs/${id}`)).json().status === 'done')
  const transcript = await world.get(`/jobs/${id}/transcript`)
  assert.deepEqual([transcript.status, transcript.json().text], [200, 'this is a test recording'], String(transcript.body))
  assert.equal((await world.post(`/jobs/${id}/retry`)).status, 409)
  const after = (await world.get('/system/notifications')).json().notifications
  assert.ok(!after.some((one: { id: string }) => one.id === 'jobs-set-aside'))
})
