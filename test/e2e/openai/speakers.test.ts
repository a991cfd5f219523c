// Speakers in the shape of the public API, through the official client and a real diariser with generated networks.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import OpenAI, { toFile } from 'openai'
import { join as joined, wav } from '#test/agent/engine/audio/recording.ts'
import { embedding, segmentation, spoken } from '#test/agent/engine/diarize/pyannote/planted.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const NETWORKS = { 'segmentation/model.onnx': segmentation(), 'embedding/voices.onnx': embedding() }
const open = sharedWorld({ prepare: (dataDir) => placeModel(join(dataDir, 'local-agent/models'), 'pyannote', '', NETWORKS) })
/** A low voice, then a high one. The test recogniser hears five words in equal parts of it. */
const TALK = Buffer.from(wav(joined([spoken(200, 5), new Float32Array(16_000), spoken(3_000, 4)])))

test('diarized_json has the speakers in the order in which they speak', async () => {
  const { url } = await open()
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0 })
  const ask = async (response_format: 'diarized_json' | 'json') =>
    client.audio.transcriptions.create({ model: 'tone', file: await toFile(TALK, 'talk.wav'), response_format })
  const { task, duration, text, segments } = (await ask('diarized_json')) as OpenAI.Audio.TranscriptionDiarized
  assert.deepEqual([task, duration, text], ['transcribe', 10, 'this is a test recording'])
  assert.deepEqual(
    segments.map(({ id, type, speaker, text }) => [id, type, speaker, text]),
    [
      ['seg_001', 'transcript.text.segment', 'A', 'this is a'],
      ['seg_002', 'transcript.text.segment', 'B', 'test recording'],
    ],
  )
  assert.deepEqual(
    segments.map(({ start, end }) => [start, end]),
    [
      [0, 6],
      [6, 10],
    ],
  )
  assert.deepEqual(await ask('json'), { text: 'this is a test recording' })
})
