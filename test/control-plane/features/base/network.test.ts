// Parts of the network area without a studio: reading what the tailscale program prints, and the addresses of interfaces.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lanAddresses } from '#control-plane/features/base/network/lan-addresses.ts'
import { createSharing } from '#control-plane/features/base/network/sharing.service.ts'
import { readStatus, servedAt } from '#control-plane/features/base/network/tailscale/status.ts'
import { createSharePin } from '#control-plane/http/access/share-pin.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createLog } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

test('the status of Tailscale is read, with missing and null fields', () => {
  const status = {
    BackendState: 'Running',
    CertDomains: ['box.tail1234.ts.net'],
    Self: { DNSName: 'Box.tail1234.ts.net.', TailscaleIPs: ['100.64.0.7', 'fd7a::7'], Online: true },
    Peer: { key: { HostName: 'other' } },
  }
  assert.deepEqual(readStatus(JSON.stringify(status)), {
    running: true,
    name: 'box.tail1234.ts.net',
    addresses: ['100.64.0.7', 'fd7a::7'],
    certDomains: ['box.tail1234.ts.net'],
  })
  const stopped = { BackendState: 'NeedsLogin', TailscaleIPs: null, Self: { DNSName: '', TailscaleIPs: null }, CertDomains: null }
  assert.deepEqual(readStatus(JSON.stringify(stopped)), { running: false, name: null, addresses: [], certDomains: [] })
  assert.equal(readStatus('{"Self":{"DNSName":"a\\nb\\"<script>"},"BackendState":"Running"}')?.name, null)
  for (const text of ['', 'null', '[]', '{', 'Tailscale is stopped.', '{"BackendState":5}']) assert.equal(readStatus(text), null, text)
})

test('what a port of the tailnet leads to is read', () => {
  const config = (handlers: object) => JSON.stringify({ TCP: { 443: { HTTPS: true } }, Web: { 'box.ts.net:443': { Handlers: handlers } } })
  assert.equal(servedAt(config({ '/': { Proxy: 'http://127.0.0.1:3902' } }), 443), 'http://127.0.0.1:3902')
  assert.equal(servedAt(config({ '/': { Path: '/srv' } }), 443), '')
  assert.equal(servedAt(config({ '/': { Proxy: 'http://127.0.0.1:3902' }, '/other': { Proxy: 'http://127.0.0.1:1' } }), 443), '')
  assert.equal(servedAt(config({ '/': { Proxy: 'x' } }), 80), null)
  assert.equal(servedAt('{"TCP":{"443":{"TCPForward":"127.0.0.1:22"}}}', 443), '')
  for (const text of ['', '{}', 'null', '{"Web":5}']) assert.equal(servedAt(text, 443), null)
})

test('addresses of virtual interfaces come last, and loopback and IPv6 are left out', () => {
  const row = (address: string, family: 'IPv4' | 'IPv6' = 'IPv4', internal = false) => [{ address, family, internal }] as never
  const interfaces = {
    lo: row('127.0.0.1', 'IPv4', true),
    docker0: row('172.17.0.1'),
    eth0: row('192.168.1.5'),
    six: row('fe80::1', 'IPv6'),
  }
  assert.deepEqual(lanAddresses(interfaces), ['192.168.1.5', '172.17.0.1'])
  assert.deepEqual(lanAddresses({}), [])
})

test('without a free port, sharing is off and there is no PIN', async () => {
  const log = createLog('silent', 'test')
  const pins = createSharePin({ clock: createFakeClock(), random, log })
  const port = { open: () => Promise.reject(new Failure('CONFLICT', 'No port is free.')), close: async () => {}, port: () => null }
  const sharing = createSharing({ port, pins, firstPort: () => 3902, addresses: () => [], hasWeakKey: false, closing: async () => {}, log })
  await assert.rejects(sharing.enable(), { code: 'CONFLICT' })
  assert.deepEqual(sharing.state(), { enabled: false, share_port: null, pin: null, pin_required: false, lan_addresses: [] })
})
