// Sharing in the local network and through Tailscale, as its owner and as a device of the network sees it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { WebSocket } from 'ws'
import { request } from '#test/support/world/http.ts'
import { openWorld, temporaryFolder } from '#test/support/world/world.ts'

/** Behaves like the tailscale program: prints the files of its folder, and records its arguments. */
const STAND_IN = `#!/bin/sh
cd "$(dirname "$0")"
echo "$*" >> calls
case "$*" in
  'status --json') [ -e slow ] && exec sleep 60; cat status.json ;;
  'serve status --json') cat serve.json ;;
  *) [ -e refuse ] && { echo 'Serve is not enabled on your tailnet.' >&2; exit 1; }; exit 0 ;;
esac
`
const RUNNING = {
  BackendState: 'Running',
  Self: { DNSName: 'box.tail1234.ts.net.', TailscaleIPs: ['100.64.0.7'] },
  CertDomains: ['box.tail1234.ts.net'],
}

test('sharing', async (t) => {
  const folder = temporaryFolder(t)
  const world = await openWorld(t, { withoutAgent: true, env: { PATH: `${folder}:${process.env['PATH']}` } })
  const post = async (path: string) => {
    const { status, json } = await world.post(`/system/${path}`)
    return { status, body: json() }
  }
  const state = async () => (await world.get('/system/network/state')).json()
  const device = (port: number, path: string, headers: Record<string, string> = {}, method = 'GET') =>
    request(`http://127.0.0.1:${port}${path}`, { headers, method })
  const enable = async (): Promise<{ share_port: number; pin: string; lan_addresses: string[] }> => {
    const { status, body } = await post('network/enable')
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }

  await t.test('is off after the start, and turning it off again changes nothing', async () => {
    const { lan_addresses: addresses, ...rest } = await state()
    assert.deepEqual(rest, { enabled: false, share_port: null, pin: null, pin_required: false })
    assert.ok(Array.isArray(addresses))
    assert.deepEqual((await post('network/disable')).body, { enabled: false })
  })

  await t.test('opens a port with a PIN, and turning it on twice keeps both', async () => {
    const [first, second] = await Promise.all([enable(), enable()])
    assert.deepEqual(first, second)
    assert.deepEqual(Object.keys(first).sort(), ['enabled', 'lan_addresses', 'pin', 'share_port'])
    assert.match(first.pin, /^\d{6}$/)
    assert.ok(first.share_port >= 3902 && first.share_port < 3922, String(first.share_port))
    const { share_port: port, pin } = first
    assert.deepEqual(await state(), { ...first, pin_required: true })
    const info = (await world.get('/system/info')).json()
    assert.deepEqual([info.share_enabled, info.share_port, info.pin_required, info.share_port_base], [true, first.share_port, true, 3902])
    const refused = await device(port, '/history')
    assert.deepEqual([refused.status, refused.json().detail], [401, 'PIN required'])
    assert.equal((await device(port, '/health')).status, 200)
    assert.doesNotMatch(world.studio.output(), new RegExp(pin))
  })

  await t.test('accepts the PIN as header, query and cookie, and stores a cookie that is not the PIN', async () => {
    const { share_port: port, pin } = await enable()
    const byHeader = await device(port, '/history', { 'x-svc-pin': pin })
    assert.equal(byHeader.status, 200)
    const [cookie = ''] = byHeader.headers['set-cookie'] ?? []
    assert.match(cookie, /^svc_pin=svc_pin_[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
    assert.equal((await device(port, `/history?pin=${pin}`)).status, 200)
    assert.equal((await device(port, '/history', { cookie: `svc_pin=${pin}` })).status, 200)
    const known = await device(port, '/history', { cookie: cookie.split(';')[0]! })
    assert.deepEqual([known.status, known.headers['set-cookie']], [200, undefined])
    assert.match((await device(port, '/', { 'x-svc-pin': pin })).body.toString(), /<meta name="studio-rights" content="consume"/)
    assert.match((await device(port, '/')).body.toString(), /<meta name="studio-proof" content="pin"/)
    assert.equal((await device(port, '/jobs/counts', { 'x-svc-pin': pin })).status, 200, 'the request of the page that asks for the PIN')
  })

  await t.test('a PIN opens no WebSocket', async () => {
    const { share_port: port, pin } = await enable()
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/events?pin=${pin}`, { headers: { 'x-svc-pin': pin } })
    const [code] = await once(socket, 'close')
    assert.equal(code, 1008)
  })

  await t.test('turning it off ends the connections of devices; the next time has another port or PIN', async () => {
    const { share_port: port, pin } = await enable()
    const stream = device(port, '/setup/download-stream', { 'x-svc-pin': pin }).then(
      () => 'ended',
      () => 'ended',
    )
    assert.equal((await device(port, '/history', { 'x-svc-pin': pin })).status, 200)
    assert.deepEqual((await post('network/disable')).body, { enabled: false })
    assert.equal(await stream, 'ended')
    await assert.rejects(device(port, '/health'), /ECONNREFUSED/)
    const taken = createServer().listen(port, '0.0.0.0')
    await once(taken, 'listening')
    const next = await enable()
    assert.ok(next.share_port > port)
    assert.equal((await device(next.share_port, '/history', { 'x-svc-pin': next.pin })).status, 200)
    taken.close()
    await post('network/disable')
  })

  const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value))
  const calls = () => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8').trim().split('\n') : [])
  const forget = () => writeFileSync(join(folder, 'calls'), '')

  await t.test('Tailscale that is not installed, not connected or broken is a state and not a failure', async () => {
    const none = { installed: false, running: false, magic_dns_name: null, tailnet_ips: [], cert_domains: [] }
    const status = async () => (await world.get('/system/tailscale/status')).json()
    const found = await status()
    if (!found.installed) assert.deepEqual(found, none)
    writeFileSync(join(folder, 'tailscale'), STAND_IN)
    chmodSync(join(folder, 'tailscale'), 0o755)
    assert.deepEqual(await status(), { ...none, installed: true }, 'a program that fails')
    writeFileSync(join(folder, 'status.json'), 'not JSON')
    assert.deepEqual(await status(), { ...none, installed: true })
    write('status.json', { BackendState: 'NeedsLogin', Self: null })
    assert.deepEqual(await status(), { ...none, installed: true })
    write('status.json', RUNNING)
    assert.deepEqual(await status(), {
      installed: true,
      running: true,
      magic_dns_name: 'box.tail1234.ts.net',
      tailnet_ips: ['100.64.0.7'],
      cert_domains: ['box.tail1234.ts.net'],
    })
  })

  await t.test('Tailscale leads to the shared port, with fixed arguments, and ends with sharing', async () => {
    write('status.json', RUNNING)
    write('serve.json', {})
    const off = await post('tailscale/enable')
    assert.deepEqual([off.status, off.body.ok], [200, false])
    assert.match(off.body.error, /Sharing is off/)
    const { share_port: port, pin } = await enable()
    forget()
    assert.deepEqual((await post('tailscale/enable')).body, { ok: true, scheme: 'https', url: 'https://box.tail1234.ts.net' })
    assert.deepEqual(calls(), ['status --json', 'serve status --json', `serve --bg --https=443 http://127.0.0.1:${port}`])
    // What the proxy of Tailscale sends.
    const proxied = { host: 'box.tail1234.ts.net', 'x-forwarded-for': '100.64.0.9', 'x-forwarded-proto': 'https' }
    assert.equal((await device(port, '/history', proxied)).status, 401)
    assert.equal((await device(port, '/history', { ...proxied, 'x-svc-pin': pin })).status, 200)
    assert.equal((await device(port, '/system/network/state', { ...proxied, 'x-svc-pin': pin })).status, 403)
    assert.match((await device(port, '/', proxied)).body.toString(), /<form/)
    forget()
    await post('network/disable')
    assert.deepEqual(calls(), ['serve --https=443 off'])
    assert.deepEqual((await post('tailscale/disable')).body, { ok: true })
  })

  await t.test('Tailscale without certificates is http, and what it serves already is left alone', async () => {
    await enable()
    write('status.json', { ...RUNNING, CertDomains: null })
    const http = (await post('tailscale/enable')).body
    assert.deepEqual([http.ok, http.scheme, http.url], [true, 'http', 'http://box.tail1234.ts.net'])
    assert.match(http.note, /no HTTPS certificates/)
    assert.deepEqual((await post('tailscale/disable')).body, { ok: true })
    write('status.json', RUNNING)
    write('serve.json', {
      TCP: { 443: { HTTPS: true } },
      Web: { 'box.tail1234.ts.net:443': { Handlers: { '/': { Proxy: 'http://x:1' } } } },
    })
    forget()
    assert.match((await post('tailscale/enable')).body.error, /serves another program/)
    assert.equal(
      calls().some((call) => call.includes('--bg')),
      false,
    )
    write('serve.json', {})
    writeFileSync(join(folder, 'refuse'), '')
    const refused = await post('tailscale/enable')
    assert.deepEqual([refused.status, refused.body], [200, { ok: false, error: 'Serve is not enabled on your tailnet.' }])
  })

  await t.test('is off after a restart', async () => {
    const { share_port: port } = await enable()
    await world.restart()
    assert.equal((await state()).enabled, false)
    await assert.rejects(device(port, '/health'), /ECONNREFUSED/)
  })
})
