// The official client receives the same error class and status as from the original service for requests that this refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI, { toFile } from 'openai'
import { wav } from '#test/agent/engine/audio/recording.ts'
import { placeKokoroAndMoonshine } from '#test/support/models/kokoro-and-moonshine.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const SOUND = Buffer.from(wav(new Float32Array(16_000)))
const open = sharedWorld({ prepare: placeKokoroAndMoonshine })

const { BadRequestError, ConflictError, NotFoundError } = OpenAI
const CLASSES = { 400: BadRequestError, 404: NotFoundError, 409: ConflictError } as const
type Refused = readonly [fields: Record<string, unknown>, status: keyof typeof CLASSES, code: string, param: string | null]

const SPEECH: readonly Refused[] = [
  [{ model: 'gpt-5-tts' }, 404, 'model_not_found', null],
  [{ model: 'whisper-1' }, 404, 'model_not_found', null],
  [{ model: 'tts-1-' }, 404, 'model_not_found', null],
  [{ model: 'indextts2' }, 409, 'model_not_installed', null],
  [{ model: 'supertonic3' }, 409, 'model_not_downloaded', null],
  [{ input: '' }, 400, 'invalid_request', 'input'],
  [{ input: 'y'.repeat(4_097) }, 400, 'invalid_request', 'input'],
  [{ input: undefined }, 400, 'invalid_request', 'input'],
  [{ speed: 4.1 }, 400, 'invalid_request', 'speed'],
  [{ speed: 'fast' }, 400, 'invalid_request', 'speed'],
  [{ response_format: 'm4a' }, 400, 'invalid_request', 'response_format'],
  [{ stream_format: 'ws' }, 400, 'invalid_request', 'stream_format'],
]
const TRANSCRIPTION: readonly Refused[] = [
  [{ model: 'whisper-42' }, 404, 'model_not_found', null],
  [{ model: 'tts-1' }, 404, 'model_not_found', null],
  [{ model: 'kokoro' }, 404, 'model_not_found', null],
  [{ model: 'whisperx' }, 409, 'model_not_downloaded', null],
  [{ model: 'parakeet-mlx' }, 409, 'model_not_installed', null],
  [{ model: 'openai-compat-asr' }, 409, 'model_not_installed', null],
  [{ response_format: 'html' }, 400, 'invalid_request', 'response_format'],
  [{ response_format: 'diarized_json' }, 409, 'model_not_downloaded', null],
  [{ response_format: 'diarized_json', stream: true }, 400, 'bad_request', null],
  [{ timestamp_granularities: ['sentence'] }, 400, 'invalid_request', 'timestamp_granularities[].0'],
  [{ temperature: 1.5 }, 400, 'invalid_request', 'temperature'],
]
const TRANSLATION: readonly Refused[] = [
  [{ model: 'whisper-42' }, 404, 'model_not_found', null],
  [{ model: 'faster-whisper' }, 409, 'model_not_downloaded', null],
  [{ response_format: 'diarized_json' }, 400, 'invalid_request', 'response_format'],
]

test('the official client is refused as by the original service', async (t) => {
  const world = await open()
  const client = new OpenAI({ baseURL: `${world.url}/v1`, apiKey: 'any', maxRetries: 0 })
  const file = () => toFile(SOUND, 'speech.wav')
  const refuses = async (ask: Promise<unknown>, [fields, status, code, param]: Refused) => {
    const error = await ask.then(
      () => assert.fail(`accepted: ${JSON.stringify(fields)}`),
      (one: unknown) => one,
    )
    assert.ok(error instanceof CLASSES[status], `${JSON.stringify(fields)}: ${error}`)
    assert.deepEqual([error.status, error.type, error.code, error.param], [status, 'invalid_request_error', code, param])
    assert.match(error.requestID ?? '', /^req_[0-9a-f]{24}$/)
  }

  await t.test('speech', async () => {
    const usual = { model: 'tts-1', voice: 'alloy', input: 'Hi.' }
    for (const row of SPEECH) await refuses(client.audio.speech.create({ ...usual, ...row[0] } as never), row)
  })
  await t.test('transcription', async () => {
    for (const row of TRANSCRIPTION)
      await refuses(client.audio.transcriptions.create({ model: 'whisper-1', file: await file(), ...row[0] } as never), row)
  })
  await t.test('translation', async () => {
    for (const row of TRANSLATION)
      await refuses(client.audio.translations.create({ model: 'whisper-1', file: await file(), ...row[0] } as never), row)
  })

  await t.test('a dated name is the model without its date, and is found in the list', async () => {
    for (const model of ['tts-1-1106', 'tts-1-hd-1106', 'gpt-4o-mini-tts-2025-12-15']) {
      const speech = await client.audio.speech.create({ model, voice: 'marin', input: 'Hi.', response_format: 'wav' })
      assert.doesNotMatch(speech.headers.get('x-svc-routing-reason') ?? '', /no voice/, 'a voice of the original service is no mistake')
      assert.equal((await client.models.retrieve(model)).id, model)
    }
    for (const model of ['gpt-4o-mini-transcribe-2025-12-15', 'gpt-4o-transcribe-diarize'])
      assert.equal(typeof (await client.audio.transcriptions.create({ model, file: await file() })).text, 'string')
  })

  await t.test('our own routes refuse an invalid field with 422 and an engine with 400', async () => {
    const form = (fields: Record<string, string>) => {
      const data = new FormData()
      for (const [name, value] of Object.entries({ text: 'Hi.', ...fields })) data.set(name, value)
      return data
    }
    assert.equal((await world.post('/generate', form({ speed: '9' }))).status, 422)
    for (const engine of ['gpt-5-tts', 'indextts2']) assert.equal((await world.post('/generate', form({ engine }))).status, 400)
    const later = await world.send('POST', '/generate', form({ engine: 'gpt-5-tts' }), { prefer: 'respond-async' })
    assert.equal(later.status, 400)
  })
})
