import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { verifyAudit } from '#control-plane/audit/audit-log.store.ts'
import { loadIdentity } from '#control-plane/trust/authority.ts'
import { createEnrolment } from '#control-plane/trust/enrolment.ts'
import { createJoinTokens, type NewToken } from '#control-plane/trust/join-token.store.ts'
import { inspectLeaf } from '#shared/pki/inspect.ts'
import { createKey, publicKeyOf } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { createRequest } from '#shared/pki/request.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import { createFolderKeys } from '#shared/runtime/file.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'
import { openLedger } from '#test/support/doubles/ledger.ts'
import { temporaryFolder } from '#test/support/world/world.ts'

const fails = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code
const [mine, other] = await Promise.all([createKey(), createKey()])
const from = { address: '10.0.0.9' }

async function open(t: TestContext) {
  const ledger = openLedger(t)
  const clock = createFakeClock()
  const identity = await loadIdentity(createFolderKeys(temporaryFolder(t)), { clock, random })
  const tokens = createJoinTokens({ ...ledger, clock, random })
  const told: string[] = []
  const enrolment = createEnrolment({
    identity,
    workers: ledger.workers,
    tokens,
    clock,
    random,
    log,
    studioName: 'Home',
    onEnrolled: ({ id }) => void told.push(id),
    announcedTo: () => [],
    onCopied: ({ id }, reason) => void ledger.workers.quarantine(id, reason),
  })
  const code = (label = '', workerId: string | null = null) => tokens.create({ label, endpoint: '', ttlSeconds: 60, workerId })
  const redeem = async (code: NewToken | Promise<NewToken>, key: string, more: object = {}): Promise<Wire<'Identity'>> => {
    const { id, secret } = await code
    return enrolment.redeem(
      {
        token_id: id,
        secret,
        csr_pem: createRequest(key, 'anyone'),
        name: '',
        hostname: 'attic-pc',
        os: 'linux',
        arch: 'x64',
        agent_version: '1',
        protocol: PROTOCOL_VERSION,
        ...more,
      },
      from,
    )
  }
  const renew = (workerId: string, key: string, generation = 0, nonce = '') =>
    enrolment.renew({ worker_id: workerId, csr_pem: createRequest(key, 'x'), generation, nonce }, from)
  /** Number of batches that `act` needs. */
  const commitsOf = async (act: () => Promise<unknown>) => {
    let count = 0
    const { commit } = ledger.journal
    t.mock.method(ledger.journal, 'commit', (...args: Parameters<typeof commit>) => {
      count++
      commit(...args)
    })
    await act()
    return count
  }
  return { ...ledger, clock, identity, enrolment, code, redeem, renew, told, commitsOf }
}

test('a code and a key become a certificate for the id the studio chose', async (t) => {
  const { code, redeem, identity, workers, told, clock } = await open(t)
  const given = await redeem(code('Attic'), mine)
  const worker = workers.get(given.worker_id)!
  assert.deepEqual([worker.name, worker.pin, worker.consentId], ['Attic', pinOf(publicKeyOf(mine)), null])
  assert.deepEqual([given.studio_pins, given.studio_name, told], [[identity.studioPin], 'Home', [worker.id]])
  const leaf = { certificatePem: given.certificate_pem, authorityPem: given.authority_pem, publicKeyPem: publicKeyOf(mine) }
  inspectLeaf({ ...leaf, role: 'worker', id: worker.id, now: clock.now() })
})

test('a lost answer is repeated for the same key, and for no other', async (t) => {
  const { code, redeem, workers } = await open(t)
  const invitation = code()
  const first = await redeem(invitation, mine)
  assert.equal((await redeem(invitation, mine)).worker_id, first.worker_id)
  await assert.rejects(redeem(invitation, other), fails('AUTH_FAILED'))
  workers.revoke(first.worker_id)
  await assert.rejects(redeem(invitation, mine), fails('AUTH_FAILED'))
})

test('a removed key is refused with any code, and the code is not spent', async (t) => {
  const { code, redeem, renew, workers } = await open(t)
  const { worker_id: id } = await redeem(code(), mine)
  workers.revoke(id)
  await assert.rejects(renew(id, mine), fails('WORKER_REVOKED'))
  const invitation = code()
  await assert.rejects(redeem(invitation, mine), fails('WORKER_REVOKED'))
  assert.notEqual((await redeem(invitation, other)).worker_id, id)
})

test('an enrolment that could not be written is undone, and the same code and key work afterwards', async (t) => {
  const { db, code, redeem, workers, folder } = await open(t)
  const invitation = await code()
  const path = join(folder, 'studio.db')
  const before = await verifyAudit(path)
  db.pragma('query_only = on')
  await assert.rejects(redeem(invitation, mine), fails('STORAGE_FULL'))
  db.pragma('query_only = off')
  assert.equal(workers.byPin(pinOf(publicKeyOf(mine))), undefined)
  assert.deepEqual(await verifyAudit(path), before)
  assert.equal((await redeem(invitation, mine)).generation, 0)
  assert.deepEqual([(await verifyAudit(path)).brokenAt, (await verifyAudit(path)).count], [null, before.count + 1])
})

test('a worker, its spent code, its certificate and their audit entry are one commit', async (t) => {
  const { code, redeem, commitsOf } = await open(t)
  const invitation = await code()
  const written = await commitsOf(() => redeem(invitation, mine))
  assert.equal(written, 1)
})

test('a certificate is renewed for the key that was enrolled, however old it is, and for no other', async (t) => {
  const { code, redeem, renew, clock } = await open(t)
  const { worker_id: id } = await redeem(code(), mine)
  clock.advance(400 * 24 * 3600_000)
  const given = await renew(id, mine)
  const leaf = { certificatePem: given.certificate_pem, authorityPem: given.authority_pem, publicKeyPem: publicKeyOf(mine) }
  inspectLeaf({ ...leaf, role: 'worker', id, now: clock.now() })
  await assert.rejects(renew(id, other), fails('AUTH_FAILED'))
  await assert.rejects(renew('stranger', mine), fails('AUTH_FAILED'))
})

test('each renewal counts, a lost answer is repeated, and a machine that lags behind is a copy', async (t) => {
  const { code, redeem, renew, workers, clock } = await open(t)
  const { worker_id: id } = await redeem(code(), mine)
  assert.equal((await renew(id, mine, 0, 'aa')).generation, 1)
  assert.equal((await renew(id, mine, 0, 'aa')).generation, 1, 'the answer was lost')
  assert.equal((await renew(id, mine, 1, 'bb')).generation, 2)
  assert.equal((await renew(id, mine, 40, 'cc')).generation, 41, 'the studio was restored from a backup')
  await assert.rejects(renew(id, mine, 40, 'dd'), fails('NOT_READY'))
  assert.match(workers.get(id)!.quarantine!, /^a copy of this machine renewed its key: it was at renewal 40, the newest is 41$/)
  await assert.rejects(renew(id, mine, 41, 'ee'), fails('NOT_READY'))

  workers.release(id)
  assert.equal((await renew(id, mine, 3, 'ff')).generation, 42, 'the first one after a release is the right one')
  await assert.rejects(renew(id, mine, 41, 'ee'), fails('NOT_READY'))
  clock.advance(3600_000)
  workers.release(id)
  for (const [generation, nonce] of [
    [-1, 'aa'],
    [1.5, 'aa'],
    [Number.NaN, 'aa'],
    [2 ** 60, 'aa'],
    [42, 'not hex'],
    [42, 'a'.repeat(65)],
  ] as const)
    await assert.rejects(renew(id, mine, generation, nonce), fails('BAD_REQUEST'))
})

test('renewals are rate-limited, because each one is kept for ever', async (t) => {
  const { code, redeem, renew, clock } = await open(t)
  const { worker_id: id } = await redeem(code(), mine)
  for (let generation = 0; generation < 10; generation++) await renew(id, mine, generation)
  await assert.rejects(renew(id, mine, 10), fails('QUEUE_FULL'))
  clock.advance(60_000)
  assert.equal((await renew(id, mine, 10)).generation, 11)
})

test('a machine that joins again is the same machine', async (t) => {
  const { code, redeem, workers } = await open(t)
  const first = await redeem(code('Attic'), mine)
  const second = await redeem(code('Cellar'), mine)
  assert.deepEqual([second.worker_id, second.generation, workers.get(first.worker_id)!.name], [first.worker_id, 1, 'Attic'])
})

test('an invalid request is refused before the code is checked', async (t) => {
  const { code, redeem } = await open(t)
  const invitation = code()
  await assert.rejects(redeem(invitation, mine, { protocol: PROTOCOL_VERSION + 1 }), fails('UPGRADE_REQUIRED'))
  await assert.rejects(redeem(invitation, mine, { csr_pem: 'nonsense' }), fails('BAD_REQUEST'))
  await redeem(invitation, mine)
})

test('a name from a stranger is one line of visible text', async (t) => {
  const { code, redeem, workers } = await open(t)
  const { worker_id: id } = await redeem(code(), mine, { name: ` evil\u001b[2J\n\u202ename${'x'.repeat(500)}` })
  const { name } = workers.get(id)!
  assert.match(name, /^evil\[2Jnamex+$/)
  assert.equal(name.length, 120)
})
