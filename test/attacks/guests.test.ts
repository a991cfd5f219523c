// Clients without the right to administer: a device with the PIN of the shared port, and another user of this machine. They use the studio, see
// and delete what they have made, and change nothing of others. Which routes concern which objects is taken from the contracts.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type IncomingMessage, request as open } from 'node:http'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { MOUNTED } from '#control-plane/http/mount/folders.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import type { ClientId } from '#shared/protocol/access/client.ts'
import { spokenWav } from '../support/audio/spoken.ts'
import { type Planted, plantObjects } from '../support/guests/planted-objects.ts'
import { form } from '../support/world/http.ts'
import { eventually, openWorld, type World } from '../support/world/world.ts'

/** Devices that send the PIN itself are known by their address. */
const GUEST = '127.7.0.1'
const OTHER = '127.7.0.2'
const GUEST_ID: ClientId = `address:${GUEST}`

type Sent = { readonly headers?: Record<string, string>; readonly body?: unknown; readonly from?: string }
type Answer = { readonly status: number; readonly text: string; readonly cookie: string; readonly json: () => any }
async function send(port: number, method: string, path: string, { headers = {}, body, from = '127.0.0.1' }: Sent = {}): Promise<Answer> {
  const bytes = body === undefined ? undefined : JSON.stringify(body)
  const type = bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) }
  const call = open({ host: '127.0.0.1', port, method, path, localAddress: from, headers: { ...type, ...headers } })
  call.on('error', () => {})
  call.end(bytes)
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  // A stream of a job that exists does not end.
  const read = answer.headers['content-type']?.includes('event-stream') ? '' : await text(answer).catch(() => '')
  call.destroy()
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? ''
  return { status: answer.statusCode!, text: read, cookie, json: () => JSON.parse(read) }
}

const share = async (world: World): Promise<{ readonly port: number; readonly pin: string }> => {
  const { share_port: port, pin } = (await world.post('/system/network/enable')).json()
  return { port, pin }
}

test('each route for one object answers its maker and the owner, and no other client', async (t) => {
  const routes = CONTRACTS.filter(({ of }) => of)
  assert.ok(routes.length > 60)
  const objects: Planted[] = routes.flatMap(({ of }, at) => {
    const id = (letter: string) => `${letter}${String(at).padStart(7, '0')}`
    return [
      { id: id('a'), kind: of!.kind, madeBy: 'owner' as const },
      { id: id('b'), kind: of!.kind, madeBy: GUEST_ID },
    ]
  })
  const world = await openWorld(t, { withoutAgent: true, prepare: (dataDir) => plantObjects(dataDir, objects) })
  const { port, pin } = await share(world)
  const owner = Number(new URL(world.url).port)
  const at = (index: number, letter: string) => {
    const { path, of } = routes[index]!
    const id = `${letter}${String(index).padStart(7, '0')}`
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === of!.param || name === 'project_id' ? id : '0'))
  }
  const pinned = { headers: { 'x-svc-pin': pin } }
  for (const [index, { method, id }] of routes.entries()) {
    const foreign = await send(port, method, at(index, 'a'), { ...pinned, from: GUEST })
    assert.equal(foreign.status, 403, `${id} of the owner: ${foreign.text.slice(0, 200)}`)
    assert.match(foreign.text, /Another client of this studio made this/, id)
    assert.doesNotMatch(foreign.text, /secret/i, id)
    assert.equal((await send(port, method, at(index, 'b'), { ...pinned, from: OTHER })).status, 403, `${id} of another device`)
    // Without a body most of them are refused, but not because of their maker.
    const own = await send(port, method, at(index, 'b'), { ...pinned, from: GUEST })
    assert.notEqual(own.status, 403, `${id} of the device itself`)
  }
  for (const [index, { method, id, access }] of routes.entries())
    if (access === 'consume') assert.notEqual((await send(owner, method, at(index, 'a'))).status, 403, `${id} as the owner`)
})

test('lists show a device what it has made, and the owner everything', async (t) => {
  const kinds = ['take', 'project', 'term', 'dub', 'job', 'export'] as const
  const objects: Planted[] = kinds.flatMap((kind, at) => [
    { kind, id: `a000000${at}`, madeBy: 'owner' as const },
    { kind, id: `b000000${at}`, madeBy: GUEST_ID },
  ])
  const world = await openWorld(t, {
    withoutAgent: true,
    prepare(dataDir) {
      plantObjects(dataDir, objects)
    },
  })
  for (const { kind, id } of objects)
    if (kind === 'take')
      writeFileSync(join(world.dataDir, 'outputs', `${id}.wav`), wavHeader({ sampleRate: 8_000, channels: 1, samples: 0 }))
  const { port, pin } = await share(world)
  const pinned = { headers: { 'x-svc-pin': pin } }
  const lists = [
    ...['/history', '/projects', '/dub/history', '/dub/summaries', '/jobs', '/export/history'],
    ...['/glossary/a0000002', '/glossary/b0000002'],
  ]
  const idsIn = (rows: unknown[]) => rows.map((row) => (row as { id: string }).id)
  for (const path of lists) {
    const seen = idsIn((await send(port, 'GET', path, { ...pinned, from: GUEST })).json())
    const seenByOther = idsIn((await send(port, 'GET', path, { ...pinned, from: OTHER })).json())
    const all = idsIn((await world.get(path)).json())
    assert.deepEqual(seenByOther, [], path)
    assert.deepEqual(
      seen,
      all.filter((id) => id.startsWith('b')),
      path,
    )
    assert.ok(path.startsWith('/glossary') ? all.length === 1 : all.length === 2, `${path}: ${all}`)
  }
  const count = (await send(port, 'GET', '/jobs/counts', { ...pinned, from: GUEST })).json()
  assert.equal(count.done, 1)
  const audio = MOUNTED[0]!.path.replace('{filename}', '')
  assert.equal((await send(port, 'GET', `${audio}a0000000.wav`, { ...pinned, from: GUEST })).status, 403)
  assert.equal((await send(port, 'GET', `${audio}b0000000.wav`, { ...pinned, from: GUEST })).status, 200)
  assert.equal((await send(port, 'DELETE', '/glossary/a0000002', { ...pinned, from: GUEST })).json().deleted, 0)
  assert.equal((await world.get('/glossary/a0000002')).json().length, 1)
  assert.equal((await world.get(`${audio}a0000000.wav`)).status, 200)
})

test('what a device makes is its own, by its cookie, also after the PIN has changed', async (t) => {
  const world = await openWorld(t, { withoutAgent: true })
  const first = await share(world)
  const begin = await send(first.port, 'GET', `/?pin=${first.pin}`)
  assert.match(begin.cookie, /^svc_pin=svc_pin_/)
  const device = (port: number, cookie: string) => {
    const host = `127.0.0.1:${port}`
    const headers = { cookie, host, origin: `http://${host}`, 'x-svc-csrf': '1' }
    return (method: string, path: string, body?: unknown) => send(port, method, path, { headers, body })
  }
  const one = device(first.port, begin.cookie)
  const two = device(first.port, (await send(first.port, 'GET', `/?pin=${first.pin}`)).cookie)
  const { id } = (await one('POST', '/projects', { name: 'Mine', state: {} })).json()
  const { id: ofOwner } = (await world.post('/projects', { name: 'Of the owner', state: {} })).json()
  assert.deepEqual(
    (await one('GET', '/projects')).json().map((row: { id: string }) => row.id),
    [id],
  )
  assert.deepEqual((await two('GET', '/projects')).json(), [])
  assert.equal((await two('DELETE', `/projects/${id}`)).status, 403)
  assert.equal((await one('PATCH', `/projects/${ofOwner}`, { name: 'Taken' })).status, 403)
  // A dub names its id itself.
  assert.equal((await one('POST', '/dub/translate', { job_id: 'none', segments: [], target_lang: 'es' })).status, 200)

  await world.post('/system/network/disable')
  const second = await share(world)
  const renewed = await send(second.port, 'GET', `/?pin=${second.pin}`, { headers: { cookie: begin.cookie } })
  const again = device(second.port, renewed.cookie)
  assert.equal((await device(second.port, begin.cookie)('GET', '/projects')).status, 401, 'the cookie alone proves nothing')
  assert.equal((await again('DELETE', `/projects/${id}`)).status, 200)
  assert.deepEqual(
    (await world.get('/projects')).json().map((row: { id: string }) => row.id),
    [ofOwner],
  )
})

test('no reply to a device names a folder of this machine', async (t) => {
  const world = await openWorld(t)
  const { port, pin } = await share(world)
  const headers = { 'x-svc-pin': pin }
  const cover = new FormData()
  const paths = CONTRACTS.filter(({ method, access, path }) => method === 'GET' && access === 'consume' && !path.includes('{'))
  assert.ok(paths.length > 30)
  const secrets = [world.dataDir, homedir()]
  for (const { path } of paths) {
    const { text: body } = await send(port, 'GET', path, { headers })
    for (const secret of secrets) assert.ok(!body.includes(`${secret}/`) && !body.includes(`"${secret}"`), `${path} names ${secret}`)
  }
  const shown = (await send(port, 'GET', '/models', { headers })).json().hf_cache_dir
  assert.match(shown, /^<(?:data|models) folder>/)
  assert.ok((await world.get('/models')).json().hf_cache_dir.startsWith('/'), 'the owner sees it')
  cover.set('cover', new Blob([PIXEL]), 'a.png')
  const kept = await fetch(`http://127.0.0.1:${port}/audiobook/cover`, { method: 'POST', headers, body: cover })
  assert.match(((await kept.json()) as { path: string }).path, /^<data folder>\/covers\/[0-9a-f]{12}\.png$/)
})

test('takes, jobs, voices and clips that a device makes by every way belong to it', async (t) => {
  const world = await openWorld(t)
  const { port, pin } = await share(world)
  const headers = { 'x-svc-pin': pin }
  const post = async (path: string, fields: Parameters<typeof form>[0], more: Record<string, string> = {}) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers: { ...headers, ...more }, body: form(fields) })
    assert.ok(reply.ok, `${path}: ${reply.status} ${await reply.clone().text()}`)
    return reply
  }
  const own = (path: string) => send(port, 'GET', path, { headers })
  const others = (method: string, path: string) => send(port, method, path, { headers, from: OTHER })
  const words = { text: 'A take of a device.', engine: 'tone' }
  const take = (await post('/generate', words)).headers.get('x-audio-id')!
  const job = ((await (await post('/generate', words, { prefer: 'respond-async' })).json()) as { id: string }).id
  await eventually(async () => (await own(`/jobs/${job}`)).json().status === 'done')
  const made = (await own('/history')).json().map(({ id }: { id: string }) => id)
  assert.equal(made.length, 2)
  assert.ok(made.includes(take))
  assert.deepEqual(
    (await own('/jobs')).json().map(({ id }: { id: string }) => id),
    [job],
  )
  for (const path of [`/audio/${take}.wav`, `/jobs/${job}`, `/jobs/${job}/events`, `/tasks/stream/${job}`])
    assert.deepEqual([(await own(path)).status, (await others('GET', path)).status], [200, 403], path)
  assert.deepEqual((await others('GET', '/history')).json(), [])

  const sound = spokenWav({ seconds: 3, hz: 200 })
  const voice = ((await (await post('/profiles', { name: 'Of a device', ref_audio: sound })).json()) as { id: string }).id
  const clip = { name: 'c', character: 'c', category: 'c', description: '', audio: sound }
  const { id: clipId } = (await (await post('/gallery/upload', clip)).json()) as { id: string }
  for (const path of [`/profiles/${voice}`, `/gallery/voices/${clipId}`]) {
    assert.equal((await others('GET', path)).status, 200, 'everybody may use it')
    assert.equal((await others('DELETE', path)).status, 403)
  }
  const many = await send(port, 'POST', '/gallery/voices/batch-delete', { headers, from: OTHER, body: { ids: [clipId] } })
  assert.equal(many.status, 403)
  const ofOwner = (await world.send('POST', '/generate', form(words))).headers.get('x-audio-id')!
  const lock = form({ history_id: ofOwner })
  const locked = await fetch(`http://127.0.0.1:${port}/profiles/${voice}/lock`, { method: 'POST', headers, body: lock })
  assert.equal(locked.status, 403, 'a take of the owner is not made the voice of a device')
  for (const path of [`/profiles/${voice}`, `/gallery/voices/${clipId}`, `/history/${take}`])
    assert.equal((await send(port, 'DELETE', path, { headers })).status, 200, path)
  assert.deepEqual(
    (await world.get('/history'))
      .json()
      .map(({ id }: { id: string }) => id)
      .includes(ofOwner),
    true,
  )
})
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

const NOT_ROOT = process.getuid?.() !== 0 && 'only root can send a request as another user'
/** The first argument: a JSON list of [method, path, body]. Prints the answers. */
const AS_USER = `
  const [base, calls] = [process.argv[1], JSON.parse(process.argv[2])]
  const answers = []
  for (const [method, path, body] of calls) {
    const init = { method, ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }) }
    const answer = await fetch(base + path, init)
    answers.push({ status: answer.status, text: await answer.text() })
  }
  console.log(JSON.stringify(answers))`
async function asUser(uid: number, base: string, calls: readonly unknown[]): Promise<{ status: number; text: string }[]> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', AS_USER, base, JSON.stringify(calls)], {
    uid,
    gid: uid,
    cwd: '/',
    env: {},
  })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  assert.ok(output, errors)
  return JSON.parse(output)
}

test('users of this machine do not see or change what others have made', { skip: NOT_ROOT }, async (t) => {
  const world = await openWorld(t, { withoutAgent: true })
  const { id } = (await world.post('/projects', { name: 'Of the owner', state: {} })).json()
  const project = { name: 'Of a user', state: {} }
  const [made] = await asUser(65_533, world.url, [['POST', '/projects', project]])
  const { id: own } = JSON.parse(made!.text)
  const calls = (target: string) => [
    ['GET', '/projects'],
    ['PATCH', `/projects/${target}`, { name: 'Renamed' }],
    ['DELETE', '/history'],
    ['POST', '/watermark/settings?invisible=false'],
    ['GET', '/setup/status'],
  ]
  const [list, foreign, clear, mark, setup] = await asUser(65_533, world.url, calls(id))
  assert.deepEqual(
    JSON.parse(list!.text).map((row: { id: string }) => row.id),
    [own],
  )
  assert.deepEqual([foreign!.status, clear!.status, mark!.status, setup!.status], [403, 403, 403, 200])
  assert.ok(!setup!.text.includes(world.dataDir))
  const [otherList, otherChange] = await asUser(65_534, world.url, calls(own))
  assert.deepEqual([JSON.parse(otherList!.text), otherChange!.status], [[], 403])
  const [, renamed] = await asUser(65_533, world.url, calls(own))
  assert.equal(renamed!.status, 200)
  assert.equal((await world.get('/projects')).json().length, 2)
  assert.equal((await world.get('/watermark/status')).json().invisible_enabled, true)
})

test('events of objects reach their maker and the owner only', async (t) => {
  const trusted = '127.7.0.9'
  // A sender of a trusted network opens sockets without a proof; the Host makes it one of another machine.
  const env = { STUDIO_API_KEY: 'a-key-of-more-than-sixteen-characters', STUDIO_TRUSTED_NETWORKS: '127.7.0.0/24' }
  const world = await openWorld(t, { withoutAgent: true, env })
  const frames: string[] = []
  const port = Number(new URL(world.url).port)
  const far = { host: '192.0.2.1' }
  const options = { headers: far, localAddress: trusted } as never
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}/ws/events`, options)
  t.after(() => socket.terminate())
  await once(socket, 'open')
  socket.on('message', (data: Buffer) => frames.push(data.toString()))
  const { id: ofOwner } = (await world.post('/projects', { name: 'x', state: {} })).json()
  const { id } = (await send(port, 'POST', '/projects', { headers: far, from: trusted, body: { name: 'y', state: {} } })).json()
  while (!frames.some((frame) => frame.includes(id))) await once(socket, 'message')
  assert.ok(!frames.some((frame) => frame.includes(ofOwner)))
})
