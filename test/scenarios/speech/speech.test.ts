// POST /v1/audio/speech: measured audio quality, and the guarantees of the route.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { detectMark } from '#shared/audio/mark/mark-detect.ts'
import { parseWav } from '#shared/audio/wav.ts'
import { bandShare, fromPcm, levelDb, longestSilence, peakDb } from '#test/support/audio/sound.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'

const TEXT = 'Good morning. This is the voice of the studio, speaking two sentences.'
const FIFTEEN_SECONDS = Array.from({ length: 4 }, () => 'The quick brown fox jumps over the lazy dog while the band plays on.').join(' ')
/** Rate of pcm, for every engine. */
const RATE = 24_000

const open = sharedWorld({ remote: true })

test('speech', async (t) => {
  const world = await open()
  const speak = (fields: Record<string, unknown>, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    world.send('POST', '/v1/audio/speech', { input: TEXT, response_format: 'pcm', ...fields }, headers, signal)
  const samplesOf = async (fields: Record<string, unknown> = {}) => {
    const reply = await speak(fields)
    assert.equal(reply.status, 200, reply.body.toString())
    return fromPcm(reply.body)
  }
  const newestTask = async () => (await world.get('/workers/tasks?limit=1')).json().tasks[0]

  await t.test('has the specified level, no gaps, and the spectrum of a voice', async () => {
    const samples = await samplesOf()
    assert.ok(peakDb(samples) > -8 && peakDb(samples) < -1.9, `peak ${peakDb(samples)} dBFS`)
    const level = levelDb(samples)
    assert.ok(level > -28 && level < -10, `level ${level} dBFS`)
    assert.ok(longestSilence(samples, RATE) < 1, `${longestSilence(samples, RATE)} s without a sound`)
    const voice = bandShare(samples, RATE, 80, 4000)
    assert.ok(voice > 0.9, `${voice} of the energy where voices are`)
    const narrow = Math.max(...[100, 200, 400, 800, 1600].map((hz) => bandShare(samples, RATE, hz, hz * 1.1)))
    assert.ok(narrow < 0.5, `a tone, not a voice: ${narrow} in a tenth of an octave`)
  })

  await t.test('a pause marker is silence of that length, also before the first word', async () => {
    const tone = async (input: string, more: Record<string, unknown> = {}) => (await samplesOf({ model: 'tone', input, ...more })).length
    const plain = await tone('Aaaabbbb')
    assert.equal(await tone('Aaaa[pause 250ms]bbbb'), plain + 0.25 * RATE)
    assert.equal(await tone('[pause 2s] Aaaabbbb'), plain + 2 * RATE)
    assert.equal(await tone('[pause 2s] Aaaabbbb', { duration: 5 }), 5 * RATE)
    assert.equal((await speak({ input: '[pause]' })).status, 400)
    for (const input of ['a < b and b > c', '<speaker 1> Hello.', 'mark > 5'])
      assert.equal((await speak({ model: 'tone', input })).status, 200)
  })

  await t.test('SSML is spoken as it says, and what has no effect is said', async () => {
    const tone = async (input: string, more: Record<string, unknown> = {}) => {
      const reply = await speak({ model: 'tone', input, ...more })
      assert.equal(reply.status, 200, reply.body.toString())
      const header = (name: string) => reply.headers.get(name) ?? ''
      return { length: fromPcm(reply.body).length, notice: header('x-svc-notice'), reason: header('x-svc-routing-reason') }
    }
    const plain = await tone('Aaaabbbb')
    assert.equal((await tone('<speak>Aaaa<break time="250ms"/>bbbb</speak>')).length, plain.length + 0.25 * RATE)
    assert.equal((await tone('<speak><break time="2s"/> Aaaabbbb</speak>')).length, plain.length + 2 * RATE)
    assert.equal((await tone('Aaaa<break time="250ms"/>bbbb', { text_format: 'ssml' })).length, plain.length + 0.25 * RATE)
    assert.equal((await tone('<speak><sub alias="Aaaabbbb">x</sub></speak>')).length, plain.length)
    assert.ok((await tone('<speak>Aaaa</speak>', { text_format: 'text' })).length > plain.length, 'the markup is read')
    const half = await tone('<speak><prosody rate="50%">Aaaabbbb</prosody></speak>')
    const slow = await tone('Aaaabbbb', { speed: 0.5 })
    assert.equal(half.length, slow.length)
    const mixed = await tone('<speak xml:lang="en"><x:y/>Aaaa <prosody rate="slow" pitch="high">bbbb</prosody><mark name="m"/></speak>')
    for (const part of [/not part of SSML 1.1: x:y/, /follows the pitch/, /one speed/, /Marks are sent/]) assert.match(mixed.notice, part)
    const missing = await tone('<speak><voice name="noname">Aaaa</voice></speak>', { voice: 'tone' })
    assert.match(missing.reason, /noname/, 'the voice of SSML wins')
    for (const [input, why] of [
      ['Hello <break time="1s"/> you.', /does not begin with <speak>.*text_format/],
      ['<prosody rate="slow">Hello', /does not begin with <speak>/],
      ['<speak>Hello', /XML is damaged/],
      ['<!DOCTYPE speak [<!ENTITY a "b">]><speak>&a;</speak>', /Remove the DOCTYPE/],
      ['<speak><audio src="http://127.0.0.1/a.mp3"/></speak>', /<audio>/],
      ['<speak><break/></speak>', /nothing that can be spoken/],
    ] as const) {
      const reply = await speak({ model: 'tone', input })
      assert.equal(reply.status, 400, input)
      assert.match(reply.body.toString(), why)
    }
    assert.equal((await speak({ model: 'tone', input: 'a', text_format: 'html' })).status, 400)
  })

  await t.test('marks are events with their times where speech is sent as events', async () => {
    const input = '<speak><mark name="start"/>Aaaa<break time="1s"/><mark name="second"/>bbbb<mark name="end"/></speak>'
    const eventsOf = async (headers: Record<string, string> = {}) => {
      const reply = await speak({ model: 'tone', input, stream_format: 'sse' }, headers)
      assert.equal(reply.status, 200, reply.body.toString())
      const events = reply.body
        .toString()
        .trim()
        .split('\n\n')
        .map((line) => JSON.parse(line.slice('data: '.length)))
      const samples = events.reduce((sum, { audio = '' }) => sum + Buffer.from(audio, 'base64').length / 2, 0)
      return { marks: events.filter(({ type }) => type === 'speech.audio.mark'), seconds: samples / RATE }
    }
    const key = { 'idempotency-key': 'marks' }
    for (const headers of [{}, key, key]) {
      const { marks, seconds } = await eventsOf(headers)
      const [start, second, end] = marks
      assert.deepEqual(
        marks.map(({ name }) => name),
        ['start', 'second', 'end'],
      )
      assert.equal(start.time, 0)
      assert.ok(second.time > 1 && second.time < seconds, `${second.time} of ${seconds} s`)
      assert.ok(Math.abs(end.time - seconds) < 0.01, `${end.time} of ${seconds} s`)
    }
  })

  await t.test('a duration that cannot be met is reported, apart from the substitute', async () => {
    const headersOf = async (fields: Record<string, unknown>) => (await speak({ input: 'One two three four five.', ...fields })).headers
    const late = await headersOf({ duration: 60, seed: 5 })
    assert.match(late.get('x-svc-notice')!, /The audio lasts \d+\.\d s\. The engine could not meet the requested duration of 60 s\./)
    assert.equal(late.get('x-svc-routing'), 'stand_in')
    assert.doesNotMatch(late.get('x-svc-routing-reason')!, /duration|seed/)
    assert.equal((await headersOf({ duration: 3, seed: 5 })).get('x-svc-notice'), null)
    const take = new FormData()
    for (const [name, value] of Object.entries({ text: 'One two three.', duration: '60', stream: 'true' })) take.set(name, value)
    const lines = (await world.send('POST', '/generate', take)).body.toString().trim().split('\n')
    assert.match(JSON.parse(lines.at(-1)!).notices.join(' '), /could not meet the requested duration of 60 s/)
    const [row] = (await world.get('/history')).json()
    assert.match(row.notice, /Heart.*duration of 60 s/)
    assert.equal(row.routing, 'stand_in')
    assert.equal((await world.delete('/history')).status, 200)
  })

  await t.test('speed and duration have the documented effect', async () => {
    const natural = (await samplesOf()).length
    // At four times the speed, the ends that are trimmed from a piece are shorter.
    for (const [speed, most] of [
      [0.5, 0.1],
      [2, 0.1],
      [4, 0.2],
    ] as const) {
      const { length } = await samplesOf({ speed })
      assert.ok(Math.abs((length * speed) / natural - 1) < most, `speed ${speed}: ${length} of ${natural} samples`)
    }
    const seconds = (await samplesOf({ duration: 6 })).length / RATE
    assert.ok(Math.abs(seconds / 6 - 1) < 0.05, `${seconds} s instead of 6`)
  })

  await t.test('the same request with the same seed gives the same bytes, in every built-in format', async () => {
    for (const response_format of ['pcm', 'wav', 'mp3']) {
      const [one, two] = [await speak({ seed: 7, response_format }), await speak({ seed: 7, response_format })]
      assert.ok(one.body.equals(two.body), response_format)
    }
  })

  await t.test('every voice is different and keeps its natural speed', async () => {
    const digests = new Set<string>()
    for (const voice of ['slt', 'rms', 'awb', 'kal', 'kal16']) {
      const reply = await speak({ voice, response_format: 'wav' })
      assert.doesNotMatch(reply.headers.get('x-svc-routing-reason') ?? '', /There is no voice/)
      const { samples, sampleRate } = parseWav(reply.body)
      const seconds = samples.length / sampleRate
      assert.ok(seconds > 3 && seconds < 7, `${voice}: ${seconds} s`)
      digests.add(createHash('sha256').update(reply.body).digest('hex'))
    }
    assert.equal(digests.size, 5)
  })

  await t.test('an alias, an unknown voice and no voice select the default voice; only the unknown one causes a notice', async () => {
    const plain = await speak({})
    for (const voice of ['default', '', 'alloy', 'echo', 'fable', 'nova', 'onyx', 'shimmer']) {
      const reply = await speak({ voice })
      assert.ok(reply.body.equals(plain.body), voice)
      assert.doesNotMatch(reply.headers.get('x-svc-routing-reason')!, /voice \w+ spoke/)
    }
    const other = await speak({ voice: 'unknown-\u00e4' })
    assert.equal(other.status, 200)
    assert.match(other.headers.get('x-svc-routing-reason')!, /There is no voice unknown-\?\. The default voice heart was used/)
    assert.equal(other.body.length, plain.body.length)
  })

  await t.test('words that the voice leaves out and instructions that it does not follow are told before the sound', async () => {
    const noticeOf = async (fields: Record<string, unknown>) => (await speak(fields)).headers.get('x-svc-notice') ?? ''
    assert.match(await noticeOf({ input: 'Say хорошо and さようなら to them.' }), /^2 words in another script were left out/)
    assert.match(await noticeOf({ instructions: 'Whisper.' }), /^The voice does not follow instructions/)
    assert.match(await noticeOf({ input: 'Say α.', description: 'old' }), /^1 word in another .* script\. The voice does not follow/)
    assert.equal(await noticeOf({ input: 'Café Łódź, 5 µm: naïve.' }), '')
    const exact = await noticeOf({ input: 'Say 好 to them.', duration: 4 })
    assert.equal(exact.split('1 word in another script').length, 2, 'said once where the result of the engine is awaited')
    const russian = await speak({ input: 'Say хорошо to her.', model: 'tone' })
    assert.equal(russian.headers.get('x-svc-notice'), null, 'a voice of any script')
  })

  await t.test('declares the embedded voice as a substitute', async () => {
    const { headers } = await speak({ model: 'tts-1-hd' })
    assert.equal(headers.get('x-svc-routing'), 'stand_in')
    assert.match(
      headers.get('x-svc-routing-reason')!,
      /^Using the voice Heart, because the model of the Voice Studio engine is not installed/,
    )
  })

  await t.test('WAV and FLAC have their true length; streamed formats have none', async () => {
    const wav = await speak({ response_format: 'wav' })
    assert.equal(wav.headers.get('content-length'), String(wav.body.length))
    assert.equal(wav.body.readUInt32LE(4), wav.body.length - 8)
    assert.equal(wav.body.readUInt32LE(40), wav.body.length - 44)
    assert.equal((await speak({ response_format: 'mp3' })).headers.get('content-length'), null)
    const flac = await speak({ response_format: 'flac' })
    if (flac.headers.get('content-type') !== 'audio/flac') return // without ffmpeg it is WAV
    assert.equal(flac.headers.get('content-length'), String(flac.body.length))
    const samples = (flac.body[21]! & 15) * 2 ** 32 + flac.body.readUInt32BE(22)
    assert.equal(samples, parseWav(wav.body).samples.length)
  })

  await t.test('carries the provenance mark of this studio', async () => {
    const key = readFileSync(join(world.dataDir, 'authority/provenance.key'))
    const samples = await samplesOf({ input: FIFTEEN_SECONDS })
    assert.ok(samples.length > 12 * RATE, `${samples.length / RATE} s`)
    const found = detectMark(samples, RATE, [new Uint8Array(32).fill(1), key])
    assert.equal(found.level, 'decoded', JSON.stringify(found))
    assert.equal(found.keyIndex, 1)
    const installation = createHash('sha256').update(key).digest().readUInt16BE(0) >>> 4
    assert.equal(Math.floor(found.payload! / 2 ** 20), installation)
  })

  await t.test('accepts the longest text and the whole range of every field', async () => {
    const word = 'word '.repeat(820)
    assert.equal((await speak({ input: word.slice(0, 4096), speed: 4 })).status, 200)
    const widest = {
      speed: 0.25,
      seed: Number.MAX_SAFE_INTEGER,
      num_step: 128,
      guidance_scale: 20,
      chunk_duration: 0,
      chunk_threshold: '1.5',
    }
    assert.equal((await speak({ input: 'Yes.', ...widest })).status, 200)
    const nothing = { language: null, description: null, instruct: null, duration: null, seed: null, num_step: null, guidance_scale: null }
    assert.equal((await speak({ input: 'Yes.', ...nothing, chunk_duration: null, unknown_to_us: 1 })).status, 200)
    for (const language of ['en', 'EN-gb', 'en_US']) assert.equal((await speak({ input: 'Yes.', language })).status, 200, language)
  })

  await t.test('an unavailable language or engine is refused with the reason', async () => {
    // espeak-ng would speak German if it is installed; Klingon is not among its languages under this tag.
    const klingon = await speak({ language: 'tlh' })
    assert.equal(klingon.status, 409)
    assert.match(klingon.json().detail, /English only.*"tlh"/)
    const absent = await speak({ model: 'voxcpm2' })
    assert.deepEqual([absent.status, /^Engine 'voxcpm2' is not available: /.test(absent.json().detail)], [409, true])
    const unknown = await speak({ model: 'zzz' })
    assert.equal(unknown.status, 404)
    assert.match(unknown.json().detail, /^Unknown model 'zzz'\. Use one of tts-1, tts-1-hd, gpt-4o-mini-tts, svc-engine/)
    assert.equal((await speak({ input: '...' })).status, 400)
  })

  await t.test('stores no take and no file', async () => {
    assert.deepEqual((await world.get('/history')).json(), [])
  })

  await t.test('a client that disconnects cancels its task, before and after the first audio', async (t) => {
    slowHosts(t, world.studio)
    const input = 'word '.repeat(800)
    const early = new AbortController()
    const waiting = speak({ input, response_format: 'wav' }, {}, early.signal) // WAV is sent when it is complete
    waiting.catch(() => {})
    const running = await eventually(async () => {
      const task = await newestTask()
      return task?.state === 'running' && task
    })
    early.abort()
    await assert.rejects(waiting)
    await eventually(async () => (await newestTask()).task_id === running.task_id && (await newestTask()).state === 'cancelled')

    const late = new AbortController()
    const response = await fetch(`${world.url}/v1/audio/speech`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input, response_format: 'pcm' }),
      signal: late.signal,
    })
    await response.body!.getReader().read()
    const { task_id } = await newestTask()
    assert.notEqual(task_id, running.task_id)
    late.abort()
    await eventually(async () => (await newestTask()).state === 'cancelled')
  })

  await t.test('with an idempotency key the task survives the client, and a repeated request returns its result', async (t) => {
    const release = slowHosts(t, world.studio)
    const fields = { input: 'word '.repeat(200), response_format: 'wav' }
    const key = { 'idempotency-key': 'once' }
    const first = new AbortController()
    const waiting = speak(fields, key, first.signal)
    waiting.catch(() => {})
    const { task_id } = await eventually(async () => {
      const task = await newestTask()
      return task?.state === 'running' && task
    })
    first.abort()
    await assert.rejects(waiting)
    release()
    const again = await speak(fields, key)
    assert.equal(again.status, 200)
    const task = await newestTask()
    assert.deepEqual([task.task_id, task.state, task.attempts.length], [task_id, 'completed', 1])
    assert.ok((await speak(fields, key)).body.equals(again.body))
    assert.equal((await speak({ ...fields, input: 'Something else.' }, key)).status, 409)
    assert.equal((await speak(fields, { 'idempotency-key': 'x'.repeat(129) })).status, 400)
  })

  await t.test('with 200 waiting tasks the next one gets Retry-After, and everything works again once they are gone', async () => {
    const crowd = new AbortController()
    const params = { segments: [{ text: 'x' }], fault: { kind: 'slow', msPerChar: 60_000 } }
    const waiting = Array.from({ length: 210 }, () => world.task({ engine: 'tone', params }, crowd.signal).catch(() => null))
    await eventually(async () => (await world.get('/workers/tasks')).json().queue_depth === 200)
    const refused = await speak({})
    assert.equal(refused.status, 429)
    assert.deepEqual([refused.headers.get('retry-after'), refused.headers.get('x-svc-retryable')], ['30', 'true'])
    assert.match(refused.json().detail, /at most 200 places for waiting tasks/)
    crowd.abort()
    await Promise.all(waiting)
    await eventually(async () => (await speak({ input: 'Well.' })).status === 200)
  })
})
