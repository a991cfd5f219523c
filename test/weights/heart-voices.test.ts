// The further voices of Heart, installed by the commands of the product from a mirror. No package has their networks: the mirror has that of the embedded
// voice under their names, with its digest in the catalogue.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { HIBARI } from '#shared/models/pins.ts'
import { openModelServer } from '../support/doubles/model-server.ts'
import { isLongRun } from '../support/long-run.ts'
import { EMBEDDED_HEART } from '../support/weights/exports.ts'
import { commandsOf } from '../support/world/cli.ts'
import { openWorld } from '../support/world/world.ts'

/** An American and a British one; all with --long. */
const VOICES = Object.keys(HIBARI).slice(0, isLongRun ? undefined : 2)
const TEXT = 'The last tomato was in the laboratory.'

test('the further voices of Heart are installed, verified, spoken with and removed', async (t) => {
  const network = readFileSync(EMBEDDED_HEART)
  const paths = Object.values(HIBARI).map((line) => line.split(' ').at(-1)!)
  const mirror = await openModelServer(t, { 'maureesewilliams/hibari': Object.fromEntries(paths.map((path) => [path, network])) })
  const env = { STUDIO_MODELS_URL: mirror.url, STUDIO_MODELS_CACHE: '' }
  const world = await openWorld(t, { env, preload: './test/support/weights/catalogue-of-exports.ts' })
  const command = commandsOf(world)
  const modelOf = (voice: string) => `hibari:${voice.slice(3)}`
  const speak = async (fields: object) => {
    const reply = await world.post('/v1/audio/speech', { model: 'heart', input: TEXT, seed: 1, response_format: 'pcm', ...fields })
    assert.equal(reply.status, 200, String(reply.body))
    return { voice: reply.headers.get('x-svc-voice'), sound: reply.body }
  }
  const embedded = await speak({})
  assert.equal(embedded.voice, 'heart')
  for (const voice of VOICES) {
    const { code, output, errors } = await command('models', 'install', modelOf(voice))
    assert.equal(code, 0, output + errors)
    assert.ok(output.includes(`Installed maureesewilliams/${modelOf(voice)}.`), output)
    const verified = await command('models', 'verify', modelOf(voice))
    assert.equal(verified.code, 0, verified.output + verified.errors)
    const spoken = await speak({ voice })
    assert.equal(spoken.voice, voice)
    // The networks are one here, so only British words have another length. Each take has a mark of its own.
    assert.equal(spoken.sound.length === embedded.sound.length, voice.startsWith('a'), voice)
  }
  const own = await world.post('/models/verify', { repo_id: 'heart' })
  assert.equal(own.status, 200, String(own.body))
  assert.equal(own.json().passed, true, 'the embedded voice can still be verified')
  assert.equal((await speak({ language: 'en-gb' })).voice?.startsWith('b'), true)
  assert.equal((await speak({})).voice, 'heart', 'the default stays')
  const removed = await command('models', 'remove', modelOf(VOICES[0]!), '--yes')
  assert.equal(removed.code, 0, removed.errors)
  assert.equal((await speak({ voice: VOICES[0] })).voice, 'heart')
})
