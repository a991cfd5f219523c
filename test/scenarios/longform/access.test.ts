// Access to the routes of books, pronunciation and the watermark: every route for every kind of caller, and the meaning of a repeated key.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { createTestGate } from '#test/control-plane/http/access/test-gate.ts'
import { request } from '#test/support/world/http.ts'
import { sharedWorld } from '#test/support/world/world.ts'

const world = sharedWorld({ withoutAgent: true })
const ROUTES = CONTRACTS.filter(({ path }) => /^\/(audiobook|longform|stories|pronunciation|watermark)(\/|$)/.test(path)).map(
  ({ method, path, access }) => ({ method, access, path: path.replaceAll(/\{\w+\}/g, 'nothing') }),
)
const nameOf = ({ method, path }: (typeof ROUTES)[number]) => `${method} ${path}`
const GATE_REFUSALS: readonly number[] = [401, 403]

test('the 20 routes and those of covers and finished books are here; only those of the dictionary and of the mark administer', () => {
  assert.equal(ROUTES.length, 26, ROUTES.map(nameOf).join('\n'))
  for (const route of ROUTES) {
    const administers = route.path.startsWith('/pronunciation') || nameOf(route) === 'POST /watermark/settings'
    assert.equal(route.access, administers ? 'admin' : 'consume', nameOf(route))
  }
})

test('a device with the PIN may make books and may not change the dictionary; without the PIN it may do nothing', async () => {
  const { post } = await world()
  const { share_port: port, pin } = (await post('/system/network/enable')).json()
  try {
    for (const route of ROUTES) {
      const ask = async (headers: Record<string, string>) =>
        (await request(`http://127.0.0.1:${port}${route.path}`, { method: route.method, headers })).status
      assert.equal(await ask({}), route.access === 'admin' ? 403 : 401, nameOf(route))
      assert.equal(await ask({ 'x-svc-pin': pin === '000000' ? '000001' : '000000' }), route.access === 'admin' ? 403 : 401, nameOf(route))
      const status = await ask({ 'x-svc-pin': pin })
      if (route.access === 'admin') assert.equal(status, 403, nameOf(route))
      else assert.ok(!GATE_REFUSALS.includes(status) && status < 500, `${nameOf(route)}: ${status}`)
    }
  } finally {
    await post('/system/network/disable')
  }
})

test('pages of other sites and unknown host names are refused by each route', async () => {
  const { url } = await world()
  for (const route of ROUTES)
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { host: 'evil.example' }] as Record<string, string>[])
      assert.equal((await request(url + route.path, { method: route.method, headers })).status, 403, nameOf(route))
})

test('a trusted network uses, and administers nothing; an unknown one needs the key', async () => {
  const gate = createTestGate({ host: '0.0.0.0', apiKey: 'a-key-of-sixteen', trustedNetworks: ['10.1.0.0/16'] })
  for (const { method, access, ...route } of ROUTES) {
    const verdict = (address: string, headers = {}) => gate.verdict(access, address, headers, method)
    const key = { authorization: 'Bearer a-key-of-sixteen' }
    assert.equal(await verdict('10.1.2.3'), access === 'admin' ? 'FORBIDDEN' : 'ok', route.path)
    assert.equal(await verdict('10.2.2.3'), access === 'admin' ? 'FORBIDDEN' : 'UNAUTHORIZED', route.path)
    assert.equal(await verdict('10.2.2.3', key), access === 'admin' ? 'FORBIDDEN' : 'ok', route.path)
  }
})

test('an idempotency key does not join requests of these routes', async () => {
  const { send } = await world()
  const key = { 'idempotency-key': 'the-same' }
  const plan = async (text: string) => (await send('POST', '/audiobook/plan', { text }, key)).json()
  assert.deepEqual([(await plan('# A\n\none')).char_count, (await plan('# B\n\nlonger')).char_count], [3, 6])
  const add = async () => (await send('POST', '/pronunciation', { term: 'word', replacement: 'say', type: 'respelling' }, key)).json()
  const [first, second] = [await add(), await add()]
  assert.notEqual(first.id, second.id)
  for (const { id } of [first, second]) assert.deepEqual((await send('DELETE', `/pronunciation/${id}`)).json(), { deleted: true })
})
