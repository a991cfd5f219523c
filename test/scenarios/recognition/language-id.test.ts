// A recording without a language parameter, through the real studio, its agent and the real speech library with generated networks: one
// that supports European languages, and a Whisper that classifies low voices as Japanese.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { SHERPA_ID } from '#agent/engine/runtimes/sherpa/models.ts'
import { wav } from '#test/agent/engine/audio/recording.ts'
import { decoder, encoder, joiner, tokens } from '#test/agent/engine/runtimes/sherpa/planted.ts'
import { plantedWhisper, whisperEncoder } from '#test/agent/engine/runtimes/sherpa/planted-whisper.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { allEnded } from '#test/support/world/tasks.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

/** Surrounded by silence, like real recordings. */
function tone(hertz: number): Float32Array {
  const samples = new Float32Array(48_000)
  for (let at = 16_000; at < 32_000; at++) samples[at] = 0.5 * Math.sin((2 * Math.PI * hertz * at) / 16_000)
  return samples
}
const JAPANESE = tone(300)
const FRENCH = tone(6_000)
const codes = { all_language_codes: ['ja', 'fr'] }
const WHISPER = { ...plantedWhisper(), 'tiny-encoder.int8.onnx': whisperEncoder(codes) }
const PARAKEET = {
  'encoder.int8.onnx': encoder(),
  'decoder.int8.onnx': decoder(),
  'joiner.int8.onnx': joiner(),
  'tokens.txt': Buffer.from(tokens),
}

test('Japanese goes to the recogniser that supports it, French to the better one', async (t) => {
  const dataDir = temporaryFolder(t)
  const models = join(dataDir, 'local-agent/models')
  placeModel(models, SHERPA_ID, 'parakeet-tdt-v3', PARAKEET)
  placeModel(models, SHERPA_ID, 'whisper-tiny', WHISPER)
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: dataDir } })
  const ask = async (samples: Float32Array, path: string, file: string, fields: Record<string, string> = {}) => {
    const form = new FormData()
    form.set(file, new Blob([new Uint8Array(wav(samples))]), 'recording.wav')
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const reply = await world.post(path, form)
    assert.equal(reply.status, 200, reply.body.toString())
    const { text, language } = reply.json()
    return { text: `${language}: ${text}`, reason: reply.headers.get('x-svc-routing-reason') }
  }
  const verbose = (samples: Float32Array, fields: Record<string, string> = {}) =>
    ask(samples, '/v1/audio/transcriptions', 'file', { response_format: 'verbose_json', ...fields })

  assert.deepEqual(await verbose(JAPANESE), { text: 'ja: la', reason: null })
  assert.deepEqual(await verbose(FRENCH), { text: 'fr: li li li li', reason: null })
  assert.deepEqual(
    await verbose(JAPANESE, { language: 'fr' }),
    { text: 'fr: la la la la', reason: null },
    'an explicit language is not identified again',
  )
  assert.equal((await ask(FRENCH, '/transcribe', 'audio', { mode: 'accurate' })).text, 'fr: Li li li li.')
  await allEnded(world)
})

test('a Whisper model that crashes the library process only costs the language', async (t) => {
  const dataDir = temporaryFolder(t)
  const models = join(dataDir, 'local-agent/models')
  placeModel(models, SHERPA_ID, 'parakeet-tdt-v3', PARAKEET)
  placeModel(models, SHERPA_ID, 'whisper-tiny', {
    ...WHISPER,
    'tiny-encoder.int8.onnx': whisperEncoder({ ...codes, is_multilingual: 0 }),
  })
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: dataDir } })
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(wav(FRENCH))]), 'recording.wav')
  const reply = await world.post('/v1/audio/transcriptions', form)
  assert.equal(reply.json().text, 'li li li li')
  assert.match(
    reply.headers.get('x-svc-routing-reason')!,
    /^The language was not identified: sherpa-onnx-lid failed \(MODEL_NOT_DOWNLOADED\)/,
  )
  await allEnded(world)
})
