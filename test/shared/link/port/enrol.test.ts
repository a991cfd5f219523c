// Enrolment between real ends, and between an agent and an impostor of the studio.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { BY_MACHINE, BY_STUDIO, type EnrolOptions, redeem, renew } from '#shared/link/port/enrol.ts'
import { createAgentListener } from '#shared/link/port/listener.ts'
import type { EnrolmentService } from '#shared/link/rpc.ts'
import type { Address } from '#shared/link/transport/address.ts'
import { createSerial, issueLeaf } from '#shared/pki/certificate.ts'
import { createKey } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { createRequest, readRequest } from '#shared/pki/request.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { createTestAuthority, issueTestIdentity, sharedCertificates, type TestIdentity } from '#test/support/doubles/link-certificates.ts'
import { eventually } from '#test/support/doubles/link-pair.ts'

const options = { clock, timeoutMs: 10_000 }
const nowhere: Address = { host: '127.0.0.1', port: 1 }

/** A studio that enrols everybody under the next free name, once per secret. */
async function createStudio(): Promise<EnrolmentService> {
  const { authority } = await sharedCertificates()
  const secrets = new Map<string, 'free' | 'used' | 'old'>([
    ['free', 'free'],
    ['used', 'used'],
    ['old', 'old'],
  ])
  const enrol = (id: string, csrPem: string, generation: number): Wire<'Identity'> => {
    const { publicKeyPem } = readRequest(csrPem)
    const wish = {
      authority,
      publicKeyPem,
      role: 'worker',
      id,
      now: clock.now(),
      hours: 1,
      serial: createSerial(systemRandom.hex(16)),
    } as const
    return {
      worker_id: id,
      certificate_pem: issueLeaf(wish),
      authority_pem: authority.certificatePem,
      studio_pins: [],
      endpoints: [],
      studio_name: 'Home',
      generation,
    }
  }
  return {
    async redeem({ secret, csr_pem }, { address }) {
      assert.equal(address, '127.0.0.1')
      const state = secrets.get(secret)
      if (!state) throw new Failure('AUTH_FAILED', 'This join code is not known here.', { detail: { reason: 'unknown' } })
      if (state === 'old') throw new Failure('AUTH_FAILED', 'This join code has expired.', { detail: { reason: 'expired' } })
      if (state === 'used') throw new Failure('CONFLICT', 'This join code was used already.', { detail: { reason: 'used' } })
      secrets.set(secret, 'used')
      return enrol('gpu-9', csr_pem, 1)
    },
    renew: async ({ worker_id, csr_pem, generation }) => enrol(worker_id, csr_pem, generation + 1),
  }
}

async function openStudio(
  t: TestContext,
  parts: { service?: EnrolmentService; identity?: TestIdentity; burst?: number } = {},
): Promise<Address> {
  const { studio } = await sharedCertificates()
  const { key, certificate, authority } = parts.identity ?? studio
  const listener = createAgentListener({
    enrolment: parts.service ?? (await createStudio()),
    enrolmentTls: { key, certificateChain: certificate + authority },
    admit: async () => 'ok',
    onSession: async () => {},
    log,
    clock,
    limits: { enrolmentBurst: parts.burst ?? 60 },
  })
  t.after(() => listener.close())
  return listener.listen({ host: '127.0.0.1', port: 0 })
}

let csr: string | null = null
async function requestWith(secret: string): Promise<Wire<'RedeemRequest'>> {
  csr ??= createRequest(await createKey(), 'new')
  return { token_id: 't', secret, csr_pem: csr, name: 'Box', hostname: 'box', os: 'linux', arch: 'x64', agent_version: '1', protocol: 1 }
}
const authorityPin = async () => pinOf((await sharedCertificates()).authority.certificatePem)

test('a code becomes an identity, which renews itself', async (t) => {
  const address = await openStudio(t)
  const request = await requestWith('free')
  const identity = await redeem([address], [await authorityPin()], request, options)
  assert.equal(identity.worker_id, 'gpu-9')
  assert.equal(pinOf(identity.certificate_pem), readRequest(request.csr_pem).pin)
  const renewed = await renew(
    [address],
    identity.authority_pem,
    { worker_id: 'gpu-9', csr_pem: request.csr_pem, generation: 1, nonce: '' },
    options,
  )
  assert.equal(renewed.generation, 2)
  assert.notEqual(renewed.certificate_pem, identity.certificate_pem)
  await assert.rejects(redeem([address], [await authorityPin()], request, options), { code: 'CONFLICT', detail: { reason: 'used' } })
})

test('each refusal of the studio keeps its status and message', async (t) => {
  const address = await openStudio(t)
  const statuses = new Set<number>()
  for (const [secret, code, message, reason] of [
    ['guessed', 'AUTH_FAILED', 'This join code is not known here.', 'unknown'],
    ['old', 'AUTH_FAILED', 'This join code has expired.', 'expired'],
    ['used', 'CONFLICT', 'This join code was used already.', 'used'],
  ] as const) {
    await assert.rejects(redeem([address], [await authorityPin()], await requestWith(secret), options), (error: Failure) => {
      assert.deepEqual([error.code, error.message, error.detail], [code, message, { reason }])
      statuses.add((error.cause as { code: number }).code)
      return true
    })
  }
  assert.ok(!statuses.has(2), 'no refusal is an unknown fault')
})

test('a server with another key receives no data', async (t) => {
  const stranger = await issueTestIdentity((await sharedCertificates()).stranger, 'studio', 'studio')
  const read: Buffer[] = []
  let handshakes = 0
  const server = tls.createServer(
    { key: stranger.key, cert: stranger.certificate + stranger.authority, ALPNProtocols: ['h2'] },
    (socket) => {
      handshakes += 1
      socket.on('data', (bytes) => read.push(bytes)).on('error', () => {})
    },
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const address = { host: '127.0.0.1', port }
  await assert.rejects(redeem([address], [await authorityPin()], await requestWith('free'), options), (error: Failure) => {
    assert.equal(error.code, 'AUTH_FAILED')
    assert.match(error.message, /certificate does not match the code/)
    return true
  })
  assert.equal(handshakes, 1)
  assert.equal(Buffer.concat(read).length, 0)
  // The same with the real authority shown beside a leaf it never signed: the pin is there, the proof is not.
  const { authority } = await sharedCertificates()
  server.setSecureContext({ key: stranger.key, cert: stranger.certificate + authority.certificatePem })
  await assert.rejects(redeem([address], [await authorityPin()], await requestWith('free'), options), { code: 'AUTH_FAILED' })
  assert.equal(Buffer.concat(read).length, 0)
})

test('a worker certificate is not accepted as a studio', async (t) => {
  const { agent } = await sharedCertificates()
  const calls: string[] = []
  const never = async () => {
    calls.push('called')
    throw new Error('unreachable')
  }
  const address = await openStudio(t, { identity: agent, service: { redeem: never, renew: never } })
  await assert.rejects(redeem([address], [await authorityPin()], await requestWith('free'), options), { code: 'AUTH_FAILED' })
  const { authority } = await sharedCertificates()
  const renewal = { worker_id: 'x', csr_pem: (await requestWith('')).csr_pem, generation: 1, nonce: '' }
  await assert.rejects(renew([address], authority.certificatePem, renewal, options), { code: 'AUTH_FAILED' })
  await assert.rejects(renew([address], (await createTestAuthority()).certificatePem, renewal, options), { code: 'WORKER_UNREACHABLE' })
  assert.equal(calls.length, 0)
})

test('a silent or foreign address is skipped', async (t) => {
  const foreign = await openStudio(t, { identity: await issueTestIdentity((await sharedCertificates()).stranger, 'studio', 'studio') })
  const home = await openStudio(t)
  const pins = [await authorityPin()]
  const identity = await redeem([nowhere, foreign, home], pins, await requestWith('free'), options)
  assert.equal(identity.worker_id, 'gpu-9')
  await assert.rejects(redeem([nowhere, foreign], pins, await requestWith('free'), options), { code: 'AUTH_FAILED' })
  await assert.rejects(redeem([nowhere], pins, await requestWith('free'), options), (error: Failure) => {
    assert.equal(error.code, 'WORKER_UNREACHABLE')
    assert.match(error.message, /127\.0\.0\.1:1\b/)
    return true
  })
  await assert.rejects(redeem([], pins, await requestWith('free'), options), { code: 'BAD_REQUEST' })
})

test('certificates that are not valid by the clock of this machine name the clock, and no other fault does', async (t) => {
  const { authority } = await sharedCertificates()
  const pins = [await authorityPin()]
  const request = await requestWith('free')
  const renewal = { worker_id: 'gpu-1', csr_pem: request.csr_pem, generation: 1, nonce: '' }
  for (const [hoursAgo, sentence] of [
    [400 * 24, /^The certificate expired at .*\. The clock of this machine shows .*\. Check the clocks of both machines\.$/],
    [-48, /^The certificate is not valid yet: it starts at .*\. The clock of this machine shows /],
  ] as const) {
    const address = await openStudio(t, { identity: await issueTestIdentity(authority, 'studio', 'studio', { hoursAgo }) })
    for (const issuer of [BY_STUDIO, BY_MACHINE]) {
      await assert.rejects(redeem([nowhere, address], pins, request, { ...options, issuer }), { code: 'NOT_READY', message: sentence })
      const renewed = renew([nowhere, address], authority.certificatePem, renewal, { ...options, issuer })
      await assert.rejects(renewed, { code: 'NOT_READY', message: sentence })
    }
  }
  const stranger = await issueTestIdentity((await sharedCertificates()).stranger, 'studio', 'studio', { hoursAgo: 48 })
  const foreign = await openStudio(t, { identity: stranger })
  await assert.rejects(redeem([foreign], pins, request, options), { code: 'AUTH_FAILED' })
  await assert.rejects(renew([foreign], authority.certificatePem, renewal, options), { code: 'WORKER_UNREACHABLE' })
  assert.equal((await redeem([await openStudio(t)], pins, request, options)).worker_id, 'gpu-9')
})

test('an identity for another key is rejected', async (t) => {
  const { agent, authority } = await sharedCertificates()
  const wrong = async (): Promise<Wire<'Identity'>> => ({
    worker_id: 'gpu-1',
    certificate_pem: agent.certificate,
    authority_pem: authority.certificatePem,
    studio_pins: [],
    studio_name: '',
    generation: 1,
    endpoints: [],
  })
  const address = await openStudio(t, { service: { redeem: wrong, renew: wrong } })
  await assert.rejects(redeem([address], [await authorityPin()], await requestWith('free'), options), /another key/)
})

test('of fifty redemptions at once one wins, and a flood is limited', async (t) => {
  const address = await openStudio(t, { burst: 55 })
  const pins = [await authorityPin()]
  const request = await requestWith('free')
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => redeem([address], pins, request, options)))
  const codes = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'won' : (outcome.reason as Failure).code))
  assert.equal(codes.filter((code) => code === 'won').length, 1)
  assert.equal(codes.filter((code) => code === 'CONFLICT').length, 49, String(codes))
  const flood: string[] = []
  for (let n = 0; n < 10; n++)
    flood.push(
      await redeem([address], pins, request, options).then(
        () => 'won',
        (error: Failure) => error.code,
      ),
    )
  assert.ok(flood.includes('QUEUE_FULL'), String(flood))
})

/** Accepts connections and sends nothing. */
async function openSilentServer(t: TestContext) {
  const sockets = new Set<Socket>()
  const server = net.createServer((socket) => void sockets.add(socket.on('error', () => {})))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return { address: { host: '127.0.0.1', port }, connected: () => sockets.size }
}

test('a studio that never answers times out', async (t) => {
  const { address } = await openSilentServer(t)
  const impatient = { clock, timeoutMs: 100 }
  await assert.rejects(redeem([address], [await authorityPin()], await requestWith('free'), impatient), {
    code: 'WORKER_UNREACHABLE',
  })
  const renewal = { worker_id: 'x', csr_pem: (await requestWith('')).csr_pem, generation: 1, nonce: '' }
  const { authority } = await sharedCertificates()
  await assert.rejects(renew([address], authority.certificatePem, renewal, impatient), { code: 'WORKER_UNREACHABLE' })
})

test('an abort ends a call to a silent server at once, and no further address is tried', async (t) => {
  const { address, connected } = await openSilentServer(t)
  const { authority } = await sharedCertificates()
  const request = await requestWith('free')
  const renewal = { worker_id: 'x', csr_pem: request.csr_pem, generation: 1, nonce: '' }
  const timeless = { ...clock, after: () => () => {} }
  const pin = await authorityPin()
  const calls = [
    (options: EnrolOptions) => redeem([address, address], [pin], request, options),
    (options: EnrolOptions) => renew([address, address], authority.certificatePem, renewal, options),
  ]
  for (const [index, call] of calls.entries()) {
    const giveUp = new AbortController()
    const aborted = assert.rejects(call({ clock: timeless, timeoutMs: 1_000, signal: giveUp.signal }), { code: 'WORKER_UNREACHABLE' })
    await eventually('it is connected', () => connected() > index)
    giveUp.abort()
    await aborted
    await assert.rejects(call({ clock: timeless, timeoutMs: 1_000, signal: giveUp.signal }), { code: 'WORKER_UNREACHABLE' })
    assert.ok(connected() <= 2 * (index + 1))
  }
})
