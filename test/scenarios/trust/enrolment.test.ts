// Join codes against a real studio: one code enrols one machine, also in a race, and every refusal states the reason.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join as joinPath } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { join, readInvitation } from '#agent/connection/enrol.ts'
import { redeem } from '#shared/link/port/enrol.ts'
import { createKey } from '#shared/pki/key.ts'
import { pinOf } from '#shared/pki/pin.ts'
import { createRequest } from '#shared/pki/request.ts'
import { encodeJoinCode, type JoinCode, parseJoinCode } from '#shared/protocol/codes/join-code.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { PROTOCOL_VERSION } from '#shared/protocol/messages.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { sharedCertificates } from '#test/support/doubles/link-certificates.ts'
import { startProgram } from '#test/support/world/process.ts'
import { sharedWorld, temporaryFolder } from '#test/support/world/world.ts'

const open = sharedWorld({ remote: true, ownAuthority: true, withoutAgent: true })
const RACERS = 50
const DAY_MS = 86_400_000
const joined = async (code: string, by = clock) => join(readInvitation(code), by)

test('one code enrols one machine, and every refusal has its own message', async (t) => {
  const world = await open()
  const enrolled = async () => (await world.get('/workers')).json().workers as { id: string; name: string }[]

  await t.test(`${RACERS} machines redeem one code at the same time`, async () => {
    const invitation = readInvitation(await world.code({ label: 'raced' }))
    const outcomes = await Promise.allSettled(Array.from({ length: RACERS }, () => join(invitation, clock)))
    const winners = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    assert.equal(winners.length, 1)
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue
      assert.ok(outcome.reason instanceof Failure)
      assert.equal(outcome.reason.message, 'This join code was used already. Ask for a new one.')
    }
    assert.deepEqual(
      (await enrolled()).map(({ id, name }) => [id, name]),
      [[winners[0]!.workerId, 'raced']],
    )
  })

  await t.test('a machine whose response was lost repeats the request with the same key and gets its certificate', async () => {
    const { id, secret, pins, endpoints } = readInvitation(await world.code({ label: 'twice' }))
    const request: Wire<'RedeemRequest'> = {
      token_id: id,
      secret,
      csr_pem: createRequest(await createKey(), 'twice'),
      name: 'twice',
      hostname: 'twice',
      os: 'linux',
      arch: 'x64',
      agent_version: '0',
      protocol: PROTOCOL_VERSION,
    }
    const [first, again] = [
      await redeem(endpoints, pins, request, { clock, timeoutMs: 10_000 }),
      await redeem(endpoints, pins, request, { clock, timeoutMs: 10_000 }),
    ]
    assert.equal(again.worker_id, first.worker_id)
    assert.equal((await enrolled()).length, 2)
    const otherKey = { ...request, csr_pem: createRequest(await createKey(), 'twice') }
    await assert.rejects(redeem(endpoints, pins, otherKey, { clock, timeoutMs: 10_000 }), { message: /was used already/ })
  })

  await t.test('`agent join` reports why a code is invalid; an earlier identity stays unchanged', async () => {
    const dataDir = temporaryFolder(t)
    const good = await world.code({ label: 'kept' })
    const identity = joinPath(dataDir, 'agent/identity.json')
    assert.equal((await joins(t, good, dataDir)).status, 0)
    const before = readFileSync(identity)

    const code = parseJoinCode(await world.code())
    const changed = (more: Partial<JoinCode>) => encodeJoinCode({ ...code, ...more })
    const newer = `svcj_${Buffer.from(JSON.stringify({ v: 2, anything: 'else' })).toString('base64url')}`
    const closed = await closedPort()
    // Through the program for one code that the studio refuses and one that the agent refuses; the others differ only in the message.
    const [used, truncated] = await Promise.all([joins(t, good, temporaryFolder(t)), joins(t, encodeJoinCode(code).slice(0, -30), dataDir)])
    assert.deepEqual([used!.status, truncated!.status], [1, 1])
    assert.equal(used!.output, 'agent: This join code was used already. Ask for a new one.\n')
    assert.equal(truncated!.output, 'agent: The join code is malformed or truncated. Copy all of it.\n')
    const refusalOf = async (text: string) => {
      const refused: unknown = await joined(text).then(
        () => null,
        (error: unknown) => error,
      )
      assert.ok(refused instanceof Failure, String(refused))
      return refused.message
    }
    const [unknown, wrongSecret, noCode, newerVersion, away, stranger] = await Promise.all(
      [
        changed({ id: '0123456789abcdef' }),
        changed({ secret: 'not-the-secret' }),
        'hello',
        newer,
        changed({ endpoints: [`127.0.0.1:${closed}`] }),
        changed({ pins: ['a'.repeat(64)] }),
      ].map(refusalOf),
    )
    assert.equal(unknown, 'This join code is not known here.')
    assert.equal(wrongSecret, unknown, 'a wrong secret reveals nothing about the code')
    assert.equal(noCode, 'This is not a join code. A join code starts with svcj_.')
    assert.equal(newerVersion, 'The join code was issued by a newer version. Update this program.')
    assert.match(away!, new RegExp(`^No answer from 127\\.0\\.0\\.1:${closed}: no program listens there\\. Check that .*\\.$`))
    assert.match(stranger!, /^The certificate does not match the code: .* is not the studio that issued it\.$/)

    assert.deepEqual(readFileSync(identity), before)
    assert.equal((await enrolled()).length, 3)
  })

  await t.test('the studio decides whether a code has expired, and a clock that is far off keeps the code', async () => {
    const { workerId } = await joined(await world.code({ label: 'ahead' }), { ...clock, now: () => clock.now() + DAY_MS / 3 })
    assert.ok((await enrolled()).some(({ id }) => id === workerId))
    const label = 'minutes behind'
    await joined(await world.code({ label }), { ...clock, now: () => clock.now() - 10 * 60_000 })
    const code = await world.code({ label: 'far off' })
    for (const [days, sentence] of [
      [-2, /^The certificate is not valid yet: .* The clock of this machine shows .*\. Check the clocks of both machines\.$/],
      [2, /^The join code expired at .*, and the clock of this machine shows .*\. Set the clock if it is wrong, or use a new code\.$/],
      [400, /^The join code expired at /],
    ] as const)
      await assert.rejects(joined(code, { ...clock, now: () => clock.now() + days * DAY_MS }), { message: sentence })
    await joined(code)
  })

  await t.test('the agent sends nothing to a server with another key', async () => {
    const { authority, studio } = await sharedCertificates()
    let sentBytes = 0
    let handshakes = 0
    const server = createTlsServer(
      { key: studio.key, cert: studio.certificate + authority.certificatePem, ALPNProtocols: ['h2'] },
      (socket) => {
        handshakes++
        socket.on('data', (bytes) => {
          sentBytes += bytes.length
        })
        socket.on('error', () => {})
      },
    ).listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const code = parseJoinCode(await world.code())
    assert.ok(!code.pins.includes(pinOf(authority.certificatePem)))
    const folder = temporaryFolder(t)
    const { status, output } = await joins(t, encodeJoinCode({ ...code, endpoints: [`127.0.0.1:${port}`] }), folder)
    assert.equal(status, 1)
    assert.match(output, /The certificate does not match the code/)
    assert.equal(handshakes, 1)
    assert.equal(sentBytes, 0)
    assert.ok(!existsSync(joinPath(folder, 'agent/identity.json')))
  })

  await t.test('a removed machine is informed, and its key stays removed after a restart', async () => {
    const machine = await world.machine('removed')
    await machine.program.end()
    assert.equal((await world.delete(`/workers/${machine.workerId}`)).status, 200)
    await world.restart()
    const again = startProgram(t, ['agent/main.ts'], { STUDIO_DATA_DIR: machine.dataDir })
    await again.says(/The studio has removed this machine/)
    assert.equal((await world.post(`/workers/${machine.workerId}/consent`)).status, 409)
    assert.equal(await again.end(), 0)
  })

  await t.test('when remote machines are off, nothing listens and no code is created', async () => {
    const { endpoint } = (await world.get('/workers')).json()
    const [host, port] = endpoint.split(':')
    assert.equal(await answers(host, Number(port)), true)
    await world.post('/workers/enabled', { enabled: false })
    assert.equal(await answers(host, Number(port)), false)
    assert.equal((await world.post('/workers/enrollments', {})).status, 409)
    await world.post('/workers/enabled', { enabled: true })
  })
  for (const { id } of await enrolled()) await world.delete(`/workers/${id}`)
})

async function joins(t: TestContext, code: string, dataDir: string): Promise<{ status: number | NodeJS.Signals; output: string }> {
  const program = startProgram(t, ['agent/main.ts', 'join', code], { STUDIO_DATA_DIR: dataDir })
  return { status: await program.ended, output: program.output() }
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function answers(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
