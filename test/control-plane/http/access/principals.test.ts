// Every principal against every kind of access, and the parts of the table that each principal needs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { GUESSES, PIN_COOKIE } from '#control-plane/http/access/share-pin.ts'
import { COOKIE } from '#control-plane/http/access/sign-ins.ts'
import type { Access } from '#control-plane/http/contract/contract.ts'
import { PERSON_ROLES } from '#shared/protocol/access/person.ts'
import { createTestGate } from './test-gate.ts'

const KEY = 'a-key-of-sixteen'
const FAR = '203.0.113.9'
const LAN = '192.168.1.20'
const key = { authorization: `Bearer ${KEY}` }
const ALL: readonly Access[] = ['open', 'consume', 'local', 'admin', 'own', 'loopback', 'native']
const trustedNetworks = ['192.168.1.0/24', 'fd00::/8']
const plain = createTestGate({ host: '0.0.0.0', apiKey: KEY, trustedNetworks })
const server = createTestGate({ host: '0.0.0.0', apiKey: KEY, trustedNetworks, serverMode: true })
const others = createTestGate({ apiKey: KEY, ourUser: false })

const REACHED = { listen: 'open consume', create: 'open consume', operate: 'open consume local admin', own: 'open consume local admin own' }
const codeOfReading = async (access: Access, headers: Record<string, string>) =>
  plain.ask(access, FAR, headers, 3900, { isReading: true }).then(
    () => 'ok',
    ({ code }: { code: string }) => code,
  )
const ENDED = { authorization: `Bearer svk_${'e'.repeat(43)}` }

type Ask = (access: Access) => Promise<string>
const reached = async (ask: Ask): Promise<string> => {
  const answers = await Promise.all(ALL.map(async (access) => [access, await ask(access)] as const))
  return answers.flatMap(([access, code]) => (code === 'ok' ? [access] : [])).join(' ')
}

test('each principal reaches what the table says, and nothing else', async () => {
  const pin = { 'x-svc-pin': plain.pins.begin() }
  const serverPin = { 'x-svc-pin': server.pins.begin() }
  const session = (gate: typeof plain) => ({ authorization: `Bearer ${gate.signIns.begin('bearer').token}` })
  const rows: [string, Ask, string][] = [
    ['anonymous', (access) => plain.verdict(access, FAR), 'open'],
    ['anonymous, server mode', (access) => server.verdict(access, FAR), 'open'],
    ['another local user', (access) => others.verdict(access, '127.0.0.1'), 'open consume'],
    ['another local user with the key', (access) => others.verdict(access, '127.0.0.1', key), ALL.join(' ')],
    ['loopback', (access) => plain.verdict(access, '::1'), ALL.join(' ')],
    ['loopback, server mode', (access) => server.verdict(access, '::1'), 'open'],
    ['loopback with the key, server mode', (access) => server.verdict(access, '127.0.0.1', key), 'open consume local admin own'],
    ['loopback under another name', (access) => plain.verdict(access, '127.0.0.1', { host: '192.168.1.5' }), 'open'],
    ['trusted network', (access) => plain.verdict(access, LAN), 'open consume local'],
    ['trusted network, server mode', (access) => server.verdict(access, LAN), 'open consume local'],
    ['API key', (access) => plain.verdict(access, FAR, key), 'open consume'],
    ['API key, server mode', (access) => server.verdict(access, FAR, key), 'open consume local admin own'],
    ['session', (access) => plain.verdict(access, FAR, session(plain)), 'open consume'],
    ['session, server mode', (access) => server.verdict(access, FAR, session(server)), 'open consume local admin own'],
    ['PIN', (access) => plain.shared(access, LAN.replace('192', '10'), pin), 'open consume'],
    ['PIN, server mode', (access) => server.shared(access, FAR, serverPin), 'open consume'],
    ['PIN on the other port', (access) => plain.verdict(access, FAR, pin), 'open'],
    ['shared port without a PIN', (access) => plain.shared(access, FAR), 'open'],
    ['trusted network on the shared port', (access) => plain.shared(access, LAN), 'open consume local'],
    ['shared port from this machine', (access) => plain.shared(access, '127.0.0.1'), 'open'],
    ['shared port from this machine with the PIN', (access) => plain.shared(access, '::1', pin), 'open consume'],
    ['shared port with the key, server mode', (access) => server.shared(access, FAR, key), 'open consume'],
    ...PERSON_ROLES.map((role): [string, Ask, string] => [
      `a person with the role ${role}`,
      (access) => codeOfReading(access, plain.person(role).headers),
      REACHED[role],
    ]),
    ['a person on this machine', (access) => plain.verdict(access, '127.0.0.1', plain.person('create').headers), REACHED.create],
    ['an own person on this machine', (access) => plain.verdict(access, '127.0.0.1', plain.person('own').headers), REACHED.own],
    ['an own person, server mode', (access) => server.verdict(access, FAR, server.person('own').headers), REACHED.own],
    [
      'an operator behind a proxy',
      (access) => plain.verdict(access, '::1', { via: 'x', ...plain.person('operate').headers }),
      REACHED.operate,
    ],
    ['a person as another local user', (access) => others.verdict(access, '::1', others.person('operate').headers), REACHED.operate],
    ['an own person on the shared port', (access) => plain.shared(access, FAR, plain.person('own').headers), 'open consume'],
    ['a key that has ended, on this machine', (access) => plain.verdict(access, '127.0.0.1', ENDED), 'open'],
    ['a key that has ended, on a trusted network', (access) => plain.verdict(access, LAN, ENDED), 'open'],
  ]
  for (const [name, ask, expected] of rows) assert.equal(await reached(ask), expected, name)
})

test('the texts of refusals are those of the specification', async () => {
  const textOf = (answer: Promise<unknown>) =>
    answer.then(
      () => assert.fail('nothing was refused'),
      (error: Error) => error.message,
    )
  const far = (gate: typeof plain, access: Access, headers = {}, address = FAR) => textOf(gate.ask(access, address, headers, 3900))
  assert.equal(await far(plain, 'consume'), 'API key required')
  assert.equal(await far(plain, 'admin', key), 'loopback origin required')
  assert.equal(await far(server, 'admin'), 'API key required')
  assert.equal(await far(server, 'admin', {}, LAN), 'loopback origin or admin API key required')
  assert.equal(await far(server, 'loopback', key), 'loopback origin required')
  assert.equal(await far(server, 'native', key), 'native filesystem access requires loopback origin')
  assert.equal(await textOf(plain.ask('consume', FAR, {}, 3902)), 'PIN required')
  assert.equal(await textOf(plain.ask('consume', FAR, {}, 3902, { isSocket: true })), 'API key required')
  assert.equal(await textOf(server.ask('admin', FAR, key, 3902)), 'loopback origin required')
})

test('a trusted network counts by the address of the connection, without a proxy and without a wrong credential', async () => {
  const consume = (address: string, headers = {}) => plain.verdict('consume', address, headers)
  for (const address of ['192.168.1.0', '192.168.1.255', '::ffff:192.168.1.7', 'fd12::1', 'fd00::1%eth0'])
    assert.equal(await consume(address), 'ok', address)
  for (const address of ['192.168.0.255', '192.168.2.0', '::ffff:10.0.0.1', 'fe80::1', 'fc00::1', ''])
    assert.equal(await consume(address), 'UNAUTHORIZED', address)
  for (const headers of [{ 'x-forwarded-for': LAN }, { forwarded: 'for=x' }, { via: 'x' }])
    assert.equal(await consume(LAN, headers), 'UNAUTHORIZED', JSON.stringify(headers))
  assert.equal(await consume(LAN, { authorization: 'Bearer wrong-key-of-another' }), 'UNAUTHORIZED')
  const ticket = { text: 'svc_ws_ticket_used', path: '/ws/events' }
  await assert.rejects(plain.ask('consume', LAN, {}, 3900, { ticket, isSocket: true }), { code: 'UNAUTHORIZED' })
  assert.equal(await consume(LAN, { cookie: `${COOKIE}=svc_admin_session_expired` }), 'ok', 'browsers keep sending expired cookies')
  assert.equal(await consume(LAN, { host: 'evil.example' }), 'FORBIDDEN')
  assert.equal(await consume(LAN, { origin: 'https://evil.example' }), 'FORBIDDEN')
})

test('the client of a request is the person or device that sent it, if that is known', async () => {
  const gate = createTestGate({ host: '0.0.0.0', apiKey: KEY, trustedNetworks })
  const pin = gate.pins.begin()
  const of = gate.maker
  assert.equal(await of('127.0.0.1'), 'owner')
  assert.equal(await of(FAR, key), 'owner')
  assert.equal(await of(FAR, { authorization: `Bearer ${gate.signIns.begin('bearer').token}` }, 3902), 'owner')
  assert.equal(await of(LAN), `address:${LAN}`)
  assert.equal(await of('fd00::1'), 'address:fd00:0:0:0')
  assert.equal(await of('10.0.0.9', { 'x-svc-pin': pin }, 3902), 'address:10.0.0.9')
  const token = gate.pins.redeem(pin, FAR)!
  const device = await of('10.0.0.9', { cookie: `${PIN_COOKIE}=${token}` }, 3902)
  assert.match(device, /^device:[A-Za-z0-9_-]{22}$/)
  assert.equal(await of('10.0.0.77', { cookie: `${PIN_COOKIE}=${token}` }, 3902), device, 'at another address as well')
  assert.ok(!token.endsWith(device.slice('device:'.length)), 'the id does not prove the device')
  const other = createTestGate({ apiKey: KEY, ourUser: false })
  assert.equal(await other.maker('127.0.0.1'), 'user:1001')
  assert.equal(await other.maker('127.0.0.1', key), 'owner')
})

test('a device sends the PIN once and is then recognised by its cookie, which changes something only from our own page', async () => {
  const gate = createTestGate()
  const pin = gate.pins.begin()
  const { pinToken, name } = await gate.ask('consume', FAR, {}, 3902, { pin })
  assert.equal(name, 'pin')
  assert.match(pinToken!, /^svc_pin_[A-Za-z0-9_-]{43}$/)
  const cookie = `${PIN_COOKIE}=${pinToken}`
  assert.equal((await gate.ask('consume', FAR, { cookie }, 3902)).pinToken, null)
  assert.equal(await gate.shared('consume', FAR, { cookie: `${PIN_COOKIE}=${pin}` }), 'ok', 'a client may store the PIN itself')
  const post = { method: 'POST' }
  const host = '192.0.2.1:3902'
  const own = { host, origin: `http://${host}` }
  assert.equal(await gate.shared('consume', FAR, { cookie }, post), 'FORBIDDEN')
  assert.equal(await gate.shared('consume', FAR, { cookie: `${PIN_COOKIE}=${pin}` }, post), 'FORBIDDEN')
  assert.equal(await gate.shared('consume', FAR, { cookie, ...own }, post), 'FORBIDDEN')
  assert.equal(await gate.shared('consume', FAR, { cookie, ...own, 'x-svc-csrf': '1' }, post), 'ok')
  assert.equal(await gate.shared('consume', FAR, { cookie, 'x-svc-pin': pin }, post), 'ok', 'a header is sent on purpose')
  assert.equal(await gate.shared('consume', FAR, { cookie, origin: 'https://evil.example', 'x-svc-pin': pin }, post), 'FORBIDDEN')
  gate.pins.begin()
  assert.equal(await gate.shared('consume', FAR, { cookie }), 'PIN_REQUIRED', 'a new PIN ends the devices of the last one')
  gate.pins.end()
  for (const sent of [{ 'x-svc-pin': pin }, { cookie }] as Record<string, string>[])
    assert.equal(await gate.shared('consume', FAR, sent), 'PIN_REQUIRED')
})

test('a page of another site can neither guess the PIN in the browser of a device nor use up the guesses', async () => {
  const gate = createTestGate()
  const pin = gate.pins.begin()
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { host: 'evil.example:3902' }, // a name that was changed to the address of the studio
    { host: 'evil.example:3902', origin: 'http://evil.example:3902' },
  ]
  for (const headers of foreign) {
    for (let index = 1; index <= GUESSES; index++) {
      const guess = String((Number(pin) + index) % 1_000_000).padStart(6, '0')
      assert.equal(await gate.shared('open', `10.0.0.${index}`, headers, { pin: guess }), 'FORBIDDEN')
    }
    assert.equal(await gate.shared('consume', FAR, headers, { pin }), 'FORBIDDEN', JSON.stringify(headers))
    assert.equal(await gate.shared('consume', FAR, { ...headers, 'x-svc-pin': pin }), 'FORBIDDEN')
  }
  assert.equal(await gate.shared('consume', FAR, {}, { pin }), 'ok', 'no guess was counted')
})

test('names of this machine in other networks count on the shared port only', async () => {
  const gate = createTestGate()
  const host = 'studio-box.local:3902'
  assert.equal(await gate.shared('open', FAR, { host }), 'ok')
  assert.equal(await gate.verdict('open', '127.0.0.1', { host }), 'FORBIDDEN')
  assert.equal(await gate.shared('open', FAR, { host: 'evil.example' }), 'FORBIDDEN')
})
