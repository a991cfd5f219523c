// The three steps by which an authority is replaced, as those see it who have to find their way: with real TLS handshakes.

import assert from 'node:assert/strict'
import { cpSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { loadIdentity, type StudioIdentity } from '#control-plane/trust/authority.ts'
import { redeem, renew } from '#shared/link/port/enrol.ts'
import { createAgentListener } from '#shared/link/port/listener.ts'
import type { EnrolmentService } from '#shared/link/rpc.ts'
import type { Address } from '#shared/link/transport/address.ts'
import { inspectLeaf, validityOf } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { createRequest, readRequest } from '#shared/pki/request.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { sharedCertificates } from '#test/support/doubles/link-certificates.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const options = { clock, timeoutMs: 10_000 }
const csr_pem = createRequest(await createKey(), 'x')
const request = { token_id: 't', secret: 's', csr_pem, name: '', hostname: '', os: '', arch: '', agent_version: '', protocol: 1 }
const renewal = { worker_id: 'gpu', csr_pem, generation: 0, nonce: '' }

async function openStudio(t: TestContext, identity: StudioIdentity) {
  const answer = async (): Promise<Wire<'Identity'>> => ({
    worker_id: 'gpu',
    certificate_pem: identity.issue('gpu', readRequest(csr_pem).publicKeyPem),
    authority_pem: identity.trustPem(),
    studio_pins: identity.studioPins(),
    studio_name: '',
    generation: 0,
    endpoints: [],
  })
  const service: EnrolmentService = { redeem: answer, renew: answer }
  const tls = () => ({ key: identity.leaf.keyPem, certificateChain: identity.chainPem() })
  const listener = createAgentListener({
    enrolment: service,
    enrolmentTls: tls(),
    admit: async () => 'ok',
    onSession: async () => {},
    log,
    clock,
  })
  t.after(() => listener.close())
  const address: Address = await listener.listen({ host: '127.0.0.1', port: 0 })
  return {
    show: () => listener.setKeys(tls()),
    joins: (pins: string[]) => redeem([address], pins, request, options),
    renews: (authorityPem: string) => renew([address], authorityPem, renewal, options),
  }
}

test('printed codes and sleeping machines can reconnect after every step, until the old authority is retired', async (t) => {
  const folder = temporaryFolder(t)
  const identity = await loadIdentity(createFolderKeys(folder), { clock, random })
  const { show, joins, renews } = await openStudio(t, identity)
  const printed = identity.pins()
  const asleep = (await joins(printed)).authority_pem

  await identity.prepareNext()
  show()
  assert.equal(identity.phase(), 'prepared')
  const both = identity.pins()
  assert.deepEqual([both.length, both[0], both[1]], [2, printed[0], identity.nextPin])
  const told = (await joins(both)).authority_pem
  assert.equal(told.match(/BEGIN CERTIFICATE/g)!.length, 2)
  await joins(printed)
  await renews(asleep)

  const oldLeaf = identity.leaf
  await identity.activate()
  show()
  assert.equal(identity.phase(), 'activated')
  assert.deepEqual(identity.pins(), [both[1]])
  assert.notEqual(identity.leaf.keyPem, oldLeaf.keyPem, 'the key of the studio is replaced with it')
  assert.equal(identity.studioPins().length, 2)
  for (const pins of [printed, both, identity.pins()]) {
    const given = await joins(pins)
    assert.equal(given.authority_pem, identity.authority.certificatePem)
  }
  for (const known of [asleep, told, identity.authority.certificatePem]) await renews(known)

  const restarted = await loadIdentity(createFolderKeys(folder), { clock, random })
  assert.equal(restarted.phase(), 'activated')
  assert.deepEqual([restarted.pins(), restarted.studioPins()], [identity.pins(), identity.studioPins()])
  const after = await openStudio(t, restarted)
  await after.joins(printed)
  await after.renews(asleep)

  await identity.retire()
  show()
  assert.equal(identity.phase(), 'steady')
  await joins(identity.pins())
  await renews(told)
  await assert.rejects(joins(printed), (error) => error instanceof Failure && error.code === 'AUTH_FAILED')
  await assert.rejects(renews(asleep), (error) => error instanceof Failure && error.code === 'WORKER_UNREACHABLE')
  assert.equal(readdirSync(join(folder, 'authority')).length, 5, 'the keys of the old one are gone')
})

test('a step out of order is refused, and a repeated one has no effect', async (t) => {
  const identity = await loadIdentity(createFolderKeys(temporaryFolder(t)), { clock, random })
  const refused = (step: () => unknown) => assert.rejects(async () => step(), { code: 'CONFLICT' })
  await refused(identity.activate)
  await refused(identity.retire)
  await identity.prepareNext()
  const { nextPin } = identity
  await identity.prepareNext()
  assert.equal(identity.nextPin, nextPin)
  await refused(identity.retire)
  await identity.activate()
  await identity.activate()
  assert.equal(identity.authorityPin, nextPin)
  await refused(identity.prepareNext)
  await identity.retire()
  await refused(identity.retire)
  await identity.prepareNext()
  await identity.activate()
  assert.equal(identity.phase(), 'activated', 'and again, from the second to the third')
})

test('an authority beside a leaf that it did not sign proves nothing', async (t) => {
  const { stranger, studio } = await sharedCertificates()
  const identity = await loadIdentity(createFolderKeys(temporaryFolder(t)), { clock, random })
  const [pin] = identity.pins()
  await identity.prepareNext()
  await identity.activate()
  // The whole real chain, behind the leaf of another studio.
  const chain = identity.chainPem().slice(identity.leaf.certificatePem.length)
  const listener = createAgentListener({
    enrolment: { redeem: () => assert.fail('asked'), renew: () => assert.fail('asked') },
    enrolmentTls: { key: studio.key, certificateChain: studio.certificate + chain },
    admit: async () => 'ok',
    onSession: async () => {},
    log,
    clock,
  })
  t.after(() => listener.close())
  const address = await listener.listen({ host: '127.0.0.1', port: 0 })
  for (const pins of [[pin!], identity.pins()])
    await assert.rejects(redeem([address], pins, request, options), (error) => error instanceof Failure && error.code === 'AUTH_FAILED')
  assert.ok(stranger)
})

test('after a crash at any point, the next start is in the state before the step or after it', async (t) => {
  const folder = temporaryFolder(t)
  const path = (name: string) => join(folder, 'authority', name)
  const load = () => loadIdentity(createFolderKeys(folder), { clock, random })
  const identity = await load()
  const before = identity.authorityPin
  await identity.prepareNext()
  const [key] = readdirSync(join(folder, 'authority')).filter((name) => /^authority-.*(?<!studio)\.key$/.test(name))
  const name = key!.replace('.key', '')
  const saved = temporaryFolder(t)
  cpSync(join(folder, 'authority'), saved, { recursive: true })

  // prepare: everything written but who is who.
  rmSync(path('rotation.json'))
  assert.deepEqual([(await load()).phase(), (await load()).authorityPin], ['steady', before])
  await (await load()).prepareNext()
  assert.equal((await load()).phase(), 'prepared')

  // activate: cross-signed, not said yet.
  rmSync(join(folder, 'authority'), { recursive: true })
  cpSync(saved, join(folder, 'authority'), { recursive: true })
  writeFileSync(path(`${name}.cross.pem`), 'half')
  const prepared = await load()
  assert.deepEqual([prepared.phase(), prepared.authorityPin], ['prepared', before])
  await prepared.activate()
  assert.equal((await load()).phase(), 'activated')

  // retire: said, the files not removed yet.
  writeFileSync(path('rotation.json'), JSON.stringify({ current: name, next: null, previous: null, retired: ['authority'] }))
  const retired = await load()
  assert.deepEqual([retired.phase(), retired.authorityPin], ['steady', prepared.authorityPin])
  assert.equal(existsSync(path('authority.key')) || existsSync(path('studio.key')), false)
  for (const file of readdirSync(join(folder, 'authority'))) assert.equal(statSync(path(file)).mode & 0o777, 0o600, file)

  writeFileSync(path('rotation.json'), '{}')
  await assert.rejects(load(), /is damaged\. Restore the folder from a backup/)
  writeFileSync(path('rotation.json'), JSON.stringify({ current: 'authority', next: null, previous: null, retired: [] }))
  await assert.rejects(load(), /is missing\. Restore the folder from a backup/)
})

test('the studio replaces its own leaf at half of its life, and never issues one that outlives the authority', async (t) => {
  const fake = createFakeClock()
  const identity = await loadIdentity(createFolderKeys(temporaryFolder(t)), { clock: fake, random })
  const first = identity.leaf.certificatePem
  assert.equal(identity.refresh(), false)
  fake.advance(200 * 24 * 3600_000)
  assert.equal(identity.refresh(), true)
  assert.notEqual(identity.leaf.certificatePem, first)
  fake.advance(identity.expiresAt() - fake.now() - 3600_000)
  const key = await createKey()
  const certificatePem = identity.issue('gpu', publicKeyOf(key))
  inspectLeaf({
    certificatePem,
    authorityPem: identity.authority.certificatePem,
    publicKeyPem: publicKeyOf(key),
    role: 'worker',
    id: 'gpu',
    now: fake.now(),
  })
  assert.ok(validityOf(certificatePem).notAfter <= identity.expiresAt())
})
