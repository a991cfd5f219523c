// A studio to which a machine is lent asks it for the whole catalogue. The machine keeps to the space that its owner lends, says why, and shows
// its owner what is used.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { catalogueOf } from '#shared/models/catalogue.ts'
import { openModelServer, weights } from '../support/doubles/model-server.ts'
import { studio } from '../support/world/cli.ts'
import { eventually, openWorld } from '../support/world/world.ts'
import { bytesIn } from './installing/bytes-in.ts'

test('a lent machine refuses a studio that asks for the whole catalogue, says why, and shows its owner', async (t) => {
  const tone = { 'config.json': Buffer.from('{"hz":440}'), 'model.onnx': weights('tone', 3_000_000), 'voices/a.bin': weights('a', 4_000) }
  const server = await openModelServer(t, { 'voice-studio/tone': tone })
  const world = await openWorld(t, { remote: true })
  const box = await world.machine('box', { STUDIO_MODELS_URL: server.url, STUDIO_MODELS_CACHE: '' })
  await world.approve(box)
  await world.post('/workers/target', { target: box.workerId })
  const owner = { env: { STUDIO_DATA_DIR: box.dataDir } }
  assert.match(
    (await studio(['agent', 'status'], owner)).output,
    /^Models of other studios: 0 B of at most [\d.]+ [GT]B \(half of the free space\)$/m,
  )
  assert.match((await studio(['agent', 'space', '0.002'], owner)).output, /^Models of other studios: 0 B of at most 2\.0 MB\n$/)

  const request = (repo_id: string) => world.post('/models/install', { repo_id, target: box.workerId, accept_licence: true })
  const stateOf = async (id: string) =>
    (await world.get('/models')).json().models.find(({ repo_id }: { repo_id: string }) => repo_id === id)
  for (const { id } of catalogueOf(true)) await request(id)
  const refused = await eventually(async () => {
    const row = await stateOf('voice-studio/tone')
    return row?.download?.state === 'failed' ? row.download : null
  })
  assert.match(refused.error, /This machine lends 0\.002 GB of its disk for models, .* and Test tone needs 0\.003 GB more/)
  assert.ok(bytesIn(join(box.dataDir, 'agent/models')) < 2_000_000)

  assert.equal((await studio(['agent', 'space', '0.1'], owner)).code, 0)
  await world.post('/models/install/cancel', { repo_id: 'voice-studio/tone' })
  await eventually(async () => (await request('voice-studio/tone')).status === 200)
  await eventually(async () => (await stateOf('voice-studio/tone'))?.installed)
  assert.match((await studio(['agent', 'status'], owner)).output, /^Models of other studios: 3\.0 MB of at most 100 MB$/m)
  assert.match((await studio(['agent', 'space', 'clear'], owner)).output, /^Removed 3\.0 MB of models that other studios installed\.$/m)
  await eventually(async () => (await stateOf('voice-studio/tone'))?.installed === false)
  for (const word of ['-1', 'lots', '1e9', '99999999', '']) assert.equal((await studio(['agent', 'space', word], owner)).code, 2, word)
})
