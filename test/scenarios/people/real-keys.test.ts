// Real keys of people at the doors that are not usual requests: sockets with sound, the shared port, and the report for the support. Who asked
// for work on an object of another pays for it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { PERSON_ROLES, type PersonRole } from '#shared/protocol/access/person.ts'
import { unzip } from '#test/support/archive/unzip.ts'
import { connectRealtime } from '#test/support/clients/realtime-client.ts'
import { request } from '#test/support/world/http.ts'
import { eventually, sharedWorld, type World } from '#test/support/world/world.ts'
import { embeddedSpeech, RATE } from '../dictation/live-client.ts'
import { render, script } from '../longform/book-client.ts'

const open = sharedWorld()
const COMPLETED = 'conversation.item.input_audio_transcription.completed'

async function personOf(world: World, role: PersonRole = 'create', limits: Record<string, unknown> = {}) {
  const added = await world.post('/people', { name: `${role} ${crypto.randomUUID().slice(0, 8)}`, role, limits })
  assert.equal(added.status, 201, added.body.toString())
  const { person, key } = added.json()
  const headers = { authorization: `Bearer ${key}` }
  return {
    id: person.id as string,
    name: person.name as string,
    keyId: person.keys[0].id as string,
    key: key as string,
    headers,
    send: (method: string, path: string, body?: unknown) => world.send(method, path, body, headers),
    soundSeconds: async () => (await world.send('GET', '/people/me', undefined, headers)).json().usage.sound_minutes_today * 60,
  }
}

test('/v1/realtime takes the keys of those who may speak, counts their sound once, and closes with the key', async () => {
  const world = await open()
  const speech = await embeddedSpeech(world, 'She bought some bread and milk at the store.')
  const seconds = speech.length / 48_000
  const listener = await personOf(world, 'listen')
  await assert.rejects(connectRealtime(world, undefined, listener.headers), /403/, 'the role listen')
  const person = await personOf(world)
  const client = await connectRealtime(world, undefined, person.headers)
  await client.next('session.created')
  await client.send({ type: 'session.update', session: { type: 'transcription', audio: { input: { turn_detection: null } } } })
  await client.next('session.updated')
  assert.equal(await person.soundSeconds(), 0, 'the warm-up is no sound of the person')
  for (const round of [1, 2]) {
    await client.speak(speech)
    await client.send({ type: 'input_audio_buffer.commit' })
    await client.next(COMPLETED)
    const counted = await person.soundSeconds()
    assert.ok(Math.abs(counted - round * seconds) < 1, `${counted} s of ${round * seconds}`)
  }
  const at = performance.now()
  assert.equal((await world.delete(`/people/${person.id}/keys/${person.keyId}`)).status, 200)
  const [code] = await client.closed
  assert.equal(code, 1008)
  assert.ok(performance.now() - at < 1_000, `${performance.now() - at} ms`)
  const late = await connectRealtime(world, undefined, person.headers)
  assert.equal((await late.closed)[0], 1008, 'the key has ended')
})

test('a live dictation counts what was recognised, also if it is left before its text is final', async () => {
  const world = await open()
  const person = await personOf(world)
  const speech = await embeddedSpeech(world, 'She bought some bread and milk at the store, and then she went home to her children.')
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}/ws/transcribe?model=tone&pcm=1&sr=24000`, { headers: person.headers })
  const texts: string[] = []
  socket.on('message', (data: Buffer) => texts.push(data.toString()))
  await once(socket, 'open')
  await eventually(async () => texts.some((text) => text.includes('"ready"')))
  for (let at = 0; at < speech.length; at += RATE) socket.send(speech.subarray(at, at + RATE), () => {})
  await eventually(async () => texts.some((text) => text.includes('"partial"')))
  socket.terminate()
  await eventually(async () => (await person.soundSeconds()) > 0.5)
  const counted = await person.soundSeconds()
  assert.ok(counted < speech.length / 48_000 + 1, `${counted} s of ${speech.length / 48_000}`)
})

test('the owner pays for what it does with a book of a person', async () => {
  const world = await open()
  const person = await personOf(world, 'create', { sound_minutes_a_day: 0.01 })
  const book = { text: script(1, 2).replaceAll('travellers', 'sailors'), format: 'mp3' }
  const refused = (await person.send('POST', '/audiobook', book)).body.toString()
  assert.match(refused, /The limit is 0 minutes of sound a day, and this may need/)
  const [{ id }] = (await person.send('GET', '/jobs')).json()
  const events = await render(world, `/audiobook/resume/${id}`)
  assert.equal(events.at(-1)!.type, 'done', JSON.stringify(events.at(-1)))
  assert.equal(await person.soundSeconds(), 0)
  const { usage } = (await world.get('/people/usage')).json() as { usage: { person_id: string }[] }
  assert.deepEqual(
    usage.filter(({ person_id }) => person_id === person.id),
    [],
  )
})

test('on the shared port a key of a person uses the studio with the rights of its role, and administers nothing', async (t) => {
  const world = await open()
  const enabled = await world.post('/system/network/enable')
  assert.equal(enabled.status, 200, enabled.body.toString())
  t.after(() => world.post('/system/network/disable'))
  const { share_port: port, pin } = enabled.json() as { share_port: number; pin: string }
  const on = (method: string, path: string, headers: Record<string, string>) =>
    request(`http://127.0.0.1:${port}${path}`, { method, headers })
  assert.equal((await on('GET', '/history', {})).status, 401)
  for (const role of PERSON_ROLES) {
    const { headers, name, id, keyId } = await personOf(world, role)
    assert.equal((await on('GET', '/history', headers)).status, 200, role)
    assert.equal((await on('GET', '/people/me', headers)).json().name, name)
    const tried = {
      '/projects': role === 'listen' ? 403 : 422,
      '/system/flush-memory': 403,
      '/people': 403,
      '/system/network/disable': 403,
    }
    for (const [path, status] of Object.entries(tried)) {
      const reply = await on('POST', path, headers)
      assert.equal(reply.status, status, `${role} ${path}: ${reply.body}`)
    }
    assert.equal((await on('GET', '/people', headers)).status, 403, role)
    // Who has the PIN, and no key, may still not use the key of another.
    assert.equal((await on('GET', '/people/me', { 'x-svc-pin': pin })).json().name, null)
    assert.equal((await world.delete(`/people/${id}/keys/${keyId}`)).status, 200)
    assert.equal((await on('GET', '/history', headers)).status, 401, `${role}: the key has ended`)
  }
})

test('the report for the support has no key, name or text of a person, and those who administer make it', async () => {
  const world = await open()
  const secret = 'Zauberwort'
  const people = await Promise.all(PERSON_ROLES.map((role) => personOf(world, role)))
  const create = people.find(({ name }) => name.startsWith('create'))!
  // Requests that leave traces: a take, a project, refusals and failures with its texts.
  assert.equal((await create.send('POST', '/v1/audio/speech', { input: `The ${secret} is said.`, response_format: 'wav' })).status, 200)
  assert.equal((await create.send('POST', '/projects', { name: `${secret} project`, state: {} })).status, 200)
  for (const [method, path, body] of [
    ['GET', `/history?q=${secret}&key=${create.key}`, undefined],
    ['GET', `/projects/${secret}`, undefined],
    ['POST', '/v1/audio/speech', { input: secret, voice: `${secret}-voice` }],
    ['POST', '/v1/audio/speech', { input: secret, model: secret }],
    ['GET', '/people', undefined],
  ] as const)
    await create.send(method, path, body)
  await world.send('GET', '/history', undefined, { authorization: `Bearer ${create.key}x` })
  for (const { send, name } of people) {
    const reply = await send('POST', '/system/diagnostic-bundle')
    const isAllowed = /^(operate|own) /.test(name)
    assert.equal(reply.status, isAllowed ? 200 : 403, `${name}: ${reply.body}`)
    if (!isAllowed) continue
    const texts = [...(await unzip(readFileSync(reply.json().path))).values()].join('\n')
    for (const one of people) {
      assert.ok(!texts.includes(one.key.slice(8)), 'a key')
      assert.ok(!texts.includes(one.name), `the name ${one.name}`)
    }
    assert.ok(!texts.includes(secret), texts.slice(Math.max(0, texts.indexOf(secret) - 200)).slice(0, 400))
    const log = (await send('GET', '/system/logs')).body.toString()
    for (const one of people) assert.ok(!log.includes(one.key.slice(8)))
  }
})
