// The official Python client: what its user receives, and the classes of its errors.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { join as joined, wav } from '#test/agent/engine/audio/recording.ts'
import { embedding, segmentation } from '#test/agent/engine/diarize/pyannote/planted.ts'
import { placeKokoroAndMoonshine } from '#test/support/models/kokoro-and-moonshine.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { pythonWith, runPython } from '#test/support/python/python-packages.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const NETWORKS = { 'segmentation/model.onnx': segmentation(), 'embedding/voices.onnx': embedding() }
const open = sharedWorld({
  prepare: (dataDir) => {
    placeKokoroAndMoonshine(dataDir)
    placeModel(join(dataDir, 'local-agent/models'), 'pyannote', '', NETWORKS)
  },
})
/** A second of a low voice between silence: the recogniser of this test returns "hello world" for it. */
const SOUND = wav(
  joined([
    new Float32Array(8_000),
    Float32Array.from({ length: 16_000 }, (_, at) => 0.5 * Math.sin((2 * Math.PI * 300 * at) / 16_000)),
    new Float32Array(8_000),
  ]),
)
const REFUSED = 'BadRequestError'
const invalid = (param: string) => [REFUSED, 400, 'invalid_request', param]
const EXPECTED = {
  models: true,
  'a model': 'whisper-1',
  'no model': ['NotFoundError', 404, 'model_not_found', null],
  speech: 'RIFF',
  'speech in pieces': true,
  'four at once': ['RIFF', 'RIFF', 'RIFF', 'RIFF'],
  'speech: unknown model': ['NotFoundError', 404, 'model_not_found', null],
  'speech: engine not installed': ['ConflictError', 409, 'model_not_installed', null],
  'speech: too fast': invalid('speed'),
  'speech: no text': invalid('input'),
  'speech: unknown format': invalid('response_format'),
  json: 'hello world',
  text: 'hello world',
  words: 0,
  events: ['transcript.text.delta', 'transcript.text.done'],
  speakers: ['A'],
  'transcription: unknown model': ['NotFoundError', 404, 'model_not_found', null],
  'transcription: a model of speech': ['NotFoundError', 404, 'model_not_found', null],
  'transcription: engine not installed': ['ConflictError', 409, 'model_not_downloaded', null],
  'transcription: unknown format': invalid('response_format'),
  'transcription: unknown granularity': invalid('timestamp_granularities[].0'),
  'transcription: no recording': [REFUSED, 400, 'bad_request', null],
  translation: 'hello world',
}
const pipecat = await pythonWith(['pipecat-ai[openai]==1.14.0'])
const found = await pythonWith(['openai==3.57.0'])

test('the official Python client', { skip: 'skip' in found ? found.skip : false }, async (t) => {
  assert.ok('python' in found)
  const { url } = await open()
  const recording = join(temporaryFolder(t), 'speech.wav')
  writeFileSync(recording, SOUND)
  const printed = await runPython(found.python, join(import.meta.dirname, 'client.py'), [url, recording])
  assert.deepEqual(JSON.parse(printed), EXPECTED)
})

test('the services of Pipecat', { skip: 'skip' in pipecat ? pipecat.skip : false }, async () => {
  assert.ok('python' in pipecat)
  const { url } = await open()
  const printed = await runPython(pipecat.python, join(import.meta.dirname, 'pipecat-client.py'), [url])
  assert.deepEqual(JSON.parse(printed), { rates: [[24_000, 1]], spoken: true, texts: ['this is a test recording'] })
})
