// The placeholder socket of the channels.
import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import tls from 'node:tls'
import { createChannelFactory } from '#shared/link/client/channel.ts'
import { requireTls13 } from '#shared/link/transport/options.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { eventually, LINK_KINDS, openPair } from '#test/support/doubles/link-pair.ts'

test('the placeholder socket is private and is removed on close', { skip: process.platform === 'win32' && 'it is a pipe' }, () => {
  const door = createChannelFactory()
  assert.equal(statSync(dirname(door.path)).mode & 0o777, 0o700)
  assert.equal(existsSync(door.path), true)
  door.close()
  assert.equal(existsSync(dirname(door.path)), false)
})

test('closed links keep no socket', async (t) => {
  const sockets = () => process.getActiveResourcesInfo().filter((name) => /^(TCP|Pipe|TLS)/.test(name) && !/Server/.test(name)).length
  const pairs = await Promise.all(LINK_KINDS.map((kind) => openPair(t, kind)))
  const before = sockets()
  for (let round = 0; round < 5; round++) {
    const links = await Promise.all(pairs.map((pair) => pair.connect()))
    await Promise.all(links.map((link) => link.describe({ studio_version: '', features: [] })))
    assert.ok(sockets() > before)
    for (const link of links) link.close(new Failure('WORKER_DISCONNECTED', 'done'))
  }
  await eventually('every socket is gone', () => sockets() <= before)
  for (const pair of pairs) assert.ok(pair.agentSockets.every((socket) => socket.destroyed))
})

test('older TLS versions are disabled for the whole process', (t) => {
  const before = tls.DEFAULT_MIN_VERSION
  t.after(() => {
    tls.DEFAULT_MIN_VERSION = before
  })
  tls.DEFAULT_MIN_VERSION = 'TLSv1.2'
  requireTls13()
  assert.equal(tls.DEFAULT_MIN_VERSION, 'TLSv1.3')
})
