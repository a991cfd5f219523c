// The port that is shared with a local network: guesses of the PIN, forged headers, and the rights of a device that has the PIN.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request as open } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { RIGHTS } from '#control-plane/http/access/principals.ts'
import { GUESSES } from '#control-plane/http/access/share-pin.ts'
import { MOUNTED } from '#control-plane/http/mount/folders.ts'
import { CONTRACTS } from '#control-plane/registry/contracts.ts'
import { request } from '#test/support/world/http.ts'
import { openWorld } from '#test/support/world/world.ts'

const KEY = 'a-key-of-more-than-sixteen-characters'

test('a device of the network gets no more than its PIN gives', async (t) => {
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_API_KEY: KEY, STUDIO_SERVER_MODE: '1' } })
  const share = async (): Promise<{ share_port: number; pin: string }> => (await world.post('/system/network/enable')).json()
  const { share_port: port, pin } = await share()
  const base = `http://127.0.0.1:${port}`
  const status = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    (await request(base + path, { method, headers })).status
  const rows = [...CONTRACTS, ...MOUNTED].map(({ method, path, access }) => ({ method, access, path: path.replaceAll(/\{\w+\}/g, 'x') }))

  await t.test('without the PIN no route but the open ones answers, from any address and with any header', async () => {
    const forged: Record<string, string>[] = [
      {},
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1;host=localhost' },
      { 'x-real-ip': '::1', via: '1.1 localhost' },
      { host: 'localhost' },
      { cookie: `svc_pin=svc_pin_${'A'.repeat(43)}` },
    ]
    for (const { method, path, access } of rows)
      if (access !== 'open')
        assert.equal(await status(path, forged[path.length % forged.length], method), access === 'consume' ? 401 : 403, `${method} ${path}`)
    for (const headers of forged)
      assert.deepEqual([await status('/history', headers), await status('/system/network/state', headers)], [401, 403])
  })

  await t.test('with the PIN, with the API key and with both, no route that administers answers', async () => {
    const beyond = rows.filter(({ access }) => !RIGHTS.pin.includes(access))
    assert.ok(beyond.length > 50)
    for (const { method, path } of beyond) assert.equal(await status(path, { 'x-svc-pin': pin }, method), 403, `${method} ${path}`)
    for (const headers of [{}, { 'x-svc-pin': pin }, { 'x-forwarded-for': '127.0.0.1' }] as Record<string, string>[])
      for (const path of ['/system/network/state', '/workers'])
        assert.equal(await status(path, { ...headers, authorization: `Bearer ${KEY}` }), 403)
    assert.equal((await world.get('/system/network/state')).json().pin, pin, 'nothing was changed')
  })

  await t.test('the PIN counts on the shared port only', async () => {
    const headers = { 'x-svc-pin': pin, 'x-forwarded-for': '192.0.2.1' }
    assert.equal((await request(`${world.url}/history`, { headers })).status, 401)
    assert.equal((await request(`${world.url}/history?pin=${pin}`, { headers: { via: 'x' } })).status, 401)
  })

  await t.test('headers cannot carry more than one PIN, or break out of the request', async () => {
    const raw = async (lines: readonly string[]) => {
      const socket = connect(port, '127.0.0.1')
      socket.end(['GET /history HTTP/1.1', `Host: 127.0.0.1:${port}`, ...lines, 'Connection: close', '', ''].join('\r\n'))
      return (await text(socket)).split('\r\n')[0]
    }
    const wrong = pin === '000000' ? '000001' : '000000'
    assert.match((await raw([`X-Svc-Pin: ${wrong}`, `X-Svc-Pin: ${pin}`]))!, / 401 /)
    assert.match((await raw([`X-Svc-Pin: ${pin}, ${wrong}`]))!, / 401 /)
    assert.match((await raw([`X-Svc-Pin: ${pin}\r`, 'X: y']))!, / 400 /)
    assert.match((await raw([`X-Svc-Pin: ${wrong}\n GET /admin`]))!, / 400 /)
    assert.match((await raw([`X-Svc-Pin: ${pin}\0`]))!, / 400 /)
    assert.equal(await status(`/history?pin=${wrong}&pin=${pin}`), 401)
    assert.equal(await status(`/history?pin=${pin}%0d%0aSet-Cookie:x=y`), 401)
    const answer = await request(`${base}/history?pin=${pin}`, { headers: { cookie: 'svc_pin=a\tb; svc_pin' } })
    assert.equal(answer.headers['set-cookie']?.length, 1)
    assert.doesNotMatch(answer.headers['set-cookie']![0]!, /x=y/)
  })

  await t.test('of thousands of guesses from many addresses 100 are compared, and devices with a cookie go on', async () => {
    const [cookie = ''] = (await request(`${base}/history`, { headers: { 'x-svc-pin': pin } })).headers['set-cookie']!
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    t.after(() => agent.destroy())
    const guess = async (index: number): Promise<number> => {
      const value = String((Number(pin) + 1 + index) % 1_000_000).padStart(6, '0')
      const localAddress = `127.0.0.${2 + (index % 40)}`
      const call = open(`${base}/health?pin=${value}`, { agent, localAddress, headers: index % 2 ? { 'x-svc-pin': value } : {} }).end()
      const [answer] = await once(call, 'response')
      answer.resume()
      await once(answer, 'end')
      return answer.statusCode
    }
    let compared = 0
    for (let index = 0; index < 2_000; index += 40) {
      const codes = await Promise.all(Array.from({ length: 40 }, (_, at) => guess(index + at)))
      compared += codes.filter((code) => code === 200).length
      assert.ok(codes.every((code) => code === 200 || code === 429))
    }
    assert.ok(compared <= GUESSES, `${compared} guesses were compared`)
    assert.equal(await status('/history', { 'x-svc-pin': pin }), 429, 'also for the right PIN, so that it cannot be found')
    assert.equal(await status('/history', { cookie: cookie.split(';')[0]! }), 200)
    assert.equal((await world.get('/history')).status, 200)
    await world.post('/system/network/disable')
    const again = await share()
    const answer = await request(`http://127.0.0.1:${again.share_port}/history`, { headers: { 'x-svc-pin': again.pin } })
    assert.equal(answer.status, 200, 'a new PIN starts again')
  })
})

test('a key that a person made up is named at the start, and keeps sharing off', async (t) => {
  const world = await openWorld(t, { withoutAgent: true, env: { STUDIO_API_KEY: 'Wintergarten-1987' } })
  await world.studio.says(/STUDIO_API_KEY is easy to guess.*\.\/studio key create\./)
  const refused = await world.post('/system/network/enable')
  assert.equal(refused.status, 409)
  assert.match(refused.json().detail, /easy to guess.*\.\/studio key create\./)
  assert.equal((await world.get('/system/network/state')).json().enabled, false)
})
