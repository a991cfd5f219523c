import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openControllerKeys } from '#agent/inbound/controller-keys.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const [PIN, OTHER] = ['a'.repeat(64), 'b'.repeat(64)] as const
function open(t: TestContext) {
  const folder = join(temporaryFolder(t), 'inbound')
  const clock = createFakeClock()
  return {
    folder,
    clock,
    file: join(folder, 'keys.json'),
    again: () => openControllerKeys(createFolderKeys(folder), { clock, random, log }),
  }
}
const refusal = async (act: () => unknown): Promise<string> => {
  try {
    await act()
  } catch (error) {
    assert.ok(error instanceof Failure)
    return `${error.code}: ${error.message}`
  }
  return assert.fail('nothing was refused')
}

test('a secret is shown once and stored as a digest that only the owner may read', async (t) => {
  const { again, file, folder } = open(t)
  const keys = await again()
  const { key, secret } = await keys.issue('  Ada ')
  assert.match(secret, /^svcnode_[A-Za-z0-9_-]{43}$/)
  assert.equal(key.id, createHash('sha256').update(secret).digest('hex').slice(0, 12))
  assert.equal(key.label, 'Ada')
  assert.equal((await keys.issue('')).key.label, 'Panel')
  assert.ok(!readFileSync(file, 'utf8').includes(secret.slice(8)))
  assert.deepEqual([statSync(file).mode & 0o777, statSync(folder).mode & 0o777], [0o600, 0o700])
  assert.equal((await again()).get(key.id)?.label, 'Ada')
})

test('the first controller binds its key and may redeem again, another may not, and the binding survives a restart', async (t) => {
  const { again } = open(t)
  const keys = await again()
  const { key, secret } = await keys.issue('Ada')
  assert.equal(keys.byPin(PIN), null)
  assert.equal((await keys.redeem(key.id, secret, PIN)).pin, PIN)
  assert.equal((await keys.redeem(key.id, secret, PIN)).pin, PIN)
  const used = 'AUTH_FAILED: Another studio already uses this connection string. Ask for a new one.'
  assert.equal(await refusal(() => keys.redeem(key.id, secret, OTHER)), used)
  assert.equal(await refusal(async () => (await again()).redeem(key.id, secret, OTHER)), used)
  assert.deepEqual([...(await again()).boundPins()], [PIN])
  assert.equal((await again()).byPin(PIN)?.id, key.id)
})

test('a wrong secret reveals nothing about the key', async (t) => {
  const { again } = open(t)
  const keys = await again()
  const { key, secret } = await keys.issue('Ada')
  const unknown = await refusal(() => keys.redeem('0'.repeat(12), secret, PIN))
  await keys.redeem(key.id, secret, PIN)
  assert.equal(await refusal(() => keys.redeem(key.id, 'svcnode_wrong', OTHER)), unknown)
  await keys.revoke(key.id)
  assert.equal(await refusal(() => keys.redeem(key.id, 'svcnode_wrong', OTHER)), unknown)
})

test('a revocation is permanent and affects one person only', async (t) => {
  const { again } = open(t)
  const keys = await again()
  const [ada, bob] = [await keys.issue('Ada'), await keys.issue('Bob')]
  await keys.redeem(ada.key.id, ada.secret, PIN)
  await keys.redeem(bob.key.id, bob.secret, OTHER)
  await keys.revoke(ada.key.id)
  for (const now of [keys, await again()]) {
    assert.deepEqual([...now.boundPins()], [OTHER])
    assert.match(await refusal(() => now.redeem(ada.key.id, ada.secret, PIN)), /^WORKER_REVOKED/)
    assert.match(await refusal(() => now.renew(ada.key.id, PIN)), /^WORKER_REVOKED/)
    assert.match(await refusal(() => now.revoke(ada.key.id)), /^NOT_FOUND/)
    assert.equal(now.renew(bob.key.id, OTHER).label, 'Bob')
  }
  assert.match(await refusal(() => keys.renew(bob.key.id, PIN)), /^AUTH_FAILED/)
  assert.match(await refusal(() => keys.revoke('0'.repeat(12))), /^NOT_FOUND/)
})

test('a revoked person can return with a new string, also from the same studio', async (t) => {
  const { again } = open(t)
  const keys = await again()
  const [first, second, third] = [await keys.issue('Ada'), await keys.issue('Ada again'), await keys.issue('twice')]
  await keys.redeem(first.key.id, first.secret, PIN)
  assert.match(await refusal(() => keys.redeem(second.key.id, second.secret, PIN)), /already uses this machine as "Ada"/)
  await keys.revoke(first.key.id)
  await keys.redeem(second.key.id, second.secret, PIN)
  assert.equal(keys.byPin(PIN)?.id, second.key.id)
  assert.equal(keys.get(third.key.id)?.pin, null)
})

test('a revocation takes effect even when it cannot be written', async (t) => {
  const { again, file } = open(t)
  const keys = await again()
  const { key, secret } = await keys.issue('Ada')
  await keys.redeem(key.id, secret, PIN)
  mkdirSync(`${file}.${process.pid}.new`) // where the new file would be written
  await assert.rejects(keys.revoke(key.id))
  assert.equal(keys.byPin(PIN), null)
})

test('a damaged file grants no access and is kept under another name', async (t) => {
  const { again, file } = open(t)
  const { key, secret } = await (await again()).issue('Ada')
  for (const text of ['', '{', '[{"id":1}]', '{}']) {
    writeFileSync(file, text)
    const keys = await again()
    assert.match(await refusal(() => keys.redeem(key.id, secret, PIN)), /^AUTH_FAILED/)
    assert.ok(existsSync(`${file}.damaged`))
  }
})
