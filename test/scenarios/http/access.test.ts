// Access control: pages of other sites, other machines, and host names that are not ours.
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { MOUNTED } from '#control-plane/http/mount/folders.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { SOCKETS } from '#control-plane/registry/sockets.ts'
import { createTestGate } from '#test/control-plane/http/access/test-gate.ts'
import { panelPath } from '#test/support/web/panel.ts'
import { request } from '#test/support/world/http.ts'
import { openWorld } from '#test/support/world/world.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'
const ADMIN = ['/workers', '/workers/target', '/workers/tasks']
/** The folder of the files of the page. */
const FILES = await panelPath()
const CONSUME = ['/v1/audio/voices', '/history', '/openapi.json', '/docs', `${FILES}/app.js`, '/audio/none.wav']
const PANEL = 'http://localhost:3901'
const CONFIGURED = 'https://app.example'
const BEARER = { authorization: `Bearer ${KEY}` }

test('on this machine', async (t) => {
  const configured = { STUDIO_API_KEY: KEY, STUDIO_ALLOWED_HOSTS: 'Studio.Lan, host.docker.internal', STUDIO_ALLOWED_ORIGINS: CONFIGURED }
  const world = await openWorld(t, { withoutAgent: true, env: configured })
  const { port } = new URL(world.url)
  const get = (path: string, headers: Record<string, string>) => request(world.url + path, { headers })

  await t.test('no key is needed', async () => {
    for (const path of ['/health', ...ADMIN, ...CONSUME.slice(0, -1)]) assert.equal((await world.get(path)).status, 200, path)
  })

  await t.test('an unknown host name is refused on every route, including routes that do not exist', async () => {
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      `localhost:${port}@evil.example`,
      'a b',
    ]) {
      for (const path of ['/health', '/workers', '/history', '/audio/none.wav', '/nothing']) {
        const { status, body } = await get(path, { host })
        assert.equal(status, 403, `${path} as ${host}`)
        assert.doesNotMatch(body.toString(), /workers":/)
      }
    }
    for (const host of ['localhost', `LocalHost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, '127.0.0.53'])
      assert.equal((await get('/health', { host })).status, 200, host)
  })

  await t.test('a page of another site is refused, with any combination of headers', async () => {
    for (const origin of [
      'null',
      'https://evil.example',
      'http://localhost:9999',
      `http://evil.example:${port}`,
      'file://',
      PANEL.replace('http', 'https'),
    ]) {
      for (const path of ['/health', '/workers', '/v1/audio/voices', '/audio/none.wav', '/nothing']) {
        const { status, headers } = await get(path, { origin })
        assert.equal(status, 403, `${path} from ${origin}`)
        assert.equal(headers['access-control-allow-origin'], undefined)
      }
    }
    assert.equal((await get('/history', { 'sec-fetch-site': 'cross-site' })).status, 403)
    for (const site of ['same-origin', 'same-site', 'none'])
      assert.equal((await get('/history', { 'sec-fetch-site': site })).status, 200, site)
    const written = await request(`${world.url}/workers/enabled`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: '{"enabled":true}',
    })
    assert.equal(written.status, 403)
    assert.equal((await world.get('/workers')).json().enabled, false)
  })

  await t.test('no route that changes something answers a page of another site, however the page sends its request', async () => {
    const bodies: readonly Record<string, string>[] = [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'multipart/form-data; boundary=x' },
    ]
    const sites: readonly Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { host: `evil.example:${port}` },
    ]
    for (const [turn, { method, path: pattern }] of CONTRACTS.filter(({ method }) => method !== 'GET').entries()) {
      const path = pattern.replaceAll(/\{\w+\}/g, '0')
      for (const [index, type] of bodies.entries()) {
        const sent = { method, headers: { ...type, ...sites[(turn + index) % sites.length] }, body: 'history_id=1' }
        const { status } = await request(world.url + path, sent)
        assert.equal(status, 403, `${method} ${path} ${JSON.stringify(sent.headers)}`)
      }
    }
  })

  await t.test('the web page and other allowed origins may send requests and read responses', async () => {
    for (const origin of [PANEL, 'http://127.0.0.1:3901', 'tauri://localhost', world.url]) {
      const { status, headers } = await get('/history', { origin })
      assert.deepEqual([status, headers['access-control-allow-origin'], headers['access-control-allow-credentials']], [200, origin, 'true'])
      assert.match(String(headers['access-control-expose-headers']), /Content-Disposition.*X-Svc-Backend/)
      assert.match(String(headers.vary), /origin/i)
    }
    assert.equal((await get('/workers', { origin: world.url })).status, 200)
    for (const origin of [PANEL, 'tauri://localhost'])
      assert.equal((await get('/workers', { origin })).status, 403, `${origin} administers by its name alone`)
    const ask = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' }
    const preflight = await request(`${world.url}/history/x/starred`, { method: 'OPTIONS', headers: { origin: PANEL, ...ask } })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers['access-control-allow-origin'], PANEL)
    assert.match(String(preflight.headers['access-control-allow-methods']), /PUT.*DELETE|DELETE.*PUT/)
    const foreign = await request(`${world.url}/history/x/starred`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', ...ask },
    })
    assert.equal(foreign.headers['access-control-allow-origin'], undefined)
  })
  await t.test('a proxy on this machine makes its requests those of another machine', async () => {
    for (const header of ['x-forwarded-for', 'forwarded', 'via']) {
      const { status, json } = await get('/workers', { [header]: '127.0.0.1' })
      assert.deepEqual([status, json().detail], [403, 'loopback origin required'], header)
      assert.equal((await get('/history', { [header]: '127.0.0.1' })).status, 401, header)
      assert.equal((await get('/history', { [header]: '127.0.0.1', ...BEARER })).status, 200, header)
    }
  })

  await t.test('a proxy that passes on the name of the studio makes its requests those of another machine', async () => {
    for (const host of ['studio.lan', `STUDIO.lan:${port}`, '192.0.2.7', 'host.docker.internal:443']) {
      assert.equal((await get('/history', { host })).status, 401, host)
      for (const headers of [{}, BEARER])
        assert.deepEqual((await get('/workers', { host, ...headers })).json().detail, 'loopback origin required', host)
    }
    assert.equal((await get('/workers', { host: 'other.lan', ...BEARER })).status, 403)
  })

  await t.test('configured host names and origins are allowed; the right key needs no known host name', async () => {
    for (const host of ['studio.lan', 'STUDIO.lan:3900', 'host.docker.internal']) {
      assert.equal((await get('/health', { host })).status, 200, host)
      assert.equal((await get('/history', { host, ...BEARER })).status, 200, host)
    }
    assert.equal((await get('/history', { host: 'other.lan' })).status, 403)
    assert.equal((await get('/history', { host: 'other.lan', ...BEARER })).status, 200)
    assert.equal((await get('/workers', { host: 'other.lan', authorization: `Bearer ${KEY}x` })).status, 403)
    const { status, headers } = await get('/workers', { origin: CONFIGURED })
    assert.deepEqual([status, headers['access-control-allow-origin']], [200, CONFIGURED])
  })
})

const lanAddress = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

test('from another machine', { skip: lanAddress === undefined && 'this machine has only a loopback address' }, async (t) => {
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_HOST: '0.0.0.0', STUDIO_API_KEY: KEY } })
  const { port } = new URL(world.url)
  const get = (path: string, headers: Record<string, string> = {}) => request(`http://${lanAddress}:${port}${path}`, { headers })

  await t.test('health is open, work requires the key, and everything else is limited to this machine', async () => {
    assert.equal((await get('/health')).status, 200)
    for (const path of CONSUME) {
      for (const authorization of ['', 'Bearer', 'Bearer ', `Bearer ${KEY}x`, `Bearer ${KEY.slice(1)}`, `Basic ${KEY}`, KEY]) {
        const { status, json } = await get(path, authorization ? { authorization } : {})
        assert.equal(status, 401, `${path} with ${authorization}`)
        assert.equal(json().detail, 'API key required')
      }
      const { status } = await get(path, { authorization: `Bearer ${KEY}` })
      assert.equal(status, path.startsWith('/audio') ? 404 : 200, path)
    }
    for (const path of ADMIN) {
      for (const headers of [{}, { authorization: `Bearer ${KEY}` }] as Record<string, string>[]) {
        const reply = await get(path, headers)
        assert.deepEqual([reply.status, reply.json().detail], [403, 'loopback origin required'])
      }
    }
  })

  await t.test('a client cannot forge its address', async () => {
    for (const headers of [
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
      { 'x-real-ip': '127.0.0.1' },
      { host: `localhost:${port}` },
    ] as Record<string, string>[]) {
      assert.equal((await get('/workers', headers)).status, 403)
      assert.equal((await get('/history', headers)).status, 401)
    }
    assert.equal((await get('/health', { host: 'evil.example' })).status, 403)
  })

  await t.test('wrong keys are answered later and later, and counted', async () => {
    const times: number[] = []
    for (let index = 0; index < 3; index++) {
      const { status, totalMs } = await get('/history', { authorization: `Bearer ${KEY}${index}` })
      assert.equal(status, 401)
      times.push(totalMs)
    }
    assert.ok(times[0]! >= 99 && times[1]! >= 199 && times[2]! >= 399, times.join(' '))
    const { body } = await get('/metrics', { authorization: `Bearer ${KEY}` })
    assert.match(body.toString(), /^studio_wrong_api_keys_total 1[0-9]$/m)
  })

  await t.test('without a sign-in, a browser receives the sign-in page and its files, and nothing else', async () => {
    const page = await get('/')
    assert.deepEqual([page.status, page.headers['cache-control']], [200, 'no-store'])
    const text = page.body.toString()
    assert.match(text, /<form/)
    assert.doesNotMatch(text, /\/panel\//)
    const files = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => new URL(path!, `${world.url}/`).pathname)
    for (const path of new Set(files)) assert.equal((await get(path)).status, 200, path)
    for (const path of [
      ...['app.js', 'styles/base.css', 'pages/home/page.js', 'pages/transcribe/capture.js'].map((name) => `${FILES}/${name}`),
      '/docs',
    ])
      assert.equal((await get(path)).status, 401, path)
    for (const path of ['/sign-in/app.js', '/sign-in/..%2fapp.js', `${FILES}/sign-in/en.js`])
      assert.notEqual((await get(path)).status, 200, path)
  })

  await t.test('no route but the open ones answers without a proof', async () => {
    for (const { method, path, access } of [...CONTRACTS, ...MOUNTED]) {
      if (access === 'open') continue
      const url = `http://${lanAddress}:${port}${path.replaceAll(/\{\w+\}/g, 'x')}`
      for (const headers of [{}, { cookie: `svc_session=svc_admin_session_${'A'.repeat(43)}` }] as Record<string, string>[])
        assert.equal((await request(url, { method, headers })).status, access === 'consume' ? 401 : 403, `${method} ${path}`)
    }
  })

  const auth = (method: string, headers: Record<string, string>, body?: unknown, path = '/api/auth/session') =>
    request(`http://${lanAddress}:${port}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const origin = `http://${lanAddress}:${port}`
  const cookieOf = ({ headers }: { headers: { 'set-cookie'?: string[] | undefined } }) => headers['set-cookie']![0]!

  await t.test('a browser signs in with a cookie and out again', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong-key' }, { authorization: `Basic ${KEY}` }] as Record<string, string>[])
      assert.equal((await auth('POST', headers, { transport: 'cookie' })).status, 401)
    assert.equal((await auth('POST', BEARER, { transport: 'carrier pigeon' })).status, 422)
    const begun = await auth('POST', BEARER, { transport: 'cookie' })
    assert.deepEqual([begun.status, begun.body.length, begun.headers['cache-control']], [204, 0, 'no-store'])
    for (const path of ['/api/%61uth/session', '/api/auth/sessio%6e'])
      assert.equal((await auth('POST', BEARER, { transport: 'bearer' }, path)).headers['cache-control'], 'no-store', path)
    const header = cookieOf(begun)
    assert.match(header, /^svc_session=svc_admin_session_[A-Za-z0-9_-]{43}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/)
    assert.match(cookieOf(await auth('POST', { ...BEARER, 'x-forwarded-proto': 'https' }, { transport: 'cookie' })), /; Secure$/)

    const cookie = header.split(';')[0]!
    assert.equal((await get('/history', { cookie })).status, 200)
    assert.match(
      (await get('/', { cookie })).body.toString(),
      /<meta name="studio-rights" content="consume" \/>\s*<meta name="studio-sign-in" content="cookie"/,
    )
    const refused = await get('/workers', { cookie })
    assert.deepEqual([refused.status, refused.json().detail], [403, 'loopback origin required'])
    const change = (headers: Record<string, string>) => auth('DELETE', { cookie, ...headers }, undefined, '/history/none')
    assert.equal((await change({})).status, 403)
    assert.equal((await change({ origin })).status, 403)
    assert.equal((await change({ origin, 'x-svc-csrf': '1' })).status, 200)

    assert.equal((await auth('DELETE', { cookie })).status, 403)
    assert.equal((await get('/history', { cookie })).status, 200)
    const ended = await auth('DELETE', { cookie, origin, 'x-svc-csrf': '1' })
    assert.equal(ended.status, 204)
    assert.match(cookieOf(ended), /^svc_session=; Path=\/; Max-Age=0;/)
    assert.equal((await get('/history', { cookie })).status, 401)
    assert.equal((await auth('DELETE', {})).status, 204)
  })

  await t.test('a program signs in with a token, and opens sockets with tickets that work once', async () => {
    const begun = await auth('POST', BEARER, { transport: 'bearer' })
    assert.equal(begun.status, 201)
    const { token, expires_at: expiresAt, expires_in: seconds } = begun.json()
    assert.equal(seconds, 28_800)
    assert.ok(Math.abs(expiresAt - Date.now() / 1000 - seconds) < 60)
    const session = { authorization: `Bearer ${token}` }
    assert.equal((await get('/history', session)).status, 200)
    assert.equal((await auth('POST', session, { transport: 'bearer' })).status, 401, 'a token begins no further session')

    const ticketFor = (path: string, headers: Record<string, string> = session) => auth('POST', headers, { path }, '/api/auth/ws-ticket')
    assert.equal((await ticketFor('/ws/events', {})).status, 401)
    const withKey = await ticketFor('/ws/events', BEARER)
    assert.deepEqual([withKey.status, withKey.json().detail], [403, 'admin session required'])
    assert.equal((await ticketFor('/ws/nothing')).status, 422)
    for (const { path } of SOCKETS) assert.equal((await ticketFor(path)).status, 201, path)
    const made = await ticketFor('/ws/events')
    assert.deepEqual([made.status, made.json().expires_in], [201, 30])

    /** True if the socket opened and stayed open, or the code that it was closed with. */
    const opens = (ticket: string): Promise<number | WebSocket> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`ws://${lanAddress}:${port}/ws/events?ws_ticket=${ticket}`)
        socket.on('message', () => resolve(socket))
        socket.on('close', (code: number) => resolve(code))
      })
    assert.equal(await opens('none'), 1008)
    const elsewhere = (await ticketFor('/ws/transcribe')).json().ticket
    assert.equal(await opens(elsewhere), 1008)
    const first = opens(made.json().ticket)
    const second = await opens(made.json().ticket)
    assert.equal(second, 1008)
    const signedOut = await auth('DELETE', session)
    assert.equal(signedOut.status, 204)
    assert.equal(await first, 1008, 'the sign-out closes the sockets of the session')
  })

  await t.test('on this machine a ticket needs a session, and one that has ended is 401', async () => {
    const ticket = (headers: Record<string, string>) => world.send('POST', '/api/auth/ws-ticket', { path: '/ws/events' }, headers)
    assert.equal((await ticket({})).status, 403)
    assert.equal((await ticket(BEARER)).status, 403)
    assert.equal((await ticket({ authorization: `Bearer svc_admin_session_${'A'.repeat(43)}` })).status, 401)
  })

  await t.test('this machine still needs no key', async () => {
    for (const path of [...ADMIN, '/history']) assert.equal((await world.get(path)).status, 200, path)
  })

  await t.test('a restart ends all sessions; in server mode the new key and its sessions administer', async () => {
    const { token } = (await auth('POST', BEARER, { transport: 'bearer' })).json()
    const changed = 'another-key-of-sixteen-characters'
    await world.restart('SIGTERM', { STUDIO_API_KEY: changed, STUDIO_SERVER_MODE: '1', STUDIO_PORT: port })
    assert.equal((await get('/history', { authorization: `Bearer ${token}` })).status, 401)
    assert.equal((await get('/workers', BEARER)).status, 401)
    const newKey = { authorization: `Bearer ${changed}` }
    assert.equal((await get('/workers', newKey)).status, 200)
    const cookie = cookieOf(await auth('POST', newKey, { transport: 'cookie' })).split(';')[0]!
    assert.equal((await get('/workers', { cookie })).status, 200)
    assert.match((await get('/', { cookie })).body.toString(), /name="studio-rights" content="admin"/)
  })
})

test('the access check, by address', async () => {
  const { verdict } = createTestGate({ host: '0.0.0.0', apiKey: KEY })
  for (const address of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) assert.equal(await verdict('admin', address), 'ok', address)
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', 'fe80::1', '::', '', '1127.0.0.1']) {
    assert.equal(await verdict('admin', address, BEARER), 'FORBIDDEN', address)
    assert.equal(await verdict('consume', address), 'UNAUTHORIZED', address)
    assert.equal(await verdict('consume', address, BEARER), 'ok', address)
    assert.equal(await verdict('open', address), 'ok', address)
  }
  const closed = createTestGate({ host: '192.0.2.1' })
  assert.equal(await closed.verdict('consume', '192.0.2.7', { host: '192.0.2.1', authorization: 'Bearer null' }), 'UNAUTHORIZED')
})
