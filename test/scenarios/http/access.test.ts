// Access control: pages of other sites, other machines, and host names that are not ours.
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { createAccessGate } from '#control-plane/http/access.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { request } from '#test/support/world/http.ts'
import { openWorld } from '#test/support/world/world.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'
const ADMIN = ['/workers', '/workers/target', '/workers/tasks']
const CONSUME = ['/v1/audio/voices', '/history', '/openapi.json', '/docs', '/audio/none.wav']
const PANEL = 'http://localhost:3901'

test('on this machine', async (t) => {
  const world = await openWorld(t, { impatient: true })
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

  await t.test('the web page and other allowed origins may send requests and read responses', async () => {
    for (const origin of [PANEL, 'http://127.0.0.1:3901', 'tauri://localhost', world.url]) {
      const { status, headers } = await get('/workers', { origin })
      assert.deepEqual([status, headers['access-control-allow-origin'], headers['access-control-allow-credentials']], [200, origin, 'true'])
      assert.match(String(headers['access-control-expose-headers']), /Content-Disposition.*X-Svc-Backend/)
      assert.match(String(headers.vary), /origin/i)
    }
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
})

const lanAddress = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

test('from another machine', { skip: lanAddress === undefined && 'this machine has only a loopback address' }, async (t) => {
  const world = await openWorld(t, { impatient: true, env: { STUDIO_HOST: '0.0.0.0', STUDIO_API_KEY: KEY } })
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

  await t.test('this machine still needs no key', async () => {
    for (const path of [...ADMIN, '/history']) assert.equal((await world.get(path)).status, 200, path)
  })
})

test('the access check, by address', () => {
  const open = createAccessGate({ host: '0.0.0.0', apiKey: KEY })
  const verdict = (access: 'open' | 'consume' | 'admin', address: string, headers: Record<string, string> = {}) => {
    try {
      open(access, { address, method: 'GET', headers: { host: 'localhost', ...headers } })
      return 'in'
    } catch (error) {
      assert.ok(error instanceof Failure)
      return error.code
    }
  }
  for (const address of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1']) assert.equal(verdict('admin', address), 'in', address)
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', 'fe80::1', '::', '', '1127.0.0.1']) {
    assert.equal(verdict('admin', address, { authorization: `Bearer ${KEY}` }), 'FORBIDDEN', address)
    assert.equal(verdict('consume', address), 'UNAUTHORIZED', address)
    assert.equal(verdict('consume', address, { authorization: `Bearer ${KEY}` }), 'in', address)
    assert.equal(verdict('open', address), 'in', address)
  }
  const closed = createAccessGate({ host: '192.0.2.1', apiKey: null })
  assert.throws(
    () => closed('consume', { address: '192.0.2.7', method: 'GET', headers: { host: '192.0.2.1', authorization: 'Bearer null' } }),
    /API key/,
  )
})
