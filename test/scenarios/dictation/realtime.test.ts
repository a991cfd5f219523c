// `/v1/realtime` through the real studio: the official client, the messages of LiveKit, and clients that misbehave.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { behindTls, connectRealtime, createEventList, type ServerEvent } from '#test/support/clients/realtime-client.ts'
import { pythonWith, runPython } from '#test/support/python/python-packages.ts'
import { tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld } from '#test/support/world/world.ts'
import { embeddedSpeech } from './live-client.ts'

const found = await pythonWith(['livekit-agents==1.8.9', 'livekit-plugins-openai==1.8.9'])
const open = sharedWorld({ remote: true })
const TEXT = 'This is a test recording.'
const SAID = 'She bought some bread and milk at the store.'
const silence = (seconds: number) => Buffer.alloc(seconds * 48_000)
const COMPLETED = 'conversation.item.input_audio_transcription.completed'
const typesOf = (events: readonly ServerEvent[]) =>
  events.map(({ type }) => type.replace('conversation.item.input_audio_transcription', '…'))
const TURN = [
  'input_audio_buffer.speech_started',
  'input_audio_buffer.speech_stopped',
  'input_audio_buffer.committed',
  'conversation.item.added',
  'conversation.item.done',
  '….delta',
  '….completed',
]

test('the official client gets the texts of two turns', async (t) => {
  const world = await open()
  const speech = await embeddedSpeech(world, SAID)
  const client = new OpenAI({ baseURL: `${await behindTls(t, world)}/v1`, apiKey: 'sk-local' })
  const realtime = new OpenAIRealtimeWS({ intent: 'transcription', options: { rejectUnauthorized: false } }, client)
  const closed = new Promise<void>((resolve) => realtime.socket.on('close', () => resolve()))
  const events = createEventList(closed)
  realtime.on('event', (event) => events.add(event as ServerEvent))
  realtime.on('error', (error) => events.add({ type: 'failed', event_id: '', error }))
  const { session } = await events.next('session.created')
  assert.equal(session.type, 'transcription')
  realtime.send({
    type: 'session.update',
    session: {
      type: 'transcription',
      audio: {
        input: {
          format: { type: 'audio/pcm', rate: 24_000 },
          transcription: { model: 'tone', language: 'en' },
          turn_detection: { type: 'server_vad', silence_duration_ms: 400 },
        },
      },
    },
  })
  const updated = (await events.next('session.updated')).session.audio.input
  assert.deepEqual(updated, {
    format: { type: 'audio/pcm', rate: 24_000 },
    transcription: { model: 'tone', language: 'en', prompt: '' },
    turn_detection: { type: 'server_vad', threshold: 0.5, prefix_padding_ms: 300, silence_duration_ms: 400 },
    noise_reduction: null,
  })
  const sound = Buffer.concat([silence(1), speech, silence(2), speech, silence(2)])
  for (let at = 0; at < sound.length; at += 9_600)
    realtime.send({ type: 'input_audio_buffer.append', audio: sound.subarray(at, at + 9_600).toString('base64') })
  const first = await events.next(COMPLETED)
  const second = await events.next(COMPLETED)
  for (const { transcript, languages, usage } of [first, second]) {
    assert.equal(transcript, TEXT)
    assert.deepEqual(languages, [{ code: 'en' }])
    assert.ok(Math.abs(usage!.seconds - speech.length / 48_000) < 2, `${usage!.seconds} s`)
  }
  realtime.close()
  await closed

  const ofItem = (id: string) => events.received.filter(({ item_id, item }) => (item_id ?? item?.id) === id)
  for (const { item_id } of [first, second]) assert.deepEqual(typesOf(ofItem(item_id!)), TURN)
  const started = events.received.filter(({ type }) => type === TURN[0]).map(({ audio_start_ms }) => audio_start_ms!)
  assert.ok(started[0]! > 200 && started[0]! < 1_500, `${started} ms: the silence before the words counts`)
  const committed = events.received.filter(({ type }) => type === TURN[2])
  assert.deepEqual(
    committed.map(({ previous_item_id }) => previous_item_id),
    [null, first.item_id],
  )
  const ids = events.received.map(({ event_id }) => event_id)
  assert.equal(new Set(ids).size, ids.length)
})

test('without turns the client commits, clears, and hears of its mistakes', async () => {
  const world = await open()
  const speech = await embeddedSpeech(world, SAID)
  const client = await connectRealtime(world)
  await client.next('session.created')
  await client.send({ type: 'session.update', session: { type: 'transcription', audio: { input: { turn_detection: null } } } })
  assert.equal((await client.next('session.updated')).session.audio.input.turn_detection, null)
  await client.send({ type: 'input_audio_buffer.commit', event_id: 'mine' })
  const { error } = await client.next('error')
  assert.deepEqual([error.type, error.code, error.event_id], ['invalid_request_error', 'input_audio_buffer_commit_empty', 'mine'])
  await client.speak(speech)
  await client.send({ type: 'input_audio_buffer.clear' })
  await client.next('input_audio_buffer.cleared')
  await client.send({ type: 'input_audio_buffer.commit' })
  assert.equal((await client.next('error')).error.code, 'input_audio_buffer_commit_empty', 'the sound is gone')
  await client.speak(speech)
  await client.send({ type: 'input_audio_buffer.commit' })
  assert.equal((await client.next(COMPLETED)).transcript, TEXT)

  const refusals: readonly (readonly [unknown, RegExp])[] = [
    ['no JSON', /not a JSON object with a type/],
    ['[]', /not a JSON object with a type/],
    [{ type: 'response.create' }, /'response\.create' are not served/],
    [{ type: 'input_audio_buffer.append' }, /The field audio is invalid/],
    [{ type: 'input_audio_buffer.append', audio: '****' }, /not valid base64/],
    [{ type: 'input_audio_buffer.append', audio: 'A'.repeat(600_000) }, /The field audio is invalid/],
    [{ type: 'session.update', session: { type: 'realtime' } }, /session\.type is invalid/],
    [
      { type: 'session.update', session: { type: 'transcription', audio: { input: { turn_detection: { type: 'magic' } } } } },
      /turn_detection/,
    ],
    [
      { type: 'session.update', session: { type: 'transcription', audio: { input: { format: { type: 'audio/pcm', rate: 8_000 } } } } },
      /rate/,
    ],
  ]
  for (const [event, sentence] of refusals) {
    await client.send(event)
    const { error: refused } = await client.next('error')
    assert.match(refused.message, sentence)
    assert.equal(refused.type, 'invalid_request_error')
  }
  await client.speak(speech)
  await client.send({ type: 'input_audio_buffer.commit' })
  assert.equal((await client.next(COMPLETED)).transcript, TEXT, 'the session goes on')
  client.socket.close(1000, '')
  await client.closed
})

test('the older form of a session, G.711, and a turn that is longer than a recogniser reads at once', async () => {
  const world = await open()
  const speech = await embeddedSpeech(world, SAID)
  const client = await connectRealtime(world, 'intent=transcription')
  const session = { input_audio_format: 'g711_ulaw', input_audio_transcription: { model: 'tone' }, turn_detection: null }
  await client.send({ type: 'transcription_session.update', session })
  assert.deepEqual((await client.next('session.updated')).session.audio.input.format, { type: 'audio/pcmu' })
  // Every third sample of 24 kHz, logarithmic.
  const samples = Array.from({ length: Math.floor(speech.length / 6) }, (_, at) => speech.readInt16LE(at * 6))
  await client.speak(Buffer.from(samples.map(muLaw)), 400)
  await client.send({ type: 'input_audio_buffer.commit' })
  const heard = await client.next(COMPLETED)
  assert.equal(heard.transcript, TEXT)
  assert.ok(Math.abs(heard.usage!.seconds - speech.length / 48_000) < 0.3, `${heard.usage!.seconds} s`)

  await client.send({ type: 'transcription_session.update', session: { ...session, input_audio_format: 'pcm16' } })
  const long = Buffer.concat(Array.from({ length: Math.ceil(30 / (speech.length / 48_000)) }, () => speech))
  await client.speak(long, 96_000)
  await client.send({ type: 'input_audio_buffer.commit' })
  assert.ok((await client.next(COMPLETED)).transcript!.startsWith(TEXT.slice(0, -1)))
  client.socket.terminate()
})

test('a missing model, an unknown one and another intent end the session with a reason', async () => {
  const world = await open()
  const refused = async (query: string, model?: string) => {
    const client = await connectRealtime(world, query)
    if (model !== undefined)
      await client.send({ type: 'session.update', session: { type: 'transcription', audio: { input: { transcription: { model } } } } })
    const [code] = await client.closed
    return [code, client.received.find(({ type }) => type === 'error')?.error.code] as const
  }
  assert.deepEqual(await refused('intent=transcription', 'nonsense'), [1000, 'model_not_found'])
  assert.deepEqual(await refused('intent=transcription', 'sherpa-zipformer-zh-14m'), [1000, 'asr_model_missing'])
  assert.deepEqual(await refused('intent=conversation'), [1013, undefined])
})

test('a client that leaves cancels its recognition', async (t) => {
  const world = await open()
  const speech = await embeddedSpeech(world, SAID)
  const client = await connectRealtime(world)
  await client.send({ type: 'session.update', session: { type: 'transcription', audio: { input: { turn_detection: null } } } })
  await client.next('session.updated')
  slowHosts(t, world.studio)
  await client.speak(speech)
  await client.send({ type: 'input_audio_buffer.commit' })
  await client.next('input_audio_buffer.committed')
  client.socket.terminate()
  await eventually(async () => (await tasksOf(world)).every(({ state }) => ['completed', 'cancelled', 'failed', 'timeout'].includes(state)))
})

test('the plugin of LiveKit Agents speaks and listens', { skip: 'skip' in found ? found.skip : false }, async () => {
  assert.ok('python' in found)
  const { url } = await open()
  const printed = await runPython(found.python, join(import.meta.dirname, 'livekit-client.py'), [url])
  assert.deepEqual(JSON.parse(printed), {
    speech: [24_000, 1, true],
    text: TEXT,
    language: 'en',
    events: ['start_of_speech', 'end_of_speech', 'final_transcript'],
  })
})

/** ITU-T G.711. */
function muLaw(sample: number): number {
  const size = Math.min(32_635, Math.abs(sample)) + 132
  const exponent = 31 - Math.clz32(size) - 7
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | ((size >> (exponent + 3)) & 0x0f)) & 0xff
}
