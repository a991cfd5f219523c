// Keys of people at the access check: who such a sender is, what refusals say, and what ends with a key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClientOf } from '#control-plane/http/access/client-of.ts'
import { createOrigins } from '#control-plane/http/access/origins.ts'
import { roleFor } from '#control-plane/http/access/principals.ts'
import { COOKIE } from '#control-plane/http/access/sign-ins.ts'
import { createTestGate } from './test-gate.ts'

const FAR = '203.0.113.9'
const HOST = 'studio.lan:3900'
const refusal = (answer: Promise<unknown>) =>
  answer.then(
    () => assert.fail('nothing was refused'),
    ({ code, message }: { code: string; message: string }) => `${code}: ${message}`,
  )

test('a refusal names the role that may', async () => {
  const { ask, person } = createTestGate({ host: '0.0.0.0' })
  const as = (
    role: 'listen' | 'create' | 'operate' | 'own',
    access: 'consume' | 'local' | 'admin' | 'own' | 'loopback' | 'native',
    port = 3900,
  ) => refusal(ask(access, FAR, person(role).headers, port, { method: 'POST', isReading: false }))
  assert.equal(await as('listen', 'consume'), 'FORBIDDEN: This needs the role create, and this key has the role listen.')
  assert.equal(await as('create', 'local'), 'FORBIDDEN: This needs the role operate, and this key has the role create.')
  assert.equal(await as('create', 'admin'), 'FORBIDDEN: This needs the role operate, and this key has the role create.')
  assert.equal(await as('operate', 'own'), 'FORBIDDEN: This needs the role own, and this key has the role operate.')
  assert.match(await as('own', 'native'), /^FORBIDDEN: No role may use this route/)
  assert.match(await as('own', 'loopback'), /^FORBIDDEN: No role may use this route/)
  assert.equal(await as('own', 'admin', 3902), 'FORBIDDEN: This route is not served on the shared port.')
})

test('the table gives each kind of route to the first role that may use it', () => {
  assert.equal(roleFor('consume', true), 'listen')
  assert.equal(roleFor('consume', false), 'create')
  assert.equal(roleFor('admin', true), 'operate')
  assert.equal(roleFor('own', true), 'own')
  assert.equal(roleFor('native', true), null)
})

test('a wrong key of a person counts as a wrong key, also where no API key is set', async () => {
  for (const apiKey of [null, 'a-key-of-sixteen']) {
    const gate = createTestGate({ host: '0.0.0.0', apiKey })
    const wrong = { authorization: `Bearer svk_${'w'.repeat(43)}` }
    assert.equal(await gate.verdict('consume', FAR, wrong), 'UNAUTHORIZED')
    assert.equal(await gate.verdict('consume', '127.0.0.1', wrong), 'UNAUTHORIZED', 'also on this machine')
    assert.equal(gate.wrongKeys(), 2)
    assert.equal(await gate.verdict('consume', FAR, gate.person('create').headers), 'ok')
    assert.equal(gate.wrongKeys(), 2)
  }
})

test('the work of a person belongs to it, wherever its key is used', async () => {
  const gate = createTestGate({ host: '0.0.0.0' })
  const clientOf = createClientOf({
    origins: createOrigins({ host: '0.0.0.0', allowedHosts: [], allowedOrigins: [] }),
    localUsers: { otherUser: async () => null },
  })
  const of = async (address: string, headers: Record<string, string>) => {
    const principal = await gate.ask('open', address, headers, 3900, { isReading: true })
    return clientOf(principal, { connection: { remoteAddress: address }, headers, access: 'open' })
  }
  const { sender, headers } = gate.person('create', 'ada')
  const { token } = gate.signIns.begin('bearer', sender)
  const clients = [
    await of(FAR, headers),
    await of('127.0.0.1', { ...headers, 'sec-fetch-site': 'same-origin' }),
    await of(FAR, { authorization: `Bearer ${token}` }),
  ]
  for (const client of clients)
    assert.deepEqual({ ...client, name: '' }, { source: 'person ada', name: '', id: 'person:ada', isOwner: false, seesAll: false })
  assert.deepEqual(
    clients.map(({ name }) => name),
    ['person ada key key-of-ada', 'person ada key key-of-ada', 'person ada sign-in 1'],
  )
  for (const role of ['listen', 'own'] as const) assert.equal((await of(FAR, gate.person(role).headers)).seesAll, true)
})

test('sign-ins and tickets of a person end with its key', async () => {
  const gate = createTestGate({ host: '0.0.0.0' })
  const { sender, end, headers } = gate.person('create')
  const cookie = `${COOKIE}=${gate.signIns.begin('cookie', sender).token}`
  const bearer = gate.signIns.begin('bearer', sender).token
  const direct = await gate.ask('consume', FAR, headers, 3900)
  const signedIn = await gate.ask('consume', FAR, { cookie, host: HOST, origin: `http://${HOST}` }, 3900)
  assert.deepEqual([direct.credential, direct.signIn, direct.name], ['person-key', null, 'create'])
  assert.deepEqual([signedIn.credential, signedIn.person, signedIn.name], ['sign-in', sender, 'create'])
  const { token: ticket } = gate.signIns.ticket(gate.signIns.find(bearer, 'bearer')!, '/ws/events')
  assert.equal(direct.ended?.aborted || signedIn.ended?.aborted, false)
  end()
  assert.equal(direct.ended?.aborted && signedIn.ended?.aborted, true)
  assert.equal(gate.signIns.find(bearer, 'bearer'), null)
  assert.equal(gate.signIns.redeem(ticket, '/ws/events'), null)
  assert.equal(await gate.verdict('consume', FAR, headers), 'UNAUTHORIZED')
  const { token } = gate.signIns.begin('bearer', sender)
  assert.equal(gate.signIns.find(token, 'bearer'), null, 'a sign-in that began while the key ended')
})

test('a sign-in with the cookie of a person needs the page of the studio for changes, like every cookie', async () => {
  const gate = createTestGate({ host: '0.0.0.0' })
  const cookie = `${COOKIE}=${gate.signIns.begin('cookie', gate.person('own').sender).token}`
  assert.equal(await gate.verdict('own', FAR, { cookie }, 'POST'), 'FORBIDDEN')
  const own = { cookie, host: HOST, origin: `http://${HOST}`, 'x-svc-csrf': '1' }
  assert.equal(await gate.verdict('own', FAR, own, 'POST'), 'ok')
  assert.equal(await gate.verdict('own', FAR, { ...own, origin: 'http://localhost:3901' }, 'POST'), 'FORBIDDEN')
})
