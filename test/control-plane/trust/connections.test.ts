import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { endpointOf, openConnections } from '#control-plane/trust/connections.ts'
import { formatConnectionString } from '#shared/protocol/codes/connection-string.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const secret = `svcnode_${'s'.repeat(43)}`
const text = formatConnectionString({ secret, host: '10.0.0.7', port: 7444, fingerprint: 'ab'.repeat(32) })
const identity = { panelId: 'p', keyPem: 'key', certificatePem: 'c', authorityPem: 'a', generation: 0 }

test('a string is stored privately until the machine has bound the key, then its secret is removed', async (t) => {
  const dataDir = temporaryFolder(t)
  const connections = await openConnections(createFolderKeys(dataDir), log)
  const pasted = await connections.paste(text, 'key')
  const folder = join(dataDir, 'connections')
  const [file = ''] = readdirSync(folder)
  assert.equal(statSync(join(folder, file)).mode & 0o777, 0o600)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.match(readFileSync(join(folder, file), 'utf8'), /svcnode_s/)
  await connections.bound(endpointOf(pasted), 'w1', identity)
  assert.doesNotMatch(readFileSync(join(folder, file), 'utf8'), /svcnode_s/)
  assert.deepEqual((await openConnections(createFolderKeys(dataDir), log)).all(), connections.all())
})

test('a newer string for the same machine keeps the working identity until it is accepted, or refused', async (t) => {
  const connections = await openConnections(createFolderKeys(temporaryFolder(t)), log)
  const endpoint = endpointOf(await connections.paste(text, 'key'))
  await connections.bound(endpoint, 'w1', identity)
  const again = await connections.paste(text, 'other key')
  assert.deepEqual(again.identity, identity)
  assert.equal(again.pending?.keyPem, 'other key')
  assert.equal(connections.all().length, 1)
  await connections.refused(endpoint)
  assert.deepEqual([connections.get(endpoint)?.identity, connections.get(endpoint)?.pending], [identity, null])
  await connections.remove(endpoint)
  await assert.rejects(connections.bound(endpoint, 'w1', identity), { code: 'NOT_FOUND' })
})

test('a damaged file costs only its own connection, and their number is limited', async (t) => {
  const dataDir = temporaryFolder(t)
  const connections = await openConnections(createFolderKeys(dataDir), log)
  await connections.paste(text, 'key')
  writeFileSync(join(dataDir, 'connections', 'broken.json'), '{"half')
  assert.equal((await openConnections(createFolderKeys(dataDir), log)).all().length, 1)
  for (let port = 1; port < 64; port++) await connections.paste(text.replace(':7444', `:${port}`), 'key')
  await assert.rejects(connections.paste(text.replace(':7444', ':65000'), 'key'), { code: 'CONFLICT' })
})
