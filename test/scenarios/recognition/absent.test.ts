// A studio without programs on its machine: no recogniser and no ffmpeg.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wavHeader } from '#shared/audio/wav.ts'
import { form } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const open = sharedWorld({ env: { PATH: '/nowhere' } })
const silence = (seconds: number) => {
  const samples = seconds * 16_000
  return Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples }), Buffer.alloc(samples * 2)])
}

test('without a recogniser the response names one to install; without ffmpeg it names the missing program', async () => {
  const world = await open()
  const reply = await world.post('/v1/audio/transcriptions', form({ file: silence(1) }))
  assert.equal(reply.status, 409, reply.body.toString())
  const { error, message, recommended } = reply.json().detail
  assert.equal(error, 'asr_model_missing')
  assert.match(message, /studio setup/)
  assert.deepEqual(Object.keys(recommended), ['repo_id', 'label', 'size_gb'])
  assert.equal((await world.post('/transcribe', form({ audio: silence(1) }))).json().detail.error, 'asr_model_missing')
  const clone = await world.post('/generate', form({ ref_audio: silence(1), text: 'Hello.', engine: 'tone' }))
  assert.deepEqual([clone.status, clone.json().detail.error], [409, 'asr_model_missing'], 'a reference without its transcript')
  const mp3 = await world.post('/v1/audio/transcriptions', form({ file: Buffer.from('ID3 and so on'), model: 'tone' }))
  assert.equal(mp3.status, 400)
  assert.match(mp3.json().detail, /ffmpeg/)
})
