// MCP sessions: how many, for how long, and whose.

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { asClient, type Client, OWNER } from '#control-plane/clients/client.ts'
import type { Protocol } from '#control-plane/features/operate/mcp/protocol.ts'
import { createSessions, type McpCaller, type OpenRequest, SESSIONS_PER_CLIENT } from '#control-plane/features/operate/mcp/sessions.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

const LOCAL: McpCaller = { signIn: null, person: null, ended: null, credential: null, name: 'loopback' }
const clientOf = (source: string): Client => ({ source, name: source, id: `address:${source}`, isOwner: false })
const HALF_HOUR_MS = 30 * 60_000

function open() {
  const clock = createFakeClock()
  let closed = 0
  const protocol: Protocol = { answer: async () => new Response(), close: async () => void closed++ }
  const sessions = createSessions({ clock, random: systemRandom, openProtocol: async () => protocol })
  const busy: OpenRequest = {
    signal: new AbortController().signal,
    cancel: () => {},
    clientId: null,
    madeBy: OWNER.id,
    baseUrl: '',
    traceparent: '',
  }
  return { clock, sessions, busy, closed: () => closed }
}

test('a further session ends the one that was idle for the longest time, never one that is being used', async () => {
  const { clock, sessions, busy, closed } = open()
  const all = []
  for (let count = 0; count < SESSIONS_PER_CLIENT; count++) {
    all.push(await sessions.open(LOCAL))
    clock.advance(10)
  }
  all[0]!.requests.set(1, busy)
  all[1]!.usedAt = clock.mono()
  await sessions.open(LOCAL)
  assert.deepEqual([sessions.count(), closed()], [SESSIONS_PER_CLIENT, 1])
  assert.deepEqual(
    all.slice(0, 4).map(({ id }) => sessions.find(id, LOCAL) !== null),
    [true, true, false, true],
  )
})

test('devices that open many sessions end their own and not those of others', async () => {
  const { clock, sessions } = open()
  const own = await sessions.open(LOCAL)
  const device: McpCaller = { signIn: null, person: null, ended: null, credential: 'pin', name: 'pin' }
  for (let count = 0; count < 3 * SESSIONS_PER_CLIENT; count++) {
    clock.advance(10)
    await asClient(clientOf('192.0.2.1'), () => sessions.open(device))
  }
  assert.equal(sessions.find(own.id, LOCAL), own)
  assert.equal(sessions.count(), SESSIONS_PER_CLIENT + 1)
})

test('busy sessions of a client, also with many sign-ins at its address, leave sessions for others', async () => {
  const { sessions, busy } = open()
  const openAs = (client: Client) => asClient(client, () => sessions.open(LOCAL))
  let refused = 0
  for (let at = 0; at < 300; at++) {
    const session = await openAs({ ...clientOf('192.0.2.1'), name: `192.0.2.1 sign-in ${at}` }).catch(() => null)
    if (session) session.requests.set(1, busy)
    else refused++
  }
  assert.ok(refused > 150, `${refused} were refused`)
  for (let at = 0; at < 10; at++) (await openAs(clientOf('192.0.2.2'))).requests.set(1, busy)
  await openAs(OWNER)
})

test('requests that are not answered are limited for each client', () => {
  const { sessions } = open()
  const as = (source: string, count: number) => asClient(clientOf(source), () => sessions.takeRequests(count))
  const answered = as('a', 16)
  as('a', 16)
  assert.throws(() => as('a', 1), { code: 'QUEUE_FULL', message: /at most 32 places for MCP requests that are not answered/ })
  as('b', 16)
  answered()
  answered()
  as('a', 16)
})

test('when all sessions are being used, a further one is refused', async () => {
  const { sessions, busy } = open()
  for (let count = 0; count < SESSIONS_PER_CLIENT; count++) (await sessions.open(LOCAL)).requests.set(1, busy)
  await assert.rejects(sessions.open(LOCAL), { code: 'QUEUE_FULL' })
  assert.equal(sessions.count(), SESSIONS_PER_CLIENT)
})

test('sessions that are opened at the same moment keep the limit', async () => {
  const { sessions, busy } = open()
  for (let count = 0; count < SESSIONS_PER_CLIENT - 1; count++) (await sessions.open(LOCAL)).requests.set(1, busy)
  const opened = await Promise.allSettled([sessions.open(LOCAL), sessions.open(LOCAL), sessions.open(LOCAL)])
  assert.deepEqual(
    opened.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  )
})

test('an idle session ends after half an hour, one with a running request does not', async () => {
  const { clock, sessions, busy, closed } = open()
  const [idle, running] = [await sessions.open(LOCAL), await sessions.open(LOCAL)]
  running!.requests.set(1, busy)
  clock.advance(HALF_HOUR_MS - 1)
  assert.equal(closed(), 0)
  clock.advance(60_001)
  assert.deepEqual([sessions.find(idle!.id, LOCAL), sessions.find(running!.id, LOCAL)], [null, running])
  running!.requests.clear()
  clock.advance(60_000)
  assert.deepEqual([sessions.count(), closed()], [0, 2])
})

test('a session is found only with the proof that opened it, and ends with its sign-in', async () => {
  const { sessions } = open()
  const ending = new AbortController()
  const signIn = { transport: 'bearer' as const, ended: ending.signal, person: null }
  const owner: McpCaller = { signIn, person: null, ended: ending.signal, credential: 'sign-in', name: 'admin_session' }
  const session = await sessions.open(owner)
  const others: McpCaller[] = [
    LOCAL,
    { ...LOCAL, credential: 'key' },
    { ...LOCAL, name: 'trusted_network' },
    { ...owner, signIn: { ...signIn } },
  ]
  for (const other of others) assert.equal(sessions.find(session.id, other), null)
  assert.equal(sessions.find(session.id, owner), session)
  for (let count = 0; count < 2 * SESSIONS_PER_CLIENT; count++) await sessions.open(owner)
  assert.equal(getEventListeners(ending.signal, 'abort').length, SESSIONS_PER_CLIENT, 'an ended session leaves no listener')
  ending.abort()
  assert.equal(sessions.find(session.id, owner), null)
  assert.equal((await sessions.open(owner)) && sessions.count(), 0, 'a sign-in that has ended opens none')
})
