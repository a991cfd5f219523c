// Machines with different voices of one engine: each request is spoken where its voice or its language is.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '#shared/runtime/program.ts'
import { piperConfig, piperFiles } from '#test/support/models/piper-model.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { tasksOf } from '#test/support/world/tasks.ts'
import { eventually, openWorld, temporaryFolder } from '#test/support/world/world.ts'

const ENGINE = 'piper'
const [ENGLISH, GERMAN] = ['en_US-joe-medium', 'de_DE-thorsten-medium']
const skip = findProgram('espeak-ng', process.env['PATH']) ? false : 'espeak-ng is not on this machine; ./studio setup installs it'

test('a request is spoken by the machine that has its voice, or else its language', { skip }, async (t) => {
  const dataDir = temporaryFolder(t)
  placeModel(join(dataDir, 'local-agent/models'), ENGINE, ENGLISH, piperFiles(ENGLISH))
  const world = await openWorld(t, { remote: true, env: { STUDIO_DATA_DIR: dataDir } })
  const folder = temporaryFolder(t)
  const german = piperConfig({ espeak: { voice: 'de' }, language: { code: 'de_DE', family: 'de', name_english: 'German' } })
  placeModel(join(folder, 'agent/models'), ENGINE, GERMAN, piperFiles(GERMAN, german))
  const box = await world.machine('box', { STUDIO_DATA_DIR: folder })
  await world.approve(box)
  await world.post('/workers/target', { target: 'auto' })

  /** The machine and the voice. */
  const spoken = async (fields: object) => {
    const reply = await world.post('/v1/audio/speech', { model: ENGINE, input: 'Ein Satz.', response_format: 'wav', ...fields })
    assert.equal(reply.status, 200, reply.body.toString())
    return [(await tasksOf(world))[0]!.attempts.map(({ worker_id: id }) => id).join(' '), reply.headers.get('x-svc-voice')]
  }
  // Several times, because the faster machine is preferred, and each run changes what is known of its speed.
  for (let round = 0; round < 3; round++) {
    assert.deepEqual(await spoken({ voice: ENGLISH }), ['local', ENGLISH])
    assert.deepEqual(await spoken({ voice: GERMAN }), [box.workerId, GERMAN])
    assert.deepEqual(await spoken({ voice: GERMAN.toLowerCase() }), [box.workerId, GERMAN])
    assert.deepEqual(await spoken({ language: 'de' }), [box.workerId, GERMAN])
    assert.deepEqual(await spoken({ language: 'en' }), ['local', ENGLISH])
  }

  // A task that waits for the machine with its voice is not given to another one.
  const drain = async (drained: boolean) =>
    assert.equal((await world.post(`/workers/${box.workerId}/drain`, { drain: drained })).status, 200)
  await drain(true)
  const held = spoken({ voice: GERMAN })
  const reasons = await eventually(async () => {
    const [newest] = (await world.get('/workers/tasks')).json().tasks
    return newest.state === 'queued' && newest.waiting_for
  })
  assert.match(JSON.stringify(reasons), /does not have the voice/)
  await drain(false)
  assert.deepEqual(await held, [box.workerId, GERMAN])
  // Without that machine the default voice speaks, which the answer says.
  await world.remove(box)
  await world.post('/workers/target', { target: 'auto' })
  const reply = await world.post('/v1/audio/speech', { model: ENGINE, input: 'Ein Satz.', voice: GERMAN, response_format: 'wav' })
  assert.deepEqual([reply.status, reply.headers.get('x-svc-voice')], [200, ENGLISH])
  assert.match(String(reply.headers.get('x-svc-routing-reason')), /There is no voice de_DE-thorsten-medium/)
})
