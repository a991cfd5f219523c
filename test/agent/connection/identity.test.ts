import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type AgentIdentity, createIdentityFile } from '#agent/connection/identity.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const identity: AgentIdentity = {
  workerId: 'w',
  keyPem: 'k',
  certificatePem: 'c',
  authorityPem: 'a',
  studioPins: ['p'],
  studioName: 'Home',
  generation: 2,
  endpoints: [{ host: 'h', port: 7443 }, { path: '/run/x.sock' }],
}

test('there is no identity before the first join, and afterwards only the owner may read the file', (t) => {
  const folder = join(temporaryFolder(t), 'agent')
  const file = createIdentityFile(folder)
  assert.equal(file.read(), null)
  file.write(identity)
  assert.deepEqual(file.read(), identity)
  file.write({ ...identity, generation: 3 })
  assert.equal(file.read()!.generation, 3)
  assert.deepEqual(readdirSync(folder), ['identity.json'])
  assert.deepEqual([statSync(file.path).mode & 0o777, statSync(folder).mode & 0o777], [0o600, 0o700])
})

test('a damaged file is reported as damaged', (t) => {
  const file = createIdentityFile(temporaryFolder(t))
  file.write(identity)
  const whole = readFileSync(file.path, 'utf8')
  const { keyPem: _, ...lacking } = identity
  for (const text of ['', 'x', whole.slice(0, -10), '[]', JSON.stringify(lacking), JSON.stringify({ ...identity, more: 1 })]) {
    writeFileSync(file.path, text)
    assert.throws(
      () => file.read(),
      (error) => error instanceof Failure && error.code === 'AUTH_FAILED' && /is damaged\. Join the studio again/.test(error.message),
    )
  }
})
