import assert from 'node:assert/strict'
import { test } from 'node:test'
import { COOKIE } from '#control-plane/http/access/sign-ins.ts'
import { isLoopback } from '#control-plane/http/contract/caller.ts'
import type { Access } from '#control-plane/http/contract/contract.ts'
import { createTestGate } from './test-gate.ts'

const KEY = 'a-key-of-sixteen'
const FAR = '10.0.0.9'
const key = { authorization: `Bearer ${KEY}` }
const local = createTestGate()
const open = createTestGate({ host: '0.0.0.0', apiKey: KEY })
const server = createTestGate({ host: '0.0.0.0', apiKey: KEY, serverMode: true })

test('every loopback address has full access', async () => {
  for (const address of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])
    for (const access of ['open', 'consume', 'admin'] as const) assert.equal(await local.verdict(access, address), 'ok', address)
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', 'fe80::1', '', '128.0.0.1', '::2', '1127.0.0.1'])
    assert.equal(isLoopback(address), false)
})

test('other machines reach open routes, consume routes with the key, and never admin routes', async () => {
  const far = (access: Access, headers = {}) => open.verdict(access, FAR, headers)
  assert.equal(await far('open'), 'ok')
  assert.equal(await far('consume'), 'UNAUTHORIZED')
  assert.equal(await far('consume', key), 'ok')
  for (const authorization of ['Bearer wrong', `Basic ${KEY}`, KEY, 'Bearer ', `Bearer ${KEY}x`, `bearer  ${KEY}`])
    assert.equal(await far('consume', { authorization }), 'UNAUTHORIZED', authorization)
  for (const scheme of ['bearer', 'BEARER']) assert.equal(await far('consume', { authorization: `${scheme} ${KEY}` }), 'ok', scheme)
  assert.equal(await far('admin', key), 'FORBIDDEN')
})

test('in server mode the key and a sign-in give the right to administer from other machines', async () => {
  const { token } = server.signIns.begin('bearer')
  assert.equal(await server.verdict('admin', FAR), 'UNAUTHORIZED')
  assert.equal(await server.verdict('admin', FAR, { authorization: 'Bearer wrong' }), 'UNAUTHORIZED')
  assert.equal(await server.verdict('admin', FAR, key), 'ok')
  assert.equal(await server.verdict('admin', FAR, { authorization: `Bearer ${token}` }), 'ok')
  const consuming = open.signIns.begin('bearer').token
  assert.equal(await open.verdict('consume', FAR, { authorization: `Bearer ${consuming}` }), 'ok')
  assert.equal(await open.verdict('admin', FAR, { authorization: `Bearer ${consuming}` }), 'FORBIDDEN')
})

test('without a configured key every key is refused', async () => {
  for (const authorization of ['Bearer ', 'Bearer null', 'Bearer undefined'])
    assert.equal(await local.verdict('consume', FAR, { authorization }), 'UNAUTHORIZED')
})

test('another local user may consume, and administers only with the key or a sign-in', async () => {
  const shared = createTestGate({ apiKey: KEY, ourUser: false })
  assert.equal(await shared.verdict('consume', '127.0.0.1'), 'ok')
  assert.equal(await shared.verdict('admin', '127.0.0.1'), 'OTHER_LOCAL_USER')
  assert.equal(await shared.verdict('admin', '127.0.0.1', { authorization: 'Bearer wrong' }), 'OTHER_LOCAL_USER')
  assert.equal(await shared.verdict('admin', '127.0.0.1', key), 'ok')
  const { token } = shared.signIns.begin('cookie')
  assert.equal(await shared.verdict('admin', '127.0.0.1', { cookie: `${COOKIE}=${token}` }), 'ok')
})

test('a loopback connection with a forwarding header is not local', async () => {
  for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-anything', 'x-real-ip']) {
    const headers = { [name]: 'x' }
    assert.equal(await open.verdict('consume', '127.0.0.1', headers), 'UNAUTHORIZED', name)
    assert.equal(await open.verdict('admin', '::1', headers), 'FORBIDDEN', name)
    assert.equal(await open.verdict('consume', '127.0.0.1', { ...headers, ...key }), 'ok', name)
    assert.equal(await server.verdict('admin', '127.0.0.1', { ...headers, ...key }), 'ok', name)
  }
})

test('in server mode no sender is local: everything but open routes needs the key', async () => {
  for (const address of ['127.0.0.1', '::1'])
    for (const [access, without, withKey] of [
      ['open', 'ok', 'ok'],
      ['consume', 'UNAUTHORIZED', 'ok'],
      ['local', 'UNAUTHORIZED', 'ok'],
      ['admin', 'UNAUTHORIZED', 'ok'],
      ['loopback', 'FORBIDDEN', 'FORBIDDEN'],
      ['native', 'FORBIDDEN', 'FORBIDDEN'],
    ] as const) {
      assert.equal(await server.verdict(access, address), without, access)
      assert.equal(await server.verdict(access, address, key), withKey, access)
    }
})

test('with a key only the names of loopback are local: a proxy may send any other one without a forwarding header', async () => {
  const named = { host: '0.0.0.0', allowedHosts: ['studio.lan'] }
  const [withKey, without] = [createTestGate({ ...named, apiKey: KEY }), createTestGate(named)]
  for (const host of ['studio.lan', 'studio.lan:443', '192.168.1.5:3900', '0.0.0.0:3900']) {
    assert.equal(await withKey.verdict('consume', '127.0.0.1', { host }), 'UNAUTHORIZED', host)
    assert.equal(await withKey.verdict('admin', '127.0.0.1', { host, ...key }), 'FORBIDDEN', host)
    assert.equal(await withKey.verdict('consume', '127.0.0.1', { host, ...key }), 'ok', host)
    assert.equal(await without.verdict('admin', '127.0.0.1', { host }), 'ok', host)
  }
  for (const host of ['localhost:3900', '127.0.0.1', '127.0.0.53:3900', '[::1]:3900', '[::ffff:127.0.0.1]'])
    assert.equal(await withKey.verdict('admin', '127.0.0.1', { host }), 'ok', host)
  assert.equal(await withKey.verdict('admin', '127.0.0.1', { host: '127.0.0.1.evil.example' }), 'FORBIDDEN')
})

test('a wrong key is counted before any kind of answer; a right key, a token and another scheme are not', async () => {
  const names = ['studio.lan']
  const gates = [{}, { serverMode: true }, { ourUser: false }, { trustedNetworks: ['10.0.0.0/8'] }].map((options) =>
    createTestGate({ host: '0.0.0.0', apiKey: KEY, allowedHosts: names, ...options }),
  )
  const ways: Record<string, string>[] = [
    {},
    { host: 'evil.example' },
    { host: 'studio.lan' },
    { 'x-forwarded-for': '203.0.113.1' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
  ]
  for (const gate of gates) {
    const pin = gate.pins.begin()
    const session = gate.signIns.begin('cookie').token
    const proofs: Record<string, string>[] = [{}, { 'x-svc-pin': pin }, { cookie: `${COOKIE}=${session}` }]
    for (const access of ['open', 'consume', 'local', 'admin', 'loopback', 'native'] as const)
      for (const headers of ways)
        for (const proof of proofs)
          for (const address of ['127.0.0.1', FAR])
            for (const port of [3900, 3902])
              for (const [authorization, more] of [
                ['Bearer wrong-key-of-sixteen', 1],
                ['bearer x', 1],
                [`Bearer ${KEY}`, 0],
                ['Bearer svc_admin_session_expired', 0],
                ['Basic d3Jvbmc6a2V5', 0],
              ] as const) {
                const before = gate.wrongKeys()
                await gate.ask(access, address, { ...headers, ...proof, authorization }, port).catch(() => {})
                assert.equal(gate.wrongKeys() - before, more, JSON.stringify([access, headers, proof, address, port, authorization]))
              }
  }
})

test('the user of the studio may send any text as a key, as many clients must; others wait', async () => {
  const waits = async (ourUser: boolean, headers: Record<string, string>) => {
    const gate = createTestGate({ apiKey: KEY, ourUser })
    const answers = new Set<string>()
    for (let count = 0; count < 30; count++)
      answers.add(await gate.verdict('open', '127.0.0.1', { authorization: 'Bearer none', ...headers }))
    return answers.has('TOO_MANY_WRONG_KEYS')
  }
  assert.equal(await waits(true, {}), false)
  assert.equal(await waits(false, {}), true)
  assert.equal(await waits(true, { via: 'x' }), true)
  const without = createTestGate({ apiKey: null })
  await without.verdict('consume', FAR, { authorization: 'Bearer none' })
  assert.equal(without.wrongKeys(), 0, 'without a key there is nothing to guess')
})

test('a link on another site leads to a page, and to nothing else', async () => {
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const ask = (headers: Record<string, string>, opensPage: boolean, method = 'GET') => {
    const connection = { remoteAddress: '127.0.0.1', localPort: 3900 }
    return local.gate('open', { connection, method, headers: { host: 'localhost', ...headers }, opensPage })
  }
  await ask(link, true)
  // Also from another port of this host, where the browser adds the cookie.
  const cookie = `${COOKIE}=${local.signIns.begin('cookie').token}`
  await ask({ ...link, 'sec-fetch-site': 'same-site', cookie }, true)
  await assert.rejects(ask({ ...link, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe', cookie }, true), { code: 'FORBIDDEN' })
  await assert.rejects(ask({ ...link, 'sec-fetch-site': 'same-site', cookie }, false), { code: 'FORBIDDEN' })
  await assert.rejects(ask(link, false), { code: 'FORBIDDEN' })
  for (const headers of [
    { 'sec-fetch-mode': 'no-cors' },
    { 'sec-fetch-dest': 'iframe' },
    { 'sec-fetch-dest': 'object' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { host: 'evil.example' },
  ] as Record<string, string>[])
    await assert.rejects(ask({ ...link, ...headers }, true), { code: 'FORBIDDEN' }, JSON.stringify(headers))
})

test('unknown host names are refused as DNS rebinding, unless the request has the right key', async () => {
  const names = ['evil.example', 'evil.example:3900', '127.0.0.1.evil.example', 'localhost.evil.example', '', 'a b']
  for (const host of names) {
    assert.equal(await local.verdict('open', '127.0.0.1', { host }), 'FORBIDDEN', host)
    assert.equal(await open.verdict('consume', FAR, { host, authorization: `Bearer ${KEY}x` }), 'FORBIDDEN', host)
    assert.equal(await open.verdict('consume', FAR, { host, ...key }), 'ok', host)
    assert.equal(await open.verdict('consume', '127.0.0.1', { host, ...key }), 'ok', host)
    assert.equal(await open.verdict('admin', '127.0.0.1', { host, ...key }), 'FORBIDDEN', host)
  }
  for (const host of ['localhost', 'LOCALHOST:3900', '127.0.0.1', '[::1]:3900', '192.168.1.5:3900'])
    assert.equal(await local.verdict('open', '127.0.0.1', { host }), 'ok', host)
  const named = createTestGate({ host: 'Studio.Home', apiKey: KEY, allowedHosts: ['studio.lan', 'host.docker.internal'] })
  for (const host of ['studio.home:3900', 'Studio.Lan', 'host.docker.internal:3900'])
    assert.equal(await named.verdict('open', '127.0.0.1', { host }), 'ok')
  assert.equal(await named.verdict('open', '127.0.0.1', { host: 'x.studio.lan' }), 'FORBIDDEN')
})

test('foreign origins are refused on every route, our own pages are not', async () => {
  const from = (origin: string) => local.verdict('open', '127.0.0.1', { origin })
  for (const origin of ['null', 'https://evil.example', 'http://127.0.0.1:9999', 'http://localhost:3900.evil.example', 'file://', ''])
    assert.equal(await from(origin), 'FORBIDDEN', origin)
  for (const origin of ['http://127.0.0.1:3900', 'https://127.0.0.1:3900', 'http://localhost:3901', 'tauri://localhost'])
    assert.equal(await from(origin), 'ok')
  assert.equal(await local.verdict('open', '127.0.0.1', { 'sec-fetch-site': 'cross-site' }), 'FORBIDDEN')
  assert.equal(await local.verdict('open', '127.0.0.1', { 'sec-fetch-site': 'same-origin' }), 'ok')
  const client = { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3901' }
  assert.equal(await local.verdict('open', '127.0.0.1', client), 'ok')
})

test('an origin administers only if it is our own page, is configured, or sends the key itself', async () => {
  const configured = createTestGate({ apiKey: KEY, allowedOrigins: ['http://localhost:3901', 'https://app.example'] })
  for (const origin of ['http://localhost:3901', 'http://127.0.0.1:3901', 'tauri://localhost', 'http://tauri.localhost']) {
    assert.equal(await local.verdict('consume', '127.0.0.1', { origin }), 'ok')
    assert.equal(await local.verdict('admin', '127.0.0.1', { origin }), 'FORBIDDEN', origin)
    assert.equal(await local.verdict('admin', '127.0.0.1', { origin, authorization: 'Bearer junk' }), 'FORBIDDEN', origin)
    const cookie = `${COOKIE}=${server.signIns.begin('cookie').token}`
    assert.equal(await server.verdict('admin', '127.0.0.1', { origin, cookie }), 'FORBIDDEN', origin)
    assert.equal(await configured.verdict('admin', '127.0.0.1', { origin, ...key }), 'ok', origin)
  }
  for (const origin of ['http://localhost:3901', 'https://app.example'])
    assert.equal(await configured.verdict('admin', '127.0.0.1', { origin }), 'ok', origin)
})

test('a cookie changes something only with the header and the origin of our own page', async () => {
  const cookie = `${COOKIE}=${open.signIns.begin('cookie').token}`
  const send = (headers: Record<string, string>, method = 'POST') => open.verdict('consume', FAR, { cookie, ...headers }, method)
  const origin = 'http://127.0.0.1:3900'
  assert.equal(await send({ origin, 'x-svc-csrf': '1' }), 'ok')
  for (const headers of [{}, { origin }, { 'x-svc-csrf': '1' }, { origin, 'x-svc-csrf': '0' }, { 'sec-fetch-site': 'same-origin' }])
    assert.equal(await send(headers as Record<string, string>), 'FORBIDDEN', JSON.stringify(headers))
  assert.equal(await send({}, 'GET'), 'ok')
  // A page on another port of the same host: the browser adds the cookie to its requests.
  assert.equal(await send({ 'sec-fetch-site': 'same-site' }, 'GET'), 'FORBIDDEN')
  assert.equal(await send({ origin: 'http://localhost:3901', 'x-svc-csrf': '1' }), 'FORBIDDEN')
  assert.equal(await send({ cookie: `${cookie}x` }, 'GET'), 'UNAUTHORIZED')
  assert.equal(await send({ cookie: `a=b; ${cookie}; c` }, 'GET'), 'ok')
})

test('a token works only by the way that it was issued for, and no longer after the sign-out', async () => {
  const bearer = open.signIns.begin('bearer').token
  const cookie = open.signIns.begin('cookie').token
  const asBearer = (token: string) => open.verdict('consume', FAR, { authorization: `Bearer ${token}` })
  const asCookie = (token: string) => open.verdict('consume', FAR, { cookie: `${COOKIE}=${token}` })
  assert.deepEqual([await asBearer(bearer), await asCookie(cookie)], ['ok', 'ok'])
  assert.deepEqual([await asBearer(cookie), await asCookie(bearer)], ['UNAUTHORIZED', 'UNAUTHORIZED'])
  open.signIns.end(open.signIns.find(bearer, 'bearer')!)
  assert.equal(await asBearer(bearer), 'UNAUTHORIZED')
})

test('a repeated header counts with its first value', async () => {
  assert.equal(await local.verdict('open', '::1', { host: ['evil.example', 'localhost'] }), 'FORBIDDEN')
})

test('the right key clears the record of wrong ones, and an expired session is no guess', async () => {
  const gate = createTestGate({ host: '0.0.0.0', apiKey: KEY })
  const guess = (text: string) => gate.verdict('consume', FAR, { authorization: `Bearer ${text}` })
  for (let count = 0; count < 50; count++) assert.equal(await guess('svc_admin_session_expired'), 'UNAUTHORIZED')
  const answers = new Set<string>()
  for (let count = 0; count < 20; count++) answers.add(await guess('wrong-key'))
  assert.deepEqual([...answers], ['UNAUTHORIZED', 'TOO_MANY_WRONG_KEYS'])
  assert.equal(await guess(KEY), 'ok')
  assert.equal(await guess('wrong-key'), 'UNAUTHORIZED')
})
