// A client that takes what it can: requests, connections, memory and programs. The clients beside it, and the owner, are served as if it were not
// there, or nearly so; it is told what is full and that the share is its own.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { COMMANDS_AGENT } from '#shared/protocol/version.ts'
import { findProgram } from '#shared/runtime/program.ts'
import { pdf } from '../support/archive/pdf.ts'
import { spokenWav } from '../support/audio/spoken.ts'
import { neighbourAt, programsOf } from '../support/clients/neighbour.ts'
import { type Ending, signalIfAlive } from '../support/world/process.ts'
import { slowly } from '../support/world/tasks.ts'
import { eventually, openWorld, sharedWorld, type World } from '../support/world/world.ts'

const KEY = 'k7-one-key-of-several-people-0123456789'
const bearer = { authorization: `Bearer ${KEY}` }
const open = sharedWorld({ remote: true, env: { STUDIO_API_KEY: KEY } })

function clientsOf(t: Ending, world: World) {
  return {
    noisy: neighbourAt(t, world, '127.0.7.1', bearer),
    quiet: neighbourAt(t, world, '127.0.7.2', bearer),
    owner: neighbourAt(t, world, '127.0.0.1', { ...bearer, 'user-agent': COMMANDS_AGENT }),
  }
}
const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const depthOf = async (world: World): Promise<number> => (await world.get('/workers/tasks')).json().queue_depth
const statuses = (settled: readonly PromiseSettledResult<{ readonly status: number }>[]): number[] =>
  settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.status] : []))

const CHAPTER = Array.from({ length: 55 }, (_, at) => `Mile ${at + 1}: rain on the left bank, a heron, and the slow barge behind us.`).join(
  ' ',
)
const SAMPLES = 5
const ROUNDS = 6
/** A sentence beside the flood, in the time of a sentence without it. */
const MAX_TIMES = 3

test('a short sentence beside 150 long requests of another client takes at most three times as long as without them', async (t) => {
  const world = await openWorld(t, { remote: true, env: { STUDIO_API_KEY: KEY } })
  const { noisy, quiet } = clientsOf(t, world)
  const speak = (client: typeof quiet, input: string, response_format: string, signal?: AbortSignal) =>
    client.post('/v1/audio/speech', { input, response_format, voice: 'rms' }, signal)
  async function sentence(): Promise<number> {
    const from = performance.now()
    const { status, body } = await speak(quiet, 'Where does this path lead?', 'mp3')
    assert.equal(status, 200, body.toString().slice(0, 300))
    return performance.now() - from
  }
  async function sentences(): Promise<number> {
    const times: number[] = []
    while (times.length < SAMPLES) times.push(await sentence())
    return medianOf(times)
  }
  await sentence() // loads the voice

  const ratios: number[] = []
  let ended: number[] = []
  // What else the machine does disturbs a round, so it may be repeated. Without turns no sentence is answered before the flood has ended.
  while (ratios.length < ROUNDS && !ratios.some((ratio) => ratio <= MAX_TIMES)) {
    const before = await sentences()
    const stop = new AbortController()
    const flood = Array.from({ length: 150 }, (_, at) => speak(noisy, CHAPTER, at % 2 === 0 ? 'mp3' : 'wav', stop.signal))
    const settled = Promise.allSettled(flood)
    await eventually(async () => (await depthOf(world)) >= 100)
    const during = await sentences()
    assert.ok((await depthOf(world)) >= 50, 'the flood goes on')
    stop.abort()
    ended = statuses(await settled)
    const after = await sentences()
    ratios.push(during / ((before + after) / 2))
    t.diagnostic(`${Math.round(before)} and ${Math.round(after)} ms without, ${Math.round(during)} ms beside the flood`)
  }
  assert.ok(Math.min(...ratios) <= MAX_TIMES, `${ratios.map((ratio) => ratio.toFixed(1)).join(', ')} times`)
  assert.ok(ended.every((status) => status === 200 || status === 429))
})

test('one client fills no queue of tasks: another one is admitted, and its turn is next', async (t) => {
  const world = await open()
  const { noisy, quiet } = clientsOf(t, world)
  const stop = new AbortController()
  const slow = { engine: 'tone', deadline_seconds: 120, params: slowly(60_000) }
  const flood = Array.from({ length: 230 }, () => noisy.post('/workers/tasks', slow, stop.signal))
  const settled = Promise.allSettled(flood)
  await eventually(async () => (await depthOf(world)) === 200)
  assert.equal((await quiet.post('/v1/audio/speech', { input: 'Here.', model: 'tone' })).status, 200)
  stop.abort()
  const refused = (await settled).flatMap((one) => (one.status === 'fulfilled' && one.value.status === 429 ? [one.value] : []))
  assert.ok(refused.length > 0)
  for (const { body, headers } of refused) {
    assert.match(body.toString(), /One client has at most 200 places for waiting tasks, and this one has 200\. Try again/)
    assert.ok(headers['retry-after'])
  }
})

test('silent sockets of one client leave room on each path for others and for the owner', async (t) => {
  const world = await open()
  const { noisy, quiet, owner } = clientsOf(t, world)
  for (const [path, share] of [
    ['/ws/tts', 16],
    ['/ws/transcribe', 16],
    ['/ws/events', 64],
  ] as const) {
    const sockets = await Promise.all(Array.from({ length: share + 20 }, () => noisy.socket(path)))
    const refused = sockets.filter((one) => one.refused !== null)
    assert.equal(refused.length, 20, path)
    for (const { refused: closed } of refused) {
      assert.equal(closed![0], 1013)
      assert.match(closed![1], /^One client has at most (16 places for connections to|64 places for connections that follow events)/)
    }
    for (const client of [quiet, owner]) assert.equal((await client.socket(path)).refused, null, path)
  }
  const { socket } = await quiet.socket('/ws/tts')
  const received: string[] = []
  socket.on('message', (data: Buffer) => received.push(String(data)))
  socket.send('{"text": "The boat is late.", "engine": "tone"}', () => {})
  await eventually(() => received.some((one) => one.includes('"type":"done"')))
})

test('bodies that arrive slowly, and large ones that are in work, leave room for the large requests of others', async (t) => {
  const world = await open()
  const { noisy, quiet, owner } = clientsOf(t, world)
  const { hostname: host, port } = new URL(world.url)
  const headers = `Host: ${host}:${port}\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nContent-Length: 9000000\r\n\r\n`
  for (let at = 0; at < 40; at++) {
    const socket = connect({ host, port: Number(port), localAddress: '127.0.7.1' }).on('error', () => {})
    t.after(() => socket.destroy())
    await once(socket, 'connect')
    socket.write(`POST /${at % 2 === 0 ? 'longform/plan' : 'projects'} HTTP/1.1\r\n${headers}{"text": "`)
    const dribble = setInterval(() => socket.write('slow '), 400)
    t.after(() => clearInterval(dribble))
  }
  const project = (name: string) => ({
    name,
    state: { notes: Array.from({ length: 40_000 }, (_, at) => `${name} note ${at} of a long list of notes`) },
  })
  const busy = Array.from({ length: 24 }, () => noisy.post('/projects', project('noisy')))
  for (const client of [quiet, owner, quiet]) assert.equal((await client.post('/projects', project('quiet'))).status, 200)
  const answers = await Promise.all(busy)
  assert.ok(answers.every(({ status }) => status === 200 || status === 429))
  for (const { status, body } of answers)
    if (status === 429) assert.match(body.toString(), /One client has at most 4 places for large requests/)
})

/** Stops every program of the studio with this text in its command line, as if its input never ended. */
function stopPrograms(t: Ending, world: World, text: string): () => number {
  const stopped = new Set<number>()
  t.after(() => {
    for (const pid of programsOf(world.studio.pid, text)) if (stopped.has(pid)) signalIfAlive(pid, 'SIGKILL')
  })
  return () => {
    for (const pid of programsOf(world.studio.pid, text)) {
      if (signalIfAlive(pid, 'SIGSTOP')) stopped.add(pid)
    }
    return stopped.size
  }
}
const fileForm = (name: string, bytes: Uint8Array<ArrayBuffer>): FormData => {
  const data = new FormData()
  data.set('file', new Blob([bytes]), name)
  return data
}

test('books of one client that take long to read leave the import to others', async (t) => {
  const world = await open()
  const { noisy, quiet, owner } = clientsOf(t, world)
  const book = pdf([[{ text: 'A chapter of a book.', y: 500 }]])
  const stopAll = stopPrograms(t, world, 'reading/child.ts')
  const stuck = Array.from({ length: 14 }, () => noisy.post('/audiobook/import', fileForm('slow.pdf', book)))
  const settled = Promise.allSettled(stuck)
  await eventually(() => stopAll() > 0)
  assert.equal((await quiet.post('/audiobook/import', fileForm('book.pdf', book))).status, 200)
  assert.equal((await owner.post('/audiobook/import', fileForm('book.pdf', book))).status, 200)
  assert.equal(stopAll(), 1, 'one client reads one book at a time')
  const refused = await Promise.race(stuck)
  assert.equal(refused.status, 429)
  assert.match(refused.body.toString(), /One client has at most 8 places for waiting books that are read/)
  void settled
})

const skip = findProgram('ffmpeg', process.env['PATH']) ? false : 'ffmpeg is not on PATH'
test('stories of one client that take long to convert leave the conversion to others', { skip }, async (t) => {
  const world = await open()
  const { noisy, quiet, owner } = clientsOf(t, world)
  const wav = spokenWav({ seconds: 1, rate: 22_050, channels: 1 })
  const stopAll = stopPrograms(t, world, 'libmp3lame')
  const stuck = Array.from({ length: 2 }, () => noisy.post('/stories/encode', fileForm('story.wav', wav)))
  const settled = Promise.allSettled(stuck)
  await eventually(() => stopAll() === 2)
  const refused = await noisy.post('/stories/encode', fileForm('story.wav', wav))
  assert.equal(refused.status, 429)
  assert.match(refused.body.toString(), /One client has at most 2 places for conversions of stories, and this one has 2/)
  assert.equal((await quiet.post('/stories/encode', fileForm('story.wav', wav))).status, 200)
  assert.equal((await owner.post('/stories/encode', fileForm('story.wav', wav))).status, 200)
  void settled
})
