// People with keys of their own, against a real studio with real keys: the table of roles for every route, what each sees of others, and what
// ends with a key.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { createUsageTable } from '#control-plane/features/operate/people/usage.store.ts'
import { READERS, RIGHTS } from '#control-plane/http/access/principals.ts'
import { isReadingRoute } from '#control-plane/http/describe/access-table.ts'
import { MOUNTED } from '#control-plane/http/mount/folders.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { SOCKETS } from '#control-plane/registry/sockets.ts'
import { wavHeader } from '#shared/audio/wav.ts'
import { MADE_KINDS } from '#shared/protocol/access/client.ts'
import { PERSON_ROLES, type PersonRole } from '#shared/protocol/access/person.ts'
import { type Planted, plantObjects } from '#test/support/guests/planted-objects.ts'
import { keyOfPlanted, plantPeople } from '#test/support/guests/planted-people.ts'
import { INITIALIZE, MCP_HEADERS } from '#test/support/mcp/client.ts'
import { openTestDatabase } from '#test/support/starting/database.ts'
import { openWorld, sharedWorld, type World } from '#test/support/world/world.ts'

/** Routes that wait for the agent of this machine, which is not there, have let the request in. */
const WAIT_MS = 1_500
const AT_ONCE = 24

type Row = Record<string, any>
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
const planted = (id: string) => bearer(keyOfPlanted(id))

/** Two people, one who listens and one of each further role, and one object of each kind of Ada, of Bob and of the owner. */
const PEOPLE: Readonly<Record<string, PersonRole>> = {
  ada: 'create',
  bob: 'create',
  listen: 'listen',
  create: 'create',
  operate: 'operate',
  own: 'own',
}
const OBJECTS: readonly Planted[] = MADE_KINDS.flatMap((kind, at) => [
  { kind, id: `a000000${at}`, madeBy: 'person:ada' as const },
  { kind, id: `b000000${at}`, madeBy: 'person:bob' as const },
  { kind, id: `c000000${at}`, madeBy: 'owner' as const },
])
const idOf = (letter: string, kind: (typeof MADE_KINDS)[number]) => `${letter}000000${MADE_KINDS.indexOf(kind)}`
function prepare(dataDir: string): void {
  plantPeople(dataDir, PEOPLE)
  plantObjects(dataDir, OBJECTS)
}
const shared = sharedWorld({ withoutAgent: true, prepare })

/** Status of the answer, which may never end; 0 if there is none soon: a refusal needs no time. */
async function statusOf(world: World, method: string, path: string, headers: Record<string, string>, body?: string) {
  const leaving = new AbortController()
  const answer = await fetch(world.url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
    signal: AbortSignal.any([leaving.signal, AbortSignal.timeout(WAIT_MS)]),
  }).catch(() => null)
  if (!answer) return { status: 0, text: '' }
  const text = answer.status === 403 || answer.status === 401 ? await answer.text() : ''
  leaving.abort()
  return { status: answer.status, text }
}
function socketOf(world: World, path: string, headers: Record<string, string>): WebSocket {
  const socket = new WebSocket(world.url.replace('http', 'ws') + path, { headers })
  socket.on('error', () => {})
  return socket
}

/** Routes that contact other servers or change the machine, for the roles that reach them. */
const NOT_SENT = new Set(['system.enableTailscale', 'mediaTools.updateYtdlp', 'archetypes.checkPreviews', 'settings.testHubMirror'])

test('each role reaches what the table says and nothing else, on every route with a real key', { timeout: 300_000 }, async (t) => {
  const world = await openWorld(t, { withoutAgent: true, prepare: (dataDir) => plantPeople(dataDir, PEOPLE) })
  const rows = [...CONTRACTS, ...MOUNTED]
  const refused: string[] = []
  const ask = async (role: PersonRole, row: (typeof rows)[number]) => {
    const { id, method, access } = row
    const isReached = RIGHTS[role].includes(access) && (!READERS.includes(role) || isReadingRoute(row))
    if (isReached && (NOT_SENT.has(id) || /ytdlp|tailscale|previews\/check|mirror\/test/.test(row.path))) return
    if (id === 'auth.endSession') return
    const path = row.path.replaceAll(/\{\w+\}/g, 'none')
    // A text is no body of any route, so those that are reached refuse it without an effect.
    const { status, text } = await statusOf(world, method, path, planted(role), method === 'GET' ? undefined : '"x"')
    const name = `${role} ${method} ${path}: ${status} ${text}`
    if (isReached) assert.ok(status !== 403 && status !== 401, name)
    else {
      assert.equal(status, 403, name)
      const needed = PERSON_ROLES.find((one) => RIGHTS[one].includes(access) && (!READERS.includes(one) || isReadingRoute(row)))
      assert.match(
        text,
        needed ? new RegExp(`This needs the role ${needed}, and this key has the role ${role}\\.`) : /No role may use this route/,
        name,
      )
      refused.push(name)
    }
  }
  const asked = PERSON_ROLES.flatMap((role) => rows.map((row) => ({ role, row })))
  for (let at = 0; at < asked.length; at += AT_ONCE) await Promise.all(asked.slice(at, at + AT_ONCE).map(({ role, row }) => ask(role, row)))
  assert.ok(refused.length > 300)
  for (const role of PERSON_ROLES)
    for (const { path, forReaders } of SOCKETS) {
      const socket = socketOf(world, path, planted(role))
      const opened = await Promise.race([
        once(socket, 'open').then(() => true),
        once(socket, 'unexpected-response').then(() => false),
        once(socket, 'error').then(() => false),
      ])
      assert.equal(opened, role !== 'listen' || forReaders === true, `${role} ${path}`)
      socket.terminate()
    }
})

test('lists show a person its own work, and those who see everything the work of all', async () => {
  const world = await shared()
  const lists = CONTRACTS.filter(
    ({ method, path, access }) =>
      method === 'GET' && access === 'consume' && !path.includes('{') && !/stream$|^\/$|^\/docs|openapi|^\/mcp/.test(path),
  )
  assert.ok(lists.length > 40)
  const texts = async (as: string) => {
    const read = async ({ path }: { readonly path: string }) => {
      const answer = await fetch(world.url + path, { headers: planted(as), signal: AbortSignal.timeout(WAIT_MS) }).catch(() => null)
      const isStream = answer?.headers.get('content-type')?.includes('event-stream')
      if (isStream) await answer?.body?.cancel()
      return isStream ? path : `${path} ${await answer?.text()}`
    }
    return Promise.all(lists.map(read))
  }
  const foreign = (letter: string) => new RegExp(`"${letter}000000\\d"`)
  for (const [as, others] of [
    ['ada', /"[bc]000000\d"/],
    ['bob', /"[ac]000000\d"/],
  ] as const)
    for (const text of await texts(as)) {
      // The voices and clips of the owner are for everybody.
      const known = text.replaceAll(idOf('c', 'voice'), '').replaceAll(idOf('c', 'clip'), '')
      assert.doesNotMatch(known, others, as)
    }
  for (const as of ['own', 'listen']) {
    const all = (await texts(as)).join('\n')
    for (const letter of ['a', 'b', 'c']) assert.match(all, foreign(letter), `${as} sees ${letter}`)
    for (const kind of ['take', 'project', 'voice', 'clip', 'dub', 'job', 'export'] as const)
      for (const letter of ['a', 'b', 'c']) assert.ok(all.includes(`"${idOf(letter, kind)}"`), `${as}: ${kind} of ${letter}`)
  }
  const operator = (await texts('operate')).join('\n')
  assert.doesNotMatch(operator, /"[ab]000000\d"/)
  for (const path of ['/workers/tasks?always=true', '/workers/activity', '/system/errors/recent', '/system/logs', '/system/notifications'])
    assert.doesNotMatch((await world.send('GET', path, undefined, planted('operate'))).body.toString(), /secret|[abc]000000\d/i, path)
})

test('a person neither reads nor changes an object of another, by any route, search, file or error', async () => {
  const world = await shared()
  writeFileSync(join(world.dataDir, 'outputs', `${idOf('b', 'take')}.wav`), wavHeader({ sampleRate: 8_000, channels: 1, samples: 0 }))
  const ada = planted('ada')
  for (const { of, method, path } of CONTRACTS.filter(({ of }) => of))
    for (const letter of ['b', 'c']) {
      const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (name === of!.param ? idOf(letter, of!.kind) : '0'))
      const { status, text } = await statusOf(world, method, target, ada)
      assert.equal(status, 403, `${method} ${target}: ${text}`)
      assert.doesNotMatch(text, /secret/i)
    }
  // Voices and clips of others do not exist for a person.
  for (const path of [
    `/profiles/${idOf('b', 'voice')}`,
    `/profiles/${idOf('b', 'voice')}/audio`,
    `/gallery/voices/${idOf('b', 'clip')}`,
    `/gallery/voices/${idOf('b', 'clip')}/preview`,
  ]) {
    const { status } = await world.send('GET', path, undefined, ada)
    assert.equal(status, 404, path)
  }
  assert.equal((await world.send('GET', `/profiles/${idOf('c', 'voice')}`, undefined, ada)).status, 200, 'a voice of the owner')
  assert.equal((await world.send('GET', `/profiles/${idOf('a', 'voice')}`, undefined, planted('own'))).status, 200)
  assert.equal((await world.send('GET', `/audio/${idOf('b', 'take')}.wav`, undefined, ada)).status, 403)
  assert.equal((await world.send('GET', `/audio/${idOf('b', 'take')}.wav`, undefined, planted('bob'))).status, 200)
  assert.equal((await world.send('GET', `/audio/${idOf('b', 'take')}.wav`, undefined, planted('listen'))).status, 200)
  for (const path of ['/history?q=secret', '/jobs?q=secret', '/jobs?q=b0000'])
    assert.doesNotMatch((await world.send('GET', path, undefined, ada)).body.toString(), /[bc]000000\d/, path)
  assert.equal((await world.send('DELETE', `/projects/${idOf('b', 'project')}`, undefined, planted('listen'))).status, 403)
  // Those that are hidden take no place in a list of two.
  const clips = (await world.send('GET', '/gallery/voices?limit=2', undefined, ada)).json()
  assert.deepEqual(
    clips.map(({ id }: Row) => id),
    [idOf('c', 'clip'), idOf('a', 'clip')],
  )
  // The glossary of a dub of another neither gets terms nor is made from its lines.
  const glossary = (id: string) => `/glossary/${id}`
  for (const [path, body] of [
    [glossary(idOf('b', 'dub')), { source: 'Harbour', target: 'Puerto' }],
    [`${glossary(idOf('b', 'dub'))}/auto-extract`, { source_lang: 'en', target_lang: 'es' }],
  ] as const)
    assert.equal((await world.send('POST', path, body, ada)).status, 403, path)
})

test('events reach the person who made the object, and those who see everything', async (t) => {
  const world = await shared()
  const frames = new Map<string, string[]>()
  for (const as of ['ada', 'bob', 'operate', 'own', 'listen']) {
    const socket = socketOf(world, '/ws/events', planted(as))
    t.after(() => socket.terminate())
    const seen: string[] = []
    frames.set(as, seen)
    socket.on('message', (data: Buffer) => seen.push(data.toString()))
    await once(socket, 'open')
  }
  const create = async (as: string) => (await world.send('POST', '/projects', { name: as, state: {} }, planted(as))).json().id as string
  const [first, second] = [await create('ada'), await create('bob')]
  const seen = (as: string, id: string) => frames.get(as)!.some((frame) => frame.includes(id))
  while (!['own', 'listen'].every((as) => seen(as, second)) || !seen('bob', second) || !seen('ada', first)) await new Promise(setImmediate)
  assert.deepEqual([seen('ada', second), seen('bob', first), seen('operate', first), seen('operate', second)], [false, false, false, false])
  for (const id of [first, second]) assert.equal((await world.delete(`/projects/${id}`)).status, 200)
})

const add = async (world: World, body: Row): Promise<{ person: Row; key: string }> => {
  const reply = await world.post('/people', body)
  assert.equal(reply.status, 201, reply.body.toString())
  return reply.json()
}
const me = (world: World, key: string) => world.send('GET', '/people/me', undefined, bearer(key))

test('everything that a key opened ends within a second of its end', async () => {
  const world = await shared()
  const endings: readonly (readonly [string, (person: Row) => Promise<{ readonly status: number }>])[] = [
    ['the key', ({ id, keys }) => world.delete(`/people/${id}/keys/${keys[0].id}`)],
    ['the person', ({ id }) => world.delete(`/people/${id}`)],
    ['the right', ({ id }) => world.patch(`/people/${id}`, { role: 'listen' })],
  ]
  for (const [name, end] of endings) {
    const { person, key } = await add(world, { name: `Ends with ${name}` })
    const session = await world.send('POST', '/api/auth/session', { transport: 'bearer' }, bearer(key))
    assert.equal(session.status, 201)
    const { token } = session.json() as { token: string }
    const { ticket } = (await world.send('POST', '/api/auth/ws-ticket', { path: '/ws/events' }, bearer(token))).json() as { ticket: string }
    const mcp = await world.send('POST', '/mcp', INITIALIZE, { ...MCP_HEADERS, ...bearer(key) })
    assert.equal(mcp.status, 200)
    const inSession = { ...MCP_HEADERS, ...bearer(key), 'mcp-session-id': mcp.headers.get('mcp-session-id')! }
    const streams = await Promise.all(
      [key, token].map(async (proof) => {
        const answer = await fetch(`${world.url}/setup/download-stream`, { headers: bearer(proof) })
        assert.equal(answer.status, 200)
        return answer
      }),
    )
    const sockets = [key, token].map((proof) => socketOf(world, '/ws/events', bearer(proof)))
    await Promise.all(sockets.map((socket) => once(socket, 'open')))
    const closed = Promise.all(sockets.map(async (socket) => ((await once(socket, 'close')) as [number])[0]))
    const ended = Promise.all(streams.map((answer) => answer.text().catch(() => 'cut')))
    const at = performance.now()
    assert.equal((await end(person)).status, 200, name)
    assert.deepEqual(await closed, [1008, 1008], name)
    await ended
    assert.ok(performance.now() - at < 1_000, `${name}: ${performance.now() - at} ms`)
    const late = socketOf(world, `/ws/events?ws_ticket=${ticket}`, { via: 'a proxy' })
    assert.equal(((await once(late, 'close')) as [number])[0], 1008, 'the ticket has ended')
    if (name === 'the right') assert.equal((await me(world, key)).json().role, 'listen')
    else assert.equal((await me(world, key)).status, 401, name)
    assert.notEqual((await world.send('POST', '/mcp', { jsonrpc: '2.0', id: 2, method: 'ping' }, inSession)).status, 200, name)
  }
})

test('keys are made, replaced with an overlap, listed without their text, and end', async () => {
  const world = await shared()
  const { person, key } = await add(world, {
    name: 'Carol',
    role: 'operate',
    limits: { tasks_at_once: 2 },
    machines: ['local'],
    expires_in_days: 30,
  })
  assert.deepEqual((await world.get('/people/me')).json(), { name: null, role: 'own' })
  const self = (await me(world, key)).json()
  assert.deepEqual([self.name, self.role, self.limits.tasks_at_once, self.machines], ['Carol', 'operate', 2, ['local']])
  assert.ok(Math.abs(self.expires_at - Date.now() / 1000 - 30 * 86_400) < 60)
  const second = (
    await world.post(`/people/${person['id']}/keys`, { label: 'laptop', replaces: person['keys'][0].id, old_ends_in: 60 })
  ).json()
  assert.deepEqual([(await me(world, key)).status, (await me(world, second.key)).status], [200, 200])
  const third = await world.send('POST', '/people/me/keys', { label: 'rotated' }, bearer(second.key))
  assert.equal(third.status, 201)
  assert.deepEqual([(await me(world, second.key)).status, (await me(world, third.json().key)).status], [401, 200])
  const list = (await world.get('/people')).json() as Row[]
  const carol = list.find(({ name }) => name === 'Carol')!
  assert.deepEqual(
    carol['keys'].map(({ label }: Row) => label),
    ['rotated', ''],
  )
  assert.ok(carol['last_used_at'] > 0)
  for (const text of [key, second.key, third.json().key]) assert.ok(!JSON.stringify(list).includes(text.slice(8)))
  assert.ok(!world.studio.output().includes(key.slice(8)))
  for (const [status, reply] of [
    [409, await world.post('/people', { name: 'carol' })],
    [422, await world.post('/people', { name: '\u0000 ' })],
    [422, await world.post('/people', { name: 'x', role: 'king' })],
    [422, await world.post('/people', { name: 'x'.repeat(81) })],
    [422, await world.post(`/people/${person['id']}/keys`, { old_ends_in: 8 * 86_400 })],
    [404, await world.post('/people/none/keys', {})],
    [404, await world.patch('/people/none', { role: 'own' })],
    [404, await world.delete(`/people/${person['id']}/keys/none`)],
    [403, await world.post('/people/me/keys', {})],
    [403, await world.send('POST', '/people', { name: 'x' }, bearer(third.json().key))],
  ] as const)
    assert.equal(reply.status, status, reply.body.toString())
  assert.equal((await world.delete(`/people/${person['id']}`)).status, 200)
  assert.ok(!((await world.get('/people')).json() as Row[]).some(({ name }) => name === 'Carol'))
  assert.ok(((await world.get('/people?ended=true')).json() as Row[]).some(({ name }) => name === 'Carol'))
})

test('usage is JSON or CSV, and no cell is a formula', async () => {
  const world = await shared()
  // On a slow machine requests of the tests before have ended tasks today.
  assert.deepEqual((await world.get('/people/usage?from=9000-01-01')).json(), { usage: [] })
  const csv = await world.send('GET', '/people/usage?from=9000-01-01', undefined, { accept: 'text/csv' })
  assert.match(csv.headers.get('content-type')!, /^text\/csv/)
  assert.equal(csv.body.toString(), 'person_id,name,day,engine,tasks,failed,sound_ms,gpu_ms\r\n')
  const db = openTestDatabase(':memory:')
  const row = { person_id: 'p', day: '2026-01-01', engine: 'e', tasks: 1, failed: 0, sound_ms: 0, gpu_ms: 0 }
  const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1+1', '－1', '"quoted", text\n']
  const cells = createUsageTable({ db })
    .csv(hostile.map((name) => ({ ...row, name, engine: name })))
    .split(/,|\r\n/)
  assert.deepEqual(
    cells.filter((cell) => /^"?[=+\-@\t\r\n＝＋－＠]/.test(cell)),
    [],
  )
  db.close()
})

test('a studio that is killed between a request and its answer has the person whole or not at all', async (t) => {
  const world = await openWorld(t, { withoutAgent: true, fixedPort: true })
  for (const turns of [40]) {
    const name = `Killed ${turns}`
    const asked = world.post('/people', { name }).catch(() => null)
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
    await world.restart('SIGKILL')
    const answer = await asked
    const found = ((await world.get('/people')).json() as Row[]).find((row) => row['name'] === name)
    if (answer?.status === 201) assert.ok(found, 'what was answered is kept')
    if (found) assert.equal(found['keys'].length, 1)
    const again = await world.post('/people', { name })
    assert.equal(again.status, found ? 409 : 201)
    const { id } = found ?? again.json().person
    assert.equal((await world.post(`/people/${id}/keys`, {})).status, 201)
  }
})
