// The recognition routes through the real studio: the official client, the studio's own format, refusals, and substitutes.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import OpenAI, { toFile } from 'openai'
import { toS16 } from '#shared/audio/pcm.ts'
import { parseWav, wavHeader } from '#shared/audio/wav.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { plantedWhisper, stamp } from '#test/agent/engine/runtimes/transformers/planted.ts'
import { levelDb } from '#test/support/audio/sound.ts'
import { plainWords, wordErrors } from '#test/support/audio/words.ts'
import { seeded } from '#test/support/doubles/seeded.ts'
import { connectMcp } from '#test/support/mcp/client.ts'
import { placeModel } from '#test/support/models/place-model.ts'
import { allEnded } from '#test/support/world/tasks.ts'
import { eventually, openWorld, sharedWorld, temporaryFolder, type World } from '#test/support/world/world.ts'

const SAID = 'She bought some bread and milk at the store. We will meet again next Monday morning.'
const open = sharedWorld({ remote: true })
const skip = findProgram('pocketsphinx_continuous', process.env['PATH'])
  ? false
  : 'pocketsphinx is not on this machine; ./studio setup installs it'
/** Most seconds of a part. */
const PART = 900
const MORE_THAN_TWO_PARTS = 2 * PART + 60
const silence = (seconds: number) => {
  const samples = seconds * 16_000
  return Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples }), Buffer.alloc(samples * 2)])
}
function form(field: string, bytes: Uint8Array, fields: Record<string, string> = {}): FormData {
  const made = new FormData()
  made.set(field, new Blob([new Uint8Array(bytes)]), 'recording.wav')
  for (const [name, value] of Object.entries(fields)) made.set(name, value)
  return made
}
const leftovers = (world: World) => readdirSync(join(world.dataDir, 'uploads'))
const clientOf = (world: World) => new OpenAI({ apiKey: 'none', baseURL: `${world.url}/v1`, maxRetries: 0 })

test('the test engine transcribes in every format of the official client', async (t) => {
  const world = await open()
  const client = clientOf(world)
  const file = await toFile(silence(5), 'silence.wav')
  const ask = { file, model: 'tone' } as const

  assert.deepEqual(await client.audio.transcriptions.create(ask), { text: 'this is a test recording' })
  const verbose = await client.audio.transcriptions.create({ ...ask, response_format: 'verbose_json', timestamp_granularities: ['word'] })
  assert.deepEqual(
    { ...verbose, words: verbose.words!.map(({ word }) => word) },
    {
      task: 'transcribe',
      language: 'en',
      duration: 5,
      text: 'this is a test recording',
      segments: [
        {
          id: 0,
          seek: 0,
          start: 0,
          end: 5,
          text: 'this is a test recording',
          tokens: [],
          temperature: 0,
          avg_logprob: 0,
          compression_ratio: 0.75,
          no_speech_prob: 0,
        },
      ],
      words: ['this', 'is', 'a', 'test', 'recording'],
    },
  )
  assert.equal(await client.audio.transcriptions.create({ ...ask, response_format: 'text' }), 'this is a test recording')
  assert.equal(
    await client.audio.transcriptions.create({ ...ask, response_format: 'srt' }),
    '1\n00:00:00,000 --> 00:00:05,000\nthis is a test recording\n',
  )
  const vtt = await world.post('/v1/audio/transcriptions', form('file', silence(2), { model: 'tone', response_format: 'vtt' }))
  assert.equal(vtt.headers.get('content-type'), 'text/vtt; charset=utf-8')
  assert.equal(vtt.body.toString(), 'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nthis is a test recording\n')
  assert.match(vtt.headers.get('x-svc-routing-reason')!, /test tone/, 'the substitute is declared')

  await t.test('a recording too large for a message reaches the engine through a file', async () => {
    const reply = await world.post(
      '/v1/audio/transcriptions',
      form('file', silence(300), { model: 'tone', response_format: 'verbose_json' }),
    )
    assert.equal(reply.json().duration, 300)
  })
  await t.test('half an hour and more is transcribed in parts and returned as one transcript', async () => {
    // At the rate of recognisers: to resample so much silence takes several seconds.
    const long = silence(MORE_THAN_TWO_PARTS)
    const fields = { model: 'tone', response_format: 'verbose_json', 'timestamp_granularities[]': 'word' }
    const reply = await world.post('/v1/audio/transcriptions', form('file', long, fields))
    assert.equal(reply.status, 200, reply.body.toString())
    const { duration, segments, words, text } = reply.json()
    assert.equal(duration, MORE_THAN_TWO_PARTS)
    assert.equal(text, Array.from({ length: 3 }, () => 'this is a test recording').join(' '))
    assert.equal(segments.length, 3)
    assert.deepEqual([segments[0].start, segments[2].end, words.at(-1).end], [0, MORE_THAN_TWO_PARTS, MORE_THAN_TWO_PARTS])
    for (const [at, segment] of segments.entries()) {
      assert.ok(segment.end - segment.start <= PART)
      if (at > 0) assert.equal(segment.start, segments[at - 1].end)
    }
  })
  await t.test('as a job it outlives its request, and its transcript is read in every format', async () => {
    const begin = async (bytes: Buffer, fields: Record<string, string> = {}) => {
      const prefer = { prefer: 'respond-async' }
      const reply = await world.send('POST', '/v1/audio/transcriptions', form('file', bytes, { model: 'tone', ...fields }), prefer)
      assert.equal(reply.status, 202, reply.body.toString())
      assert.equal(reply.headers.get('location'), `/jobs/${reply.json().id}`)
      return `/jobs/${reply.json().id}`
    }
    const ended = (job: string) =>
      eventually(async () => {
        const row = (await world.get(job)).json()
        return row.finished_at !== null && row
      })
    const job = await begin(silence(5), { 'timestamp_granularities[]': 'word' })
    const { type, status, meta_json: meta, error } = await ended(job)
    assert.deepEqual([type, status, JSON.parse(meta).filename, error], ['transcription', 'done', 'recording.wav', null])
    const read = (format: string) => world.get(`${job}/transcript?response_format=${format}`)
    const { duration, words, text } = (await read('verbose_json')).json()
    assert.deepEqual([duration, words.length, text], [5, 5, 'this is a test recording'])
    assert.equal(String((await read('srt')).body), '1\n00:00:00,000 --> 00:00:05,000\nthis is a test recording\n')
    const strangers = await read('diarized_json')
    assert.deepEqual([strangers.status, /no speakers/.test(strangers.json().detail)], [400, true], 'no speaker is invented')
    assert.equal((await read('odd')).status, 422)
    const plain = await world.get(`${job}/transcript`)
    assert.deepEqual(plain.json(), { text: 'this is a test recording' })
    assert.match(plain.headers.get('x-svc-routing-reason')!, /test tone/)
    const cut = await begin(silence(2).subarray(0, 44 + 32_000))
    assert.equal((await ended(cut)).status, 'done')
    assert.match((await world.get(`${cut}/transcript`)).headers.get('x-svc-routing-reason')!, /The file is cut off: 1\.0 s of sound/)
    const broken = await begin(silence(2).subarray(0, 40))
    assert.match((await ended(broken)).error, /cannot be read/)
    const refused = await world.get(`${broken}/transcript`)
    assert.deepEqual([refused.status, /cannot be read/.test(String(refused.body))], [400, true])
    assert.equal((await world.get('/jobs/unknown/transcript')).status, 404)
  })
  await t.test('an unreadable file is refused with the reason and leaves nothing behind', async () => {
    const refusals: [FormData, number, RegExp][] = [
      [form('file', Buffer.alloc(0), { model: 'tone' }), 400, /empty/],
      [form('file', silence(2).subarray(0, 40), { model: 'tone' }), 400, /cannot be read/],
      [form('file', Buffer.from('no sound at all'), { model: 'tone' }), 400, /cannot be read/],
      [form('other', silence(1), { model: 'tone' }), 400, /Field required/],
      [form('file', silence(1), { model: 'tone', temperature: '7' }), 400, /temperature|<=1|1/],
      [form('file', silence(1), { model: 'm'.repeat(65) }), 400, /model/],
    ]
    for (const [body, status, reason] of refusals) {
      const reply = await world.post('/v1/audio/transcriptions', body)
      assert.equal(reply.status, status, reply.body.toString())
      assert.match(reply.body.toString(), reason)
    }
    const none = new FormData()
    none.set('model', 'tone')
    assert.equal((await world.post('/v1/audio/transcriptions', none)).status, 400)
    assert.equal((await world.post('/v1/audio/transcriptions', { model: 'tone' })).status, 400)
    assert.deepEqual(leftovers(world), [])
  })
  await t.test('clean-audio returns audio and always reports when nothing was removed', async () => {
    const reply = await world.post('/clean-audio', form('audio', silence(2)))
    assert.equal(reply.status, 200, reply.body.toString())
    assert.equal(reply.headers.get('content-type'), 'audio/wav')
    const name = reply.headers.get('x-clean-filename')!
    assert.match(name, /^mic_[0-9a-f]{8}\.wav$/)
    assert.ok((await world.get(`/audio/${name}`)).body.equals(reply.body))
    const cleaned = reply.headers.get('x-clean-conversion') === null
    assert.equal(cleaned, !/Nothing was removed/.test(reply.headers.get('x-svc-routing-reason') ?? ''))
  })
  await allEnded(world)
  assert.deepEqual(leftovers(world), [])
})

test('Whisper reports its figures, finds no words in silence, and translates through a translator only', async (t) => {
  const dataDir = temporaryFolder(t)
  // A network that only transcribes. Its segments have the length of the recording: speech without a segment is decoded again.
  const chain = [stamp(0), 'Ġhello', 'Ġworld', stamp(2), stamp(2.02), 'Ġagain', stamp(6), '<|endoftext|>']
  const planted = [...plantedWhisper(t, { encoderLayers: 4, chain })].map(([name, path]): [string, Buffer] => [name, readFileSync(path)])
  placeModel(join(dataDir, 'local-agent/models'), 'faster-whisper', 'tiny', Object.fromEntries(planted))
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: dataDir } })
  const model = 'faster-whisper'
  assert.equal((await world.post(`/setup/warmup?engine=${model}&wait=true`)).status, 200)
  const loaded = (await world.get('/model/loaded')).json().models
  assert.ok(
    loaded.some((one: { engine_id: string }) => one.engine_id === model),
    'a recogniser is loaded with silence',
  )
  const { body } = await world.post('/v1/audio/speech', { input: SAID, voice: 'rms', response_format: 'wav' })
  const reply = await world.post('/v1/audio/transcriptions', form('file', body, { model, response_format: 'verbose_json' }))
  const { text, segments, duration } = reply.json()
  assert.equal(text, 'hello world again', reply.headers.get('x-svc-routing-reason') ?? '')
  for (const { start, end, tokens, avg_logprob, no_speech_prob, compression_ratio } of segments) {
    assert.ok(start < end && end <= duration && tokens.length > 1)
    assert.ok(avg_logprob < 0 && avg_logprob > -0.1 && no_speech_prob < 0.01 && compression_ratio < 2.4)
  }
  const nothing = await world.post('/v1/audio/transcriptions', form('file', silence(5), { model, response_format: 'srt' }))
  assert.deepEqual([nothing.status, nothing.body.toString()], [200, ''])
  assert.equal(nothing.headers.get('x-svc-routing-reason'), 'No speech was found in the recording.')
  const translated = await world.post('/v1/audio/translations', form('file', body, { model }))
  assert.equal(translated.status, 409, translated.body.toString())
  assert.match(translated.json().detail.message, /German to English.*translates speech itself, such as small or base/)
})

test('the words of each window of Whisper reach the client of a stream and the followers of a job', async (t) => {
  const dataDir = temporaryFolder(t)
  const chain = [stamp(0), 'Ġhello', 'Ġworld', stamp(14), stamp(14.02), 'Ġagain', stamp(29.9), '<|endoftext|>']
  const planted = [...plantedWhisper(t, { chain })].map(([name, path]): [string, Buffer] => [name, readFileSync(path)])
  placeModel(join(dataDir, 'local-agent/models'), 'faster-whisper', 'tiny', Object.fromEntries(planted))
  const world = await openWorld(t, { env: { STUDIO_DATA_DIR: dataDir } })
  const model = 'faster-whisper'
  // Speech of more than two windows.
  const input = Array.from({ length: 12 }, () => SAID).join(' ')
  const { body } = await world.post('/v1/audio/speech', { input, voice: 'rms', response_format: 'wav' })
  const stream = await clientOf(world).audio.transcriptions.create({ model, file: await toFile(body, 'long.wav'), stream: true })
  const deltas: string[] = []
  let done = ''
  for await (const event of stream) {
    if (event.type === 'transcript.text.delta') deltas.push(event.delta)
    if (event.type === 'transcript.text.done') done = event.text
  }
  const whole = (await world.post('/v1/audio/transcriptions', form('file', body, { model }))).json().text
  assert.ok(deltas.length >= 3, `${deltas.length} deltas`)
  // All words of a window, not those of one of its segments.
  assert.deepEqual(deltas.slice(0, 2), ['hello world again', ' hello world again'])
  assert.deepEqual([deltas.join(''), done], [whole, whole])

  const { client } = await connectMcp(t, world)
  const seen: string[] = []
  const call = { name: 'transcribe', arguments: { audio_base64: body.toString('base64') } }
  await client.callTool(call, undefined, { onprogress: ({ message }) => seen.push(message ?? '') })
  assert.equal(seen.join(''), whole)

  const prefer = { prefer: 'respond-async' }
  const { id } = (await world.send('POST', '/v1/audio/transcriptions', form('file', body, { model }), prefer)).json()
  const followed = (await world.get(`/tasks/stream/${id}`)).body.toString()
  const events: { type: string; part: number; at: number; delta: string }[] = followed
    .split('\n')
    .flatMap((line) => (line.startsWith('data: ') ? [JSON.parse(line.slice('data: '.length))] : []))
  const pieces = events.filter(({ type }) => type === 'transcript.text.delta')
  assert.ok(pieces.length >= 3, followed)
  let text = ''
  for (const { part, at, delta } of pieces) {
    assert.equal(part, 0)
    text = text.slice(0, at) + delta
  }
  assert.equal(text, whole)
  await allEnded(world)
})

test('clean-audio removes noise on a real agent and keeps the speech', async (t) => {
  const world = await open()
  const { body } = await world.post('/v1/audio/speech', { input: SAID, voice: 'rms', response_format: 'wav' })
  const { samples: speech, sampleRate: rate } = parseWav(body)
  const lead = 3 * rate
  const noise = seeded(7).unit
  const speechLevel = levelDb(speech)
  // 20 dB below the speech, before, during and after it.
  const amplitude = 10 ** ((speechLevel - 20) / 20) * Math.sqrt(3)
  const noisy = Float32Array.from(
    { length: speech.length + 2 * lead },
    (_, at) => (speech[at - lead] ?? 0) * 0.9 + amplitude * (2 * noise() - 1),
  )
  const wav = Buffer.concat([wavHeader({ sampleRate: rate, channels: 1, samples: noisy.length }), toS16(noisy)])
  const reply = await world.post('/clean-audio', form('audio', wav))
  assert.equal(reply.status, 200, reply.body.toString().slice(0, 300))
  assert.equal(reply.headers.get('x-clean-conversion'), null, reply.headers.get('x-svc-routing-reason') ?? '')
  const { samples: clean, sampleRate } = parseWav(reply.body)
  assert.equal(sampleRate, 24_000)
  assert.ok(Math.abs(clean.length / sampleRate - noisy.length / rate) < 0.05)
  const part = (samples: Float32Array, hz: number, from: number, to: number) => levelDb(samples.subarray(from * hz, to * hz))
  const end = 3 + speech.length / rate
  for (const [from, to] of [
    [1.5, 2.8],
    [end + 1, end + 2.5],
  ] as const) {
    const [before, after] = [part(noisy, rate, from, to), part(clean, sampleRate, from, to)]
    t.diagnostic(`the noise went from ${before.toFixed(1)} to ${after.toFixed(1)} dBFS`)
    assert.ok(after < before - 15, `the noise went from ${before} to ${after} dBFS`)
  }
  const [before, after] = [part(noisy, rate, 3, end), part(clean, sampleRate, 3, end)]
  assert.ok(Math.abs(after - before) < 4, `the speech went from ${before} to ${after} dBFS`)
})

test('the studio transcribes its own speech', { skip }, async () => {
  const world = await open()
  const speech = { input: SAID, voice: 'rms', response_format: 'wav' }
  const { body: wav } = await world.post('/v1/audio/speech', speech)
  const client = clientOf(world)
  const transcript = await client.audio.transcriptions.create({ file: await toFile(wav, 'speech.wav'), model: 'whisper-1' })
  const words = plainWords(SAID)
  assert.ok(wordErrors(words, plainWords(transcript.text)) <= 0.15 * words.length, transcript.text)

  const native = await world.post('/transcribe', form('audio', wav, { mode: 'accurate', refine: '1', language: 'Auto' }))
  assert.equal(native.status, 200, native.body.toString())
  const answer = native.json()
  assert.deepEqual(Object.keys(answer).sort(), ['duration_s', 'engine', 'language', 'segments', 'text', 'transcription_time_s'])
  assert.deepEqual([answer.engine, answer.language], ['pocketsphinx', 'en'])
  assert.match(answer.text, /^She .*\.$/)
  assert.match(native.headers.get('x-svc-routing-reason')!, /not refined: no language model/)

  // The requests below are about headers, and a short sentence is recognised faster.
  const { body: brief } = await world.post('/v1/audio/speech', { ...speech, input: 'Good morning.' })
  const named = await world.post('/v1/audio/transcriptions', form('file', brief, { model: 'faster-whisper' }))
  assert.deepEqual([named.status, named.json().error.code], [409, 'model_not_downloaded'], 'no other recogniser answers for a named one')
  const prompted = await world.post('/v1/audio/transcriptions', form('file', brief, { model: 'whisper-1', prompt: 'bread, milk' }))
  assert.deepEqual(
    [prompted.headers.get('x-svc-routing'), prompted.headers.get('x-svc-routing-reason')],
    ['notice', 'pocketsphinx does not support a prompt.'],
  )
  const german = await world.post('/v1/audio/transcriptions', form('file', brief, { language: 'de' }))
  assert.equal(german.status, 200, german.body.toString())
  assert.deepEqual(german.json(), prompted.json(), 'a language selects no engine')
  assert.equal(german.headers.get('x-svc-routing-reason'), 'pocketsphinx does not support "de". The language was ignored.')
  const automatic = await world.post('/v1/audio/transcriptions', form('file', brief, { language: 'auto' }))
  assert.deepEqual([automatic.status, automatic.headers.get('x-svc-routing')], [200, null])
})

test('a client that disconnects cancels the task', { skip }, async () => {
  const world = await open()
  const noise = Buffer.from(Uint8Array.from({ length: 16_000_000 }, (_, at) => Math.imul(at, 2_654_435_761) >>> 24))
  const long = Buffer.concat([wavHeader({ sampleRate: 16_000, channels: 1, samples: 8_000_000 }), noise])
  const abort = new AbortController()
  const pending = world.post('/v1/audio/transcriptions', form('file', long), abort.signal)
  pending.catch(() => {})
  const state = async () => (await world.get('/workers/tasks?limit=1')).json().tasks[0]?.state as string | undefined
  await eventually(async () => (await state()) === 'running')
  abort.abort()
  await assert.rejects(pending)
  await eventually(async () => (await state()) === 'cancelled')
  await eventually(() => leftovers(world).length === 0)
})
