// The Wyoming port of a real studio: what Home Assistant sends, who is refused, and clients that misbehave.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { INVALID_SETTINGS } from '#shared/protocol/settings.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { plainWords, wordErrors } from '#test/support/audio/words.ts'
import { slowHosts } from '#test/support/chaos/slow-hosts.ts'
import { connectWyoming, soundOf } from '#test/support/clients/wyoming-client.ts'
import { pythonWith, runPython } from '#test/support/python/python-packages.ts'
import { startProgram } from '#test/support/world/process.ts'
import { tasksOf } from '#test/support/world/tasks.ts'
import { eventually, sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const found = await pythonWith(['wyoming==1.10.2'])
const open = sharedWorld({ env: { STUDIO_WYOMING_PORT: '0' }, remote: true })
const RECOGNISER = 'pocketsphinx'
const hasRecogniser = findProgram('pocketsphinx_continuous', process.env['PATH']) !== null
const withoutRecogniser = !hasRecogniser && `${RECOGNISER} is not on this machine; ./studio setup installs it`
const TEXT = 'Good morning. The meeting starts at nine.'
const RATE = 24_000
const FORMAT = { rate: RATE, width: 2, channels: 1 }

async function portOf(world: Awaited<ReturnType<typeof open>>): Promise<number> {
  const [, port] = await world.studio.says(/"port":(\d+)[^\n]*the Wyoming port is open/)
  return Number(port)
}
const connect = async (localAddress?: string) => connectWyoming(await portOf(await open()), localAddress)
function assertHeard(text: unknown): void {
  const expected = plainWords(TEXT)
  assert.ok(wordErrors(expected, plainWords(String(text))) / expected.length <= 0.5, String(text))
}
const seconds = (sound: Buffer): number => sound.length / 2 / RATE

test('describe lists the voices and the recogniser, and ping is answered', async () => {
  const client = await connect()
  client.send('select-program', { name: 'voice-studio' })
  client.send('ping', { text: 'hello' })
  client.send('describe')
  const { data } = await client.until('info')
  const { tts, asr } = data as Record<'tts' | 'asr', any>
  assert.deepEqual((await client.until('pong')).data, { text: 'hello' })
  assert.equal(tts[0].supports_synthesize_streaming, true)
  const [first, ...voices] = tts[0].voices
  assert.equal(first.name, 'default')
  assert.ok(first.languages.includes('en'), String(first.languages))
  assert.ok(voices.length > 0 && voices.every(({ installed, languages }: any) => installed && languages.length > 0))
  assert.deepEqual(
    asr.map(({ models }: any) => [models[0].name, models[0].languages.includes('en')]),
    hasRecogniser ? [[RECOGNISER, true]] : [],
  )
  client.leave()
})

test('a text is one sound, whole or in chunks', async () => {
  const client = await connect()
  client.send('synthesize', { text: TEXT, voice: { name: 'default' } })
  await client.until('audio-stop')
  const types = client.received.map(({ type }) => type)
  assert.equal(types[0], 'audio-start')
  assert.deepEqual(client.received[0]!.data, { ...FORMAT, timestamp: 0 })
  assert.ok(types.slice(1, -1).every((type) => type === 'audio-chunk'))
  const sound = soundOf(client)
  assert.ok(seconds(sound) > 1 && seconds(sound) < 15, `${seconds(sound)} s`)

  const streaming = await connect()
  streaming.send('synthesize-start', { voice: { language: 'en' } })
  for (const text of ['Good mor', 'ning. The', ' meeting ', 'starts at nine.']) streaming.send('synthesize-chunk', { text })
  streaming.send('synthesize', { text: TEXT })
  streaming.send('synthesize-stop')
  await streaming.until('synthesize-stopped')
  const counted = (wanted: string) => streaming.received.filter(({ type }) => type === wanted).length
  assert.deepEqual([counted('audio-start'), counted('audio-stop'), counted('synthesize-stopped')], [1, 1, 1])
  assert.ok(Math.abs(seconds(soundOf(streaming)) - seconds(sound)) < 1, 'the repeated text is not spoken again')

  for (const each of [client, streaming]) each.leave()
})

test('what is spoken is recognised', { skip: withoutRecogniser }, async () => {
  const client = await connect()
  client.send('synthesize', { text: TEXT })
  await client.until('audio-stop')
  const sound = soundOf(client)
  client.send('transcribe', { language: 'en' })
  client.send('audio-start', { ...FORMAT, timestamp: 0 })
  for (let at = 0; at < sound.length; at += 2_047) client.send('audio-chunk', FORMAT, sound.subarray(at, at + 2_047))
  client.send('audio-stop')
  const { data } = await client.until('transcript')
  assertHeard(data['text'])
  assert.equal(data['language'], 'en')
  // Clients that send no audio-start, a text without a word, and a recording without a sample.
  const more = await connect()
  more.send('audio-chunk', FORMAT, sound)
  more.send('audio-stop')
  assertHeard((await more.until('transcript')).data['text'])
  const empty = await connect()
  empty.send('synthesize', { text: ' ... ' })
  empty.send('audio-start', FORMAT)
  empty.send('audio-stop')
  assert.equal((await empty.until('transcript')).data['text'], '')
  assert.equal(soundOf(empty).length, 0)
  for (const each of [client, more, empty]) each.leave()
})

test('a client that closes its own side still gets what it asked for', async () => {
  const client = await connect()
  client.send('describe')
  client.socket.end()
  await client.until('info')
  await client.closed
})

test('a client that leaves cancels its work', async (t) => {
  const world = await open()
  slowHosts(t, world.studio)
  const client = await connect()
  client.send('synthesize', { text: 'word '.repeat(700) })
  const task = await eventually(async () => (await tasksOf(world)).find(({ state }) => state === 'running'))
  client.leave()
  await eventually(async () => (await tasksOf(world)).find(({ task_id }) => task_id === task.task_id)?.state === 'cancelled')
})

test('hostile frames end their connection with a sentence, and no other one', async () => {
  const steady = await connect()
  const refusals: readonly (readonly [string, RegExp])[] = [
    ['POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n{"type":"describe"}\n', /cannot be read/],
    ['{"type":"audio-chunk","payload_length":99999999999999}\n', /payload_length is invalid/],
    ['{"type":"synthesize","data_length":9}\nnot json!', /data of an event is not a JSON object/],
    [`{"type":"${'x'.repeat(80_000)}`, /longer than 64 KiB/],
    ['{"type":"synthesize","data":{"text":7}}\n', /The field text of synthesize is invalid/],
    ['{"type":"synthesize"}\n', /The field text of synthesize is invalid/],
    ['{"type":"synthesize-stop"}\n', /needs a synthesize-start/],
    ['{"type":"audio-start","data":{"rate":1,"width":2,"channels":1}}\n', /The field rate of audio-start/],
    ['{"type":"audio-start","data":{"rate":16000,"width":4,"channels":1}}\n', /The field width of audio-start/],
    ['{"type":"audio-chunk","data":{},"payload_length":2}\nxx', /The field rate of audio-start/],
  ]
  for (const [bytes, sentence] of refusals) {
    const client = await connect()
    client.sendBytes(bytes)
    const { data } = await client.until('error')
    assert.match(String(data['text']), sentence, bytes.slice(0, 60))
    assert.equal(data['code'], 'bad_request')
    await client.closed
  }
  // Half of an event, and unknown events with bytes, harm no one.
  const half = await connect()
  half.sendBytes('{"type":"ping","data_length":10}\n{"te')
  half.leave()
  steady.send('unknown', { a: 1 }, Buffer.alloc(1000))
  steady.send('ping')
  await steady.until('pong')
  steady.leave()
})

test('a recording is limited, and so are the connections of one address', async () => {
  const client = await connect()
  client.send('audio-start', FORMAT)
  const megabyte = Buffer.alloc(1024 * 1024)
  for (let sent = 0; sent <= 16; sent++) client.send('audio-chunk', FORMAT, megabyte)
  const { data } = await client.until('error')
  assert.match(String(data['text']), /at most 16 MiB/)
  await client.closed

  const all = await Promise.all(Array.from({ length: 16 }, () => connect('127.0.0.9')))
  for (const each of all) each.send('ping')
  await Promise.all(all.map((each) => each.until('pong')))
  const refused = await connect('127.0.0.9')
  assert.equal((await refused.until('error')).data['code'], 'queue_full')
  const other = await connect('127.0.0.8')
  other.send('ping')
  await other.until('pong')
  for (const each of [...all, refused, other]) each.leave()
  await eventually(async () => {
    const again = await connect('127.0.0.9')
    again.send('ping')
    const isServed = await again.until('pong').then(
      () => true,
      () => false,
    )
    again.leave()
    return isServed
  })
})

test('without a list no other machine is served, and in server mode not even this one', async (t) => {
  const refused = async (env: Record<string, string>) => {
    const program = startProgram(t, ['control-plane/main.ts'], { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_PORT: '0', ...env })
    assert.equal(await program.ended, INVALID_SETTINGS)
    return program.output()
  }
  const port = { STUDIO_WYOMING_PORT: '10300' }
  assert.match(await refused({ ...port, STUDIO_WYOMING_HOST: '0.0.0.0' }), /STUDIO_WYOMING_NETWORKS must name them/)
  assert.match(
    await refused({ ...port, STUDIO_WYOMING_HOST: '0.0.0.0', STUDIO_WYOMING_NETWORKS: '0.0.0.0/0' }),
    /a network of all addresses is not allowed/,
  )
  const key = { STUDIO_SERVER_MODE: '1', STUDIO_API_KEY: 'Zk3vQ9xT7pLw2RbN8sYd4HcJ6mGf1AeU' }
  assert.match(await refused({ ...port, ...key }), /in server mode no sender counts as local/)

  const open = { ...key, STUDIO_WYOMING_PORT: '0', STUDIO_WYOMING_NETWORKS: '127.0.0.7/32' }
  const studio = startProgram(t, ['--import', './test/support/starting/without-agent.ts', 'control-plane/main.ts'], {
    STUDIO_DATA_DIR: temporaryFolder(t),
    STUDIO_PORT: '0',
    ...open,
  })
  const [, given] = await studio.says(/"port":(\d+)[^\n]*the Wyoming port is open/)
  const named = await connectWyoming(Number(given), '127.0.0.7')
  named.send('ping')
  await named.until('pong')
  // A client stores what it was told first, so it is told nothing before an engine is there.
  named.send('describe')
  assert.equal((await named.until('error')).data['code'], 'not_ready')
  const stranger = await connectWyoming(Number(given))
  stranger.send('ping')
  await stranger.closed
  assert.deepEqual(stranger.received, [])
  const busy = await refusedPort(t, Number(given))
  assert.match(busy, /The Wyoming port 127\.0\.0\.1:\d+ cannot be opened: another program uses it\. Choose another STUDIO_WYOMING_PORT\./)
  // Open connections do not hold up the stop.
  const idle = await connectWyoming(Number(given), '127.0.0.7')
  assert.equal(await studio.end(), 0)
  await idle.closed
})

async function refusedPort(t: Parameters<typeof startProgram>[0], port: number): Promise<string> {
  const env = { STUDIO_DATA_DIR: temporaryFolder(t), STUDIO_PORT: '0', STUDIO_WYOMING_PORT: String(port) }
  const program = startProgram(t, ['--import', './test/support/starting/without-agent.ts', 'control-plane/main.ts'], env)
  assert.equal(await program.ended, 1)
  return program.output()
}

test('the client of Home Assistant', { skip: 'skip' in found ? found.skip : withoutRecogniser }, async () => {
  assert.ok('python' in found)
  const port = await portOf(await open())
  const printed = JSON.parse(await runPython(found.python, join(import.meta.dirname, 'wyoming-client.py'), [String(port)]))
  const { voices, transcript, ...rest } = printed
  assertHeard(transcript)
  assert.ok(voices.includes('default') && voices.length > 1)
  assert.deepEqual(rest, {
    pong: 'are you there',
    tts: [['voice-studio', true, true]],
    asr: [['voice-studio', [RECOGNISER]]],
    english: true,
    spoken: [true, true, [[RATE, 2, 1]]],
    streamed: [1, 1, true],
  })
})
