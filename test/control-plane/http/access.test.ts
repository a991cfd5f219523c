import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAccessGate, isLoopback } from '#control-plane/http/access.ts'
import type { Access } from '#control-plane/http/contract.ts'
import { Failure } from '#shared/protocol/failure.ts'

const KEY = 'a-key-of-sixteen'
const local = createAccessGate({ host: '127.0.0.1', apiKey: null })
const open = createAccessGate({ host: '0.0.0.0', apiKey: KEY })

function verdict(gate: typeof local, access: Access, address: string, headers: Record<string, string> = {}): string {
  try {
    gate(access, { address, method: 'GET', headers: { host: '127.0.0.1:3900', ...headers } })
    return 'ok'
  } catch (error) {
    assert.ok(error instanceof Failure)
    return error.code
  }
}

test('every loopback address has full access', () => {
  for (const address of ['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])
    for (const access of ['open', 'consume', 'admin'] as const) assert.equal(verdict(local, access, address), 'ok', address)
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', 'fe80::1', '', '128.0.0.1', '::2', '1127.0.0.1'])
    assert.equal(isLoopback(address), false)
})

test('other machines reach open routes, consume routes with the key, and never admin routes', () => {
  const far = (access: Access, headers = {}) => verdict(open, access, '10.0.0.9', headers)
  assert.equal(far('open'), 'ok')
  assert.equal(far('consume'), 'UNAUTHORIZED')
  assert.equal(far('consume', { authorization: `Bearer ${KEY}` }), 'ok')
  for (const authorization of ['Bearer wrong', `Basic ${KEY}`, KEY, 'Bearer ', `Bearer ${KEY}x`, `bearer  ${KEY}`])
    assert.equal(far('consume', { authorization }), 'UNAUTHORIZED', authorization)
  assert.equal(far('admin', { authorization: `Bearer ${KEY}` }), 'FORBIDDEN')
})

test('without a configured key every key is refused', () => {
  for (const authorization of ['Bearer ', 'Bearer null', 'Bearer undefined'])
    assert.equal(verdict(local, 'consume', '10.0.0.9', { authorization }), 'UNAUTHORIZED')
})

test('unknown host names are refused as DNS rebinding', () => {
  for (const host of ['evil.example', 'evil.example:3900', '127.0.0.1.evil.example', 'localhost.evil.example', '', 'a b'])
    assert.equal(verdict(local, 'open', '127.0.0.1', { host }), 'FORBIDDEN', host)
  for (const host of ['localhost', 'LOCALHOST:3900', '127.0.0.1', '[::1]:3900', '192.168.1.5:3900'])
    assert.equal(verdict(local, 'open', '127.0.0.1', { host }), 'ok', host)
  const named = createAccessGate({ host: 'Studio.Home', apiKey: KEY })
  assert.equal(verdict(named, 'open', '127.0.0.1', { host: 'studio.home:3900' }), 'ok')
})

test('foreign origins are refused on every route, our own pages are not', () => {
  const from = (origin: string) => verdict(local, 'open', '127.0.0.1', { origin })
  for (const origin of ['null', 'https://evil.example', 'http://127.0.0.1:9999', 'http://localhost:3900.evil.example', 'file://', ''])
    assert.equal(from(origin), 'FORBIDDEN', origin)
  for (const origin of ['http://127.0.0.1:3900', 'https://127.0.0.1:3900', 'http://localhost:3901', 'tauri://localhost'])
    assert.equal(from(origin), 'ok')
  assert.equal(verdict(local, 'open', '127.0.0.1', { 'sec-fetch-site': 'cross-site' }), 'FORBIDDEN')
  assert.equal(verdict(local, 'open', '127.0.0.1', { 'sec-fetch-site': 'same-origin' }), 'ok')
  assert.equal(verdict(local, 'open', '127.0.0.1', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3901' }), 'ok')
})

test('a repeated header counts with its first value', () => {
  assert.throws(() => local('open', { address: '::1', method: 'GET', headers: { host: ['evil.example', 'localhost'] } }), Failure)
})
