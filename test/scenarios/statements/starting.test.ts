// In the first seconds after the start, before the agent of this machine is connected: lists wait for it instead of answering that nothing is
// there, and no request is answered with "try again".
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { form } from '#test/support/world/http.ts'
import { openWorld } from '#test/support/world/world.ts'

test('lists and requests that need the agent wait for it at the start', async (t) => {
  const world = await openWorld(t, { impatient: true })
  // All at once: the first answer would give the others the time to become right.
  const [models, voices, engines, one, verified, cleaned] = await Promise.all([
    world.get('/v1/models'),
    world.get('/v1/audio/voices'),
    world.get('/engines'),
    world.get('/v1/models/tone'),
    world.post('/models/verify', { repo_id: 'rnnoise' }),
    world.post('/clean-audio', form({ audio: Buffer.alloc(100) })),
  ])
  const names = (models.json().data as { id: string }[]).map(({ id }) => id)
  assert.ok(names.includes('tone') && names.includes('svc-engine'), names.join())
  assert.ok(voices.json().engines.length > 0, voices.body.toString())
  const native = engines.json().tts.backends.find(({ id }: { id: string }) => id === 'svc-engine')
  assert.equal(native.available, true, JSON.stringify(native))
  assert.equal(one.status, 200)
  assert.equal(verified.status, 200, verified.body.toString())
  assert.equal(cleaned.status, 400, cleaned.body.toString())
  assert.ok(world.studio.output().includes('the local agent was started'))
})

test('without an agent that comes, a list is answered after ten seconds at most', async (t) => {
  const world = await openWorld(t, { withoutAgent: true })
  const from = performance.now()
  assert.deepEqual((await world.get('/v1/models')).json().data, [])
  assert.ok(performance.now() - from < 60_000)
  // The agent had its time, so nothing waits for it any more.
  await world.get('/v1/models')
  const again = performance.now()
  for (let times = 0; times < 20; times++) await world.get('/v1/models')
  assert.ok(performance.now() - again < 10_000)
})
