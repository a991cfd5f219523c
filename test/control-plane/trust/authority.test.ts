import assert from 'node:assert/strict'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadIdentity, STUDIO } from '#control-plane/trust/authority.ts'
import { inspectLeaf, validityOf } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

test('the studio keeps its identity over a restart, with a new leaf, and only its owner may read its keys', async (t) => {
  const folder = temporaryFolder(t)
  const clock = createFakeClock()
  const first = await loadIdentity(createFolderKeys(folder), { clock, random })
  clock.advance(3600_000)
  const second = await loadIdentity(createFolderKeys(folder), { clock, random })
  assert.deepEqual([second.authority, second.authorityPin, second.studioPin], [first.authority, first.authorityPin, first.studioPin])
  assert.equal(second.leaf.keyPem, first.leaf.keyPem)
  assert.equal(validityOf(second.leaf.certificatePem).notBefore - validityOf(first.leaf.certificatePem).notBefore, 3600_000)
  inspectLeaf({
    certificatePem: second.leaf.certificatePem,
    authorityPem: second.authority.certificatePem,
    publicKeyPem: publicKeyOf(second.leaf.keyPem),
    role: 'studio',
    id: STUDIO,
    now: clock.now(),
  })

  const inside = join(folder, 'authority')
  assert.equal(statSync(inside).mode & 0o777, 0o700)
  assert.deepEqual(readdirSync(inside).sort(), ['authority.key', 'authority.pem', 'studio.key'])
  for (const name of readdirSync(inside)) assert.equal(statSync(join(inside, name)).mode & 0o777, 0o600, name)

  const key = await createKey()
  const worker = { certificatePem: second.issue('gpu', publicKeyOf(key)), authorityPem: first.authority.certificatePem }
  inspectLeaf({ ...worker, publicKeyPem: publicKeyOf(key), role: 'worker', id: 'gpu', now: clock.now() })
  assert.equal(pinOf(worker.certificatePem), pinOf(publicKeyOf(key)))

  // A start that was interrupted before the certificate was written starts again instead of keeping a key without a certificate.
  rmSync(join(inside, 'authority.pem'))
  const third = await loadIdentity(createFolderKeys(folder), { clock, random })
  assert.notEqual(third.authorityPin, first.authorityPin)
  assert.equal(third.studioPin, first.studioPin)
})
