// Moonshine and Parakeet requested by name, through the real studio and its agent: which engine is used, and the list of engines.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { SHERPA_ID } from '#agent/engine/runtimes/sherpa/models.ts'
import { wav } from '#test/agent/engine/audio/recording.ts'
import { decoder, encoder, joiner, tokens } from '#test/agent/engine/runtimes/sherpa/planted.ts'
import { moonshineContents } from '#test/agent/engine/runtimes/transformers/planted-moonshine.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { allEnded } from '#test/support/world/tasks.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

const PARAKEET = {
  'encoder.int8.onnx': encoder(),
  'decoder.int8.onnx': decoder(),
  'joiner.int8.onnx': joiner(),
  'tokens.txt': Buffer.from(tokens),
}
/** Half a second of silence, a second of a low voice, and silence again. */
const SOUND = Float32Array.from({ length: 32_000 }, (_, at) =>
  at < 8_000 || at >= 24_000 ? 0 : 0.5 * Math.sin((2 * Math.PI * 300 * at) / 16_000),
)
type Row = { id: string; available: boolean; reason: string | null; install_hint: string; routing_status: string }

test('each is used when it is named, Moonshine for English only, and both are listed as available', async (t) => {
  const dataDir = temporaryFolder(t)
  const models = join(dataDir, 'local-agent/models')
  placeModel(models, 'moonshine', '', moonshineContents())
  placeModel(models, SHERPA_ID, 'parakeet-tdt-v3', PARAKEET)
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: dataDir } })
  const ask = async (fields: Record<string, string>) => {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(wav(SOUND))]), 'recording.wav')
    form.set('response_format', 'verbose_json')
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    const reply = await world.post('/v1/audio/transcriptions', form)
    assert.equal(reply.status, 200, reply.body.toString())
    const { text, language, segments } = reply.json()
    return { text, language, segments, reason: reply.headers.get('x-svc-routing-reason') }
  }

  const moonshine = await ask({ model: 'moonshine', prompt: 'names' })
  assert.deepEqual([moonshine.text, moonshine.language], ['hello world', 'en'])
  assert.deepEqual([moonshine.segments.length, moonshine.segments[0].start, moonshine.segments[0].end], [1, 0, 2])
  assert.equal(moonshine.reason, 'moonshine does not support a prompt.')
  const parakeet = await ask({ model: 'nemo-parakeet', language: 'de' })
  assert.deepEqual([parakeet.text, parakeet.language, parakeet.reason], ['la la la la', 'de', null])
  const german = await ask({ model: 'moonshine', language: 'de' })
  assert.equal(german.reason, 'moonshine does not support "de". sherpa-onnx-asr was used instead.')
  assert.equal((await ask({ model: 'whisper-1' })).text, 'la la la la', 'without a name the default recogniser is used')

  const { backends } = (await world.get('/engines/asr')).json() as { backends: Row[] }
  for (const id of ['moonshine', 'nemo-parakeet', 'sherpa-onnx-asr']) {
    const { available, reason, install_hint, routing_status } = backends.find((row) => row.id === id)!
    assert.deepEqual([available, reason, install_hint, routing_status], [true, null, '', 'cpu_only'], id)
  }
  const other = backends.find((row) => row.id === 'funasr')!
  assert.equal(`${other.reason} ${other.install_hint}`, 'This version has no adapter for it. Choose another engine.')
  await allEnded(world)
})
