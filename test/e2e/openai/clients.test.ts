// Programs that speak the public API: the official clients for JavaScript and Python, the AI SDK, and Open WebUI. Each changes its base URL only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenAI } from '@ai-sdk/openai'
import { APICallError, experimental_generateSpeech as generateSpeech, experimental_transcribe as transcribe } from 'ai'
import OpenAI, { toFile } from 'openai'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { wav } from '#test/agent/engine/audio/recording.ts'
import { placeKokoroAndMoonshine } from '#test/support/models/kokoro-and-moonshine.ts'
import { replay } from '#test/support/world/python-client.ts'
import { allEnded } from '#test/support/world/tasks.ts'
import { sharedWorld } from '#test/support/world/world.ts'

/** Half a second of silence, a second of a low voice, and silence again: the model of these tests returns "hello world" for it. */
const SOUND = Buffer.from(
  wav(
    Float32Array.from({ length: 32_000 }, (_, at) => (at < 8_000 || at >= 24_000 ? 0 : 0.5 * Math.sin((2 * Math.PI * 300 * at) / 16_000))),
  ),
)
const open = sharedWorld({ prepare: placeKokoroAndMoonshine })
const ALIASES = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts', 'whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe']
const SEGMENT_KEYS = 'avg_logprob compression_ratio end id no_speech_prob seek start temperature text tokens'.split(' ')
const PCM_RATE = 24_000

test('clients of the public API', async (t) => {
  const world = await open()
  const client = new OpenAI({ baseURL: `${world.url}/v1`, apiKey: 'sk-local', maxRetries: 0 })
  const openai = createOpenAI({ baseURL: `${world.url}/v1`, apiKey: 'sk-local' })
  const recording = () => toFile(SOUND, 'speech.wav')

  await t.test('the official client lists the models that answer, and each of them answers', async () => {
    const listed = []
    for await (const model of client.models.list()) listed.push(model)
    const ids = listed.map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
    for (const id of [...ALIASES, 'svc-engine', 'moonshine']) assert.ok(ids.includes(id), `${id} is missing from ${ids}`)
    assert.ok(!ids.includes('cosyvoice'), 'an engine that is not installed is not listed')
    assert.deepEqual(
      await client.models.retrieve('whisper-1'),
      listed.find(({ id }) => id === 'whisper-1'),
    )
    assert.deepEqual(Object.keys(listed[0]!).sort(), ['created', 'id', 'object', 'owned_by'])
    await assert.rejects(client.models.retrieve('no-such'), (error) => {
      assert.ok(error instanceof OpenAI.NotFoundError)
      assert.deepEqual([error.type, error.code, error.param], ['invalid_request_error', 'model_not_found', null])
      assert.match(error.message, /no-such/)
      return true
    })
    for (const model of ALIASES.slice(0, 3)) {
      const speech = await client.audio.speech.create({ model, voice: 'alloy', input: 'Hi.', response_format: 'wav' })
      assert.ok(parseWav(Buffer.from(await speech.arrayBuffer())).samples.length > 1_000)
    }
    for (const model of ALIASES.slice(3)) {
      const asked = client.audio.transcriptions.create({ model, file: await recording() }).withResponse()
      const { data, response } = await asked
      assert.deepEqual(data, { text: 'hello world' })
      assert.equal(response.headers.get('x-svc-routing'), null, 'an alias is no substitute')
    }
  })

  await t.test('the official client reads an error as it reads those of the original service', async () => {
    const wrong = { model: 'tts-1', voice: 'alloy', input: 'x'.repeat(4097) } as const
    await assert.rejects(client.audio.speech.create(wrong), (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError)
      assert.deepEqual([error.type, error.code, error.param], ['invalid_request_error', 'invalid_request', 'input'])
      assert.match(error.message, /^400 input: String should have at most 4096 characters/)
      return true
    })
    const unknown = await world.post('/v1/audio/speech', { ...wrong, input: 'x', model: 'no-such-model' })
    const { detail, error } = unknown.json()
    assert.match(detail, /^Unknown model 'no-such-model'/)
    assert.deepEqual(error, { message: detail, type: 'invalid_request_error', param: null, code: 'model_not_found' })
    const lost = await world.get('/v1/nothing')
    assert.deepEqual([lost.status, lost.json().error.type], [404, 'invalid_request_error'])
    const malformed = await world.send('POST', '/v1/audio/speech', '{', {})
    assert.equal(malformed.json().error.type, 'invalid_request_error')
    assert.equal((await world.get('/nothing')).json().error, undefined, 'other routes keep their shape')
  })

  await t.test('verbose_json has complete segments, and words when they are among the granularities', async () => {
    const asked = { model: 'whisper-1', response_format: 'verbose_json' } as const
    const both = await client.audio.transcriptions.create({
      ...asked,
      file: await recording(),
      timestamp_granularities: ['word', 'segment'],
    })
    assert.ok(Array.isArray(both.words))
    const [segment] = both.segments!
    assert.deepEqual(Object.keys(segment!).sort(), SEGMENT_KEYS)
    assert.deepEqual([segment!.id, segment!.seek, segment!.text], [0, 0, 'hello world'])
    const plain = await client.audio.transcriptions.create({ ...asked, file: await recording(), timestamp_granularities: ['segment'] })
    assert.equal(plain.words, undefined)
  })

  await t.test('a transcription is streamed as events whose deltas add up to the text', async () => {
    const stream = await client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await recording(), stream: true })
    let text = ''
    let last: string | null = null
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') text += event.delta
      if (event.type === 'transcript.text.done') last = event.text
    }
    assert.deepEqual([text, last], ['hello world', 'hello world'])
    const broken = client.audio.transcriptions.create({ model: 'whisper-1', file: await toFile(Buffer.alloc(0), 'a.wav'), stream: true })
    await assert.rejects(broken, OpenAI.BadRequestError)
  })

  await t.test('speech in English is translated to itself', async () => {
    assert.deepEqual(await client.audio.translations.create({ model: 'whisper-1', file: await recording() }), { text: 'hello world' })
    const asked = { model: 'whisper-1', file: await recording(), response_format: 'verbose_json' } as const
    const verbose = (await client.audio.translations.create(asked)) as unknown as OpenAI.Audio.TranslationVerbose & { task: string }
    assert.deepEqual([verbose.task, verbose.language, verbose.duration], ['translate', 'en', 2])
    assert.deepEqual(Object.keys(verbose.segments![0]!).sort(), SEGMENT_KEYS)
  })

  await t.test('pcm has 24,000 Hz, independent of the rate of the engine', async () => {
    for (const model of ['flite', 'tone']) {
      const [pcm, same] = await Promise.all(
        (['pcm', 'wav'] as const).map((response_format) =>
          client.audio.speech.create({ model, voice: 'alloy', input: 'The rate is fixed.', response_format }),
        ),
      )
      assert.equal(pcm!.headers.get('content-type'), 'audio/pcm')
      assert.equal(pcm!.headers.get('x-audio-sample-rate'), String(PCM_RATE))
      const seconds = (await pcm!.arrayBuffer()).byteLength / 2 / PCM_RATE
      const wavFile = parseWav(Buffer.from(await same!.arrayBuffer()))
      assert.notEqual(wavFile.sampleRate, PCM_RATE, 'the engine of this test has another rate')
      assert.ok(Math.abs(seconds - wavFile.samples.length / wavFile.sampleRate) < 0.002, `${seconds} s`)
    }
  })

  await t.test('speech is streamed as events whose audio is that of the plain answer', async () => {
    const asked = { model: 'gpt-4o-mini-tts', voice: 'alloy', input: 'Events carry sound.', response_format: 'pcm' } as const
    const plain = Buffer.from(await (await client.audio.speech.create(asked)).arrayBuffer())
    const streamed = await client.audio.speech.create({ ...asked, stream_format: 'sse' })
    assert.equal(streamed.headers.get('content-type'), 'text/event-stream')
    const events = (await streamed.text())
      .split('\n\n')
      .filter((frame) => frame !== '')
      .map((frame) => JSON.parse(frame.replace(/^data: /, '')))
    const deltas = events.slice(0, -1)
    assert.ok(deltas.length > 0 && deltas.every(({ type }) => type === 'speech.audio.delta'))
    assert.ok(Buffer.concat(deltas.map(({ audio }) => Buffer.from(audio, 'base64'))).equals(plain))
    assert.deepEqual(events.at(-1), { type: 'speech.audio.done', usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } })
    const named = await world.post('/v1/audio/speech', { ...asked, voice: { id: 'alloy' } })
    assert.ok(named.body.equals(plain), 'a voice may be an object with its id')
    const refused = await world.post('/v1/audio/speech', { ...asked, stream_format: 'websocket' })
    assert.deepEqual([refused.status, refused.json().error.param], [400, 'stream_format'])
  })

  await t.test('the AI SDK generates speech, transcribes, and reads errors', async () => {
    const speech = await generateSpeech({ model: openai.speech('gpt-4o-mini-tts'), text: 'Hello.', outputFormat: 'wav', maxRetries: 0 })
    assert.ok(parseWav(Buffer.from(speech.audio.uint8Array)).samples.length > 1_000)
    for (const model of ['whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe']) {
      const { text, segments, language, durationInSeconds } = await transcribe({
        model: openai.transcription(model),
        audio: SOUND,
        maxRetries: 0,
      })
      assert.equal(text, 'hello world')
      if (model === 'whisper-1') assert.deepEqual([segments.length, language, durationInSeconds], [1, 'en', 2])
    }
    await assert.rejects(generateSpeech({ model: openai.speech('no-such'), text: 'Hello.', maxRetries: 0 }), (error) => {
      assert.ok(APICallError.isInstance(error))
      assert.match(error.message, /^Unknown model 'no-such'/)
      return true
    })
  })

  await t.test('the requests of Open WebUI', async () => {
    const models = (await world.get('/v1/audio/models')).json().models as { id: string }[]
    assert.ok(models.some(({ id }) => id === 'tts-1'))
    assert.ok(!models.some(({ id }) => id === 'whisper-1'), 'it offers these for speech')
    const voices = (await world.get('/v1/audio/voices')).json().voices as { id: string; name: string }[]
    assert.deepEqual(voices[0], {
      id: 'alloy',
      voice_id: 'alloy',
      name: 'Alloy',
      type: 'openai_alias',
      description: 'The default voice of the selected engine.',
    })
    const headers = { authorization: 'Bearer sk-local', 'x-openwebui-user-name': 'someone', 'x-openwebui-user-role': 'admin' }
    const payload = { model: 'tts-1', input: 'Hello.', voice: 'alloy' }
    const speech = await world.send('POST', '/v1/audio/speech', payload, headers)
    assert.deepEqual([speech.status, speech.headers.get('content-type')], [200, 'audio/mpeg'])
    const form = new FormData()
    form.set('model', 'whisper-1')
    form.set('file', new Blob([SOUND]), '7f2c9a04-recording.wav')
    assert.deepEqual((await world.send('POST', '/v1/audio/transcriptions', form, headers)).json(), { text: 'hello world' })
    const refused = await world.send('POST', '/v1/audio/speech', { ...payload, model: 'no-such' }, headers)
    assert.match(refused.json().error.message, /no-such/)
  })

  await t.test('the request of a script of OBS for the subtitles of a recording', async () => {
    const form = new FormData()
    form.set('file', new Blob([SOUND], { type: 'application/octet-stream' }), '2026-11-30 20-15-00.mkv')
    for (const [field, value] of [
      ['model', 'whisper-1'],
      ['response_format', 'srt'],
    ] as const)
      form.set(field, value)
    const subtitles = await world.send('POST', '/v1/audio/transcriptions', form, { 'user-agent': 'curl/8.14.1', accept: '*/*' })
    assert.equal(subtitles.status, 200)
    assert.match(subtitles.body.toString(), /^1\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\nhello world\n/i)
  })

  await t.test('the requests of the official Python client, byte for byte', async () => {
    const { data, object } = (await replay(world.url, 'models.list()')).json()
    assert.deepEqual([object, data.some(({ id }: { id: string }) => id === 'whisper-1')], ['list', true])
    assert.equal((await replay(world.url, "models.retrieve('whisper-1')")).json().id, 'whisper-1')
    const pcm = await replay(world.url, 'audio.speech.create(pcm)')
    assert.deepEqual([pcm.status, pcm.headers['x-audio-sample-rate']], [200, String(PCM_RATE)])
    assert.equal((await replay(world.url, 'audio.speech.create(wav)')).headers['content-type'], 'audio/wav')
    const verbose = (await replay(world.url, 'audio.transcriptions.create(verbose_json)')).json()
    assert.deepEqual([verbose.task, verbose.language, verbose.duration], ['transcribe', 'en', 0.5])
    assert.ok(Array.isArray(verbose.words), 'both granularities arrive')
    const stream = await replay(world.url, 'audio.transcriptions.create(stream)')
    assert.equal(stream.headers['content-type'], 'text/event-stream')
    assert.match(stream.body.toString(), /data: \{"type":"transcript\.text\.done",[^\n]*\}\n\n$/)
    assert.equal(typeof (await replay(world.url, 'audio.translations.create()')).json().text, 'string')
  })

  await t.test('half an hour and more is streamed part by part', async () => {
    // At the rate of recognisers: to resample so much silence takes several seconds.
    const samples = 31 * 60 * 16_000
    const long = Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples }), Buffer.alloc(samples * 2)])
    const stream = await client.audio.transcriptions.create({ model: 'tone', file: await toFile(long, 'long.wav'), stream: true })
    const deltas: string[] = []
    let done = ''
    for await (const event of stream) {
      if (event.type === 'transcript.text.delta') deltas.push(event.delta)
      if (event.type === 'transcript.text.done') done = event.text
    }
    assert.equal(deltas.length, 3)
    assert.equal(deltas.join(''), done)
    assert.equal(done, Array.from({ length: 3 }, () => 'this is a test recording').join(' '))
  })

  await allEnded(world)
})
