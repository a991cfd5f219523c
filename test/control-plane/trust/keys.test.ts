// Keys in a folder and in sealed rows.
import assert from 'node:assert/strict'
import { createCipheriv } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openControllerKeys } from '#agent/inbound/controller-keys.ts'
import { loadSeal } from '#control-plane/store/seal.ts'
import { loadIdentity } from '#control-plane/trust/authority.ts'
import { openConnections } from '#control-plane/trust/connections.ts'
import { createSealedKeys, readSealingKeys, type SealedRow, type SealedRows } from '#control-plane/trust/sealed-keys.ts'
import { formatConnectionString } from '#shared/protocol/codes/connection-string.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { createFolderKeys, type Keys } from '#shared/runtime/file.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

/** The table of sealed keys in memory. */
function createSealedRows(): SealedRows & { readonly table: Map<string, SealedRow> } {
  const table = new Map<string, SealedRow>()
  return {
    table,
    read: async (name) => table.get(name) ?? null,
    write: async (row) => void table.set(row.name, row),
    list: async (prefix) => [...table.keys()].filter((name) => name.startsWith(prefix)),
    remove: async (name) => void table.delete(name),
  }
}

const line = (fill: string) => Buffer.alloc(32, fill).toString('base64')
function sealingKeys(t: TestContext, ...fills: string[]) {
  const path = join(temporaryFolder(t), 'seal-key')
  writeFileSync(path, `${fills.map(line).join('\n')}\n`)
  return readSealingKeys(path)
}
const sealed = (t: TestContext, rows = createSealedRows(), ...fills: string[]) =>
  createSealedKeys({ rows, keys: sealingKeys(t, ...(fills.length ? fills : ['a'])), cell: 'main' })

const BODIES: Readonly<Record<string, (t: TestContext) => Keys>> = {
  'in a folder': (t) => createFolderKeys(temporaryFolder(t)),
  'in sealed rows': (t) => sealed(t),
}
for (const [name, open] of Object.entries(BODIES)) {
  test(`keys ${name} are written whole, listed and removed`, async (t) => {
    const keys = open(t)
    assert.equal(await keys.read('authority/a.key'), null)
    assert.deepEqual(await keys.list('authority/'), [])
    await keys.remove('authority/a.key')
    await keys.write('authority/b.key', 'second')
    await keys.write('authority/a.key', Buffer.from([0, 255]))
    await keys.write('other/a.key', 'other')
    await keys.write('top', '')
    assert.deepEqual(await keys.read('authority/a.key'), Buffer.from([0, 255]))
    assert.deepEqual(await keys.read('top'), Buffer.alloc(0))
    assert.deepEqual(await keys.list('authority/'), ['authority/a.key', 'authority/b.key'])
    assert.deepEqual(await keys.list('authority/b'), ['authority/b.key'])
    await keys.write('authority/b.key', 'third')
    await keys.remove('authority/a.key')
    assert.deepEqual([await keys.list('authority/'), String(await keys.read('authority/b.key'))], [['authority/b.key'], 'third'])
    assert.ok(keys.placeOf('authority/b.key').includes('authority/b.key'))
  })

  test(`an authority, its rotation, connections, people's keys and secrets are kept ${name}`, async (t) => {
    const keys = open(t)
    const identity = await loadIdentity(keys, { clock, random })
    await identity.prepareNext()
    await identity.activate()
    const again = await loadIdentity(keys, { clock, random })
    assert.deepEqual([again.authorityPin, again.previousPin], [identity.authorityPin, identity.previousPin])
    assert.deepEqual(
      again.chainPem().slice(again.leaf.certificatePem.length),
      identity.chainPem().slice(identity.leaf.certificatePem.length),
    )
    await again.retire()
    assert.deepEqual((await loadIdentity(keys, { clock, random })).phase(), 'steady')

    const connections = await openConnections(keys, log)
    const fingerprint = 'ab'.repeat(32)
    const texts = [1, 2].map((port) => formatConnectionString({ secret: `svcnode_${'s'.repeat(43)}`, host: '10.0.0.7', port, fingerprint }))
    await Promise.all(texts.map((text) => connections.paste(text, 'key')))
    assert.deepEqual((await openConnections(keys, log)).all().length, 2)

    const people = await openControllerKeys(keys, { clock, random, log })
    const issued = await Promise.all(['Ada', 'Bob'].map(people.issue))
    const [first, second] = issued.map(({ key }) => key.id)
    const pins = ['1', '2', '3'].map((digit) => digit.repeat(64))
    const racers = await Promise.allSettled(pins.map((pin) => people.redeem(first!, issued[0]!.secret, pin)))
    assert.deepEqual(racers.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'], 'the key is bound once')
    const redeeming = assert.rejects(people.redeem(second!, issued[1]!.secret, pins[2]!), { code: 'WORKER_REVOKED' })
    const revoking = people.revoke(second!)
    assert.notEqual(people.get(second!)?.revokedAt, null, 'at once')
    await Promise.all([redeeming, revoking])
    const reopened = await openControllerKeys(keys, { clock, random, log })
    assert.deepEqual(reopened.list(), people.list())

    const seal = await loadSeal(keys, 'authority/settings.key')
    const closed = seal.close('hf_canary')
    await seal.addKey()
    assert.equal((await loadSeal(keys, 'authority/settings.key')).open(closed), 'hf_canary')
  })
}

test('the folder has the names and modes of earlier versions, and secrets of earlier versions open', async (t) => {
  const folder = temporaryFolder(t)
  const keys = createFolderKeys(folder)
  await keys.write('connections/0011.json', '{}')
  assert.deepEqual(
    [statSync(join(folder, 'connections')).mode & 0o777, statSync(join(folder, 'connections', '0011.json')).mode & 0o777],
    [0o700, 0o600],
  )
  writeFileSync(join(folder, 'connections', '0012.json.7.new'), 'half')
  assert.deepEqual(await keys.list('connections/'), ['connections/0011.json'])
  for (const name of ['../outside', 'connections/../../outside', '', 'connections/'])
    await assert.rejects(keys.write(name, 'x'), /is not the name of a file/)
  mkdirSync(join(folder, 'unreadable'))
  await assert.rejects(keys.read('unreadable'), { code: 'EISDIR' })

  const [key, nonce] = [Buffer.alloc(32, 'k'), Buffer.alloc(12, 'n')]
  await keys.write('authority/settings.key', key)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const text = Buffer.concat([cipher.update('hf_canary'), cipher.final()])
  const stored = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')
  assert.equal((await loadSeal(keys, 'authority/settings.key')).open(stored), 'hf_canary')
  assert.deepEqual(
    [readdirSync(join(folder, 'authority')), readFileSync(join(folder, 'authority', 'settings.key'))],
    [['settings.key'], key],
  )
})

test('a sealed row that was changed, renamed or moved to another cell is refused', async (t) => {
  const rows = createSealedRows()
  const keys = sealed(t, rows)
  await keys.write('authority/a.key', 'the private key')
  const row = rows.table.get('authority/a.key')!
  assert.ok(!row.bytes.includes('private'))
  const refused = async (changed: SealedRow, name = row.name, from = keys) => {
    rows.table.set(name, changed)
    await assert.rejects(from.read(name), { code: 'AUTH_FAILED', message: /was changed outside of this program/ })
  }
  for (const at of [0, 12, 28, row.bytes.length - 1]) {
    const bytes = Buffer.from(row.bytes)
    bytes[at]! ^= 1
    await refused({ ...row, bytes })
  }
  await refused({ ...row, bytes: row.bytes.subarray(0, 20) })
  await refused({ ...row, name: 'authority/b.key' }, 'authority/b.key')
  await refused(row, row.name, createSealedKeys({ rows, keys: sealingKeys(t, 'a'), cell: 'other' }))
  rows.table.set(row.name, row)
  assert.equal(String(await keys.read(row.name)), 'the private key')
})

test('a row is not opened by another sealing key, and the refusal names the one that is missing', async (t) => {
  const rows = createSealedRows()
  await sealed(t, rows, 'a').write('x', 'secret')
  const { keyId, ...row } = rows.table.get('x')!
  const other = sealed(t, rows, 'b')
  await assert.rejects(other.read('x'), { code: 'AUTH_FAILED', message: new RegExp(`with the key ${keyId}, which is not in the file`) })
  rows.table.set('x', { ...row, keyId: sealingKeys(t, 'b')[0]!.id })
  await assert.rejects(other.read('x'), { code: 'AUTH_FAILED', message: /was changed/ })
})

test('a new sealing key takes over row by row, while rows are written', async (t) => {
  const rows = createSealedRows()
  const before = sealed(t, rows, 'a')
  for (const name of ['one', 'two', 'three']) await before.write(name, `${name} before`)
  const both = sealed(t, rows, 'b', 'a')
  assert.equal(String(await both.read('one')), 'one before')
  await both.write('one', 'one after')
  const [count] = await Promise.all([both.reseal(), both.write('three', 'three after')])
  assert.ok(count === 1 || count === 2, `${count}`)
  const after = sealed(t, rows, 'b')
  const texts = await Promise.all(['one', 'two', 'three'].map(async (name) => String(await after.read(name))))
  assert.deepEqual(texts, ['one after', 'two before', 'three after'])
  assert.equal(await both.reseal(), 0)
})

test('a file of sealing keys with anything else is refused without its text', (t) => {
  const path = join(temporaryFolder(t), 'seal-key')
  const refused = (message: RegExp) => assert.throws(() => readSealingKeys(path), { code: 'AUTH_FAILED', message })
  refused(/ENOENT/)
  for (const [text, message] of [
    ['', /has no key\./],
    [`${line('a')}\nsecret-text`, /has no key in line 2/],
    [line('a').slice(0, 40), /has no key in line 1/],
    [`${line('a').slice(0, -1)}!`, /has no key in line 1/],
    [`${line('a')}\n`.repeat(100), /is too long/],
  ] as const) {
    writeFileSync(path, text)
    refused(message)
    assert.throws(
      () => readSealingKeys(path),
      (error) => !String(error).includes('secret-text'),
    )
  }
  writeFileSync(path, `\n${line('b')}\r\n${line('a')}`)
  assert.equal(readSealingKeys(path).length, 2)
})
