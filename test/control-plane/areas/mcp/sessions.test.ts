// MCP sessions: how many, for how long, and whose.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import type { Protocol } from '#control-plane/areas/mcp/protocol.ts'
import { createSessions, type McpCaller, MOST_SESSIONS, type OpenRequest } from '#control-plane/areas/mcp/sessions.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

const LOCAL: McpCaller = { signIn: null, credential: null, name: 'loopback' }
const HALF_HOUR_MS = 30 * 60_000

function open() {
  const clock = createFakeClock()
  let closed = 0
  const protocol: Protocol = { answer: async () => new Response(), close: async () => void closed++ }
  const sessions = createSessions({ clock, random: systemRandom, openProtocol: async () => protocol })
  const busy: OpenRequest = { signal: new AbortController().signal, cancel: () => {}, clientId: null, baseUrl: '', traceparent: '' }
  return { clock, sessions, busy, closed: () => closed }
}

test('a further session ends the one that was idle for the longest time, never one that is being used', async () => {
  const { clock, sessions, busy, closed } = open()
  const all = []
  for (let count = 0; count < MOST_SESSIONS; count++) {
    all.push(await sessions.open(LOCAL))
    clock.advance(10)
  }
  all[0]!.requests.set(1, busy)
  all[1]!.usedAt = clock.mono()
  await sessions.open(LOCAL)
  assert.deepEqual([sessions.count(), closed()], [MOST_SESSIONS, 1])
  assert.deepEqual(
    all.slice(0, 4).map(({ id }) => sessions.find(id, LOCAL) !== null),
    [true, true, false, true],
  )
})

test('devices that open many sessions end their own and not those of others', async () => {
  const { clock, sessions } = open()
  const own = await sessions.open(LOCAL)
  const device: McpCaller = { signIn: null, credential: 'pin', name: 'pin' }
  for (let count = 0; count < 3 * MOST_SESSIONS; count++) {
    clock.advance(10)
    await sessions.open(device)
  }
  assert.equal(sessions.find(own.id, LOCAL), own)
  assert.equal(sessions.count(), MOST_SESSIONS)
})

test('when all sessions are being used, a further one is refused', async () => {
  const { sessions, busy } = open()
  for (let count = 0; count < MOST_SESSIONS; count++) (await sessions.open(LOCAL)).requests.set(1, busy)
  await assert.rejects(sessions.open(LOCAL), { code: 'QUEUE_FULL' })
  assert.equal(sessions.count(), MOST_SESSIONS)
})

test('sessions that are opened at the same moment keep the limit', async () => {
  const { sessions, busy } = open()
  for (let count = 0; count < MOST_SESSIONS - 1; count++) (await sessions.open(LOCAL)).requests.set(1, busy)
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
  const signIn = { transport: 'bearer' as const, ended: ending.signal }
  const owner: McpCaller = { signIn, credential: 'sign-in', name: 'admin_session' }
  const session = await sessions.open(owner)
  const others: McpCaller[] = [
    LOCAL,
    { ...LOCAL, credential: 'key' },
    { ...LOCAL, name: 'trusted_network' },
    { ...owner, signIn: { ...signIn } },
  ]
  for (const other of others) assert.equal(sessions.find(session.id, other), null)
  assert.equal(sessions.find(session.id, owner), session)
  for (let count = 0; count < 2 * MOST_SESSIONS; count++) await sessions.open(owner)
  assert.equal(getEventListeners(ending.signal, 'abort').length, MOST_SESSIONS, 'an ended session leaves no listener')
  ending.abort()
  assert.equal(sessions.find(session.id, owner), null)
  assert.equal((await sessions.open(owner)) && sessions.count(), 0, 'a sign-in that has ended opens none')
})
