// The studio's port for unauthenticated callers.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import net, { type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import tls from 'node:tls'
import { RATES } from '#shared/link/port/admission.ts'
import { dialStudio } from '#shared/link/port/dial.ts'
import { createAgentListener, type ListenerDeps, type SessionHint } from '#shared/link/port/listener.ts'
import { renewalName, SESSION_REFUSALS } from '#shared/link/port/preamble.ts'
import { UNPROVEN } from '#shared/link/port/unproven.ts'
import type { Address } from '#shared/link/transport/address.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { silentLog as log } from '#shared/runtime/log.ts'
import { localAddress, socketFolder } from '#shared/runtime/socket-folder.ts'
import { sharedCertificates } from '#test/support/doubles/link-certificates.ts'
import { eventually } from '#test/support/doubles/link-pair.ts'

const unused = () => Promise.reject(new Error('unused'))

async function openListener(t: TestContext, overrides: Partial<ListenerDeps> = {}, where: Address = { host: '127.0.0.1', port: 0 }) {
  const { studio } = await sharedCertificates()
  const sessions: { socket: Socket; hint: SessionHint }[] = []
  const listener = createAgentListener({
    enrolment: { redeem: unused, renew: unused },
    enrolmentTls: { key: studio.key, certificateChain: studio.certificate + studio.authority },
    admit: async () => 'ok',
    onSession: async (socket, hint) => void sessions.push({ socket, hint }),
    log,
    clock,
    ...overrides,
  })
  const address = await listener.listen(where)
  t.after(() => {
    listener.close()
    for (const { socket } of sessions) socket.destroy()
  })
  const connect = () => {
    const socket = net.connect(address as net.NetConnectOpts)
    t.after(() => socket.destroy())
    return socket.on('error', () => {})
  }
  return { listener, address, sessions, connect }
}

/** Everything the other side said until it closed. */
async function answerTo(socket: Socket, text: string | Buffer): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(text)
  await eventually('it is closed', () => socket.closed)
  return Buffer.concat(chunks).toString()
}

test('a connection with neither TLS nor a preamble is closed without a reply', async (t) => {
  const { connect, sessions } = await openListener(t)
  const strangers = {
    http: 'GET / HTTP/1.1\r\nHost: studio\r\n\r\n',
    garbage: Buffer.from([0, 1, 2, 3]),
    'wrong protocol': 'SVA2 gpu-1\n',
    'almost a preamble': 'SSH-2.0-client\n',
    'no id': 'SVA1 \n',
    'an id like a path': 'SVA1 ../../etc/passwd\n',
    'an id with a blank': 'SVA1 gpu 1\n',
    'an id that is too long': `SVA1 ${'x'.repeat(41)}\n`,
    'a line that is too long': `SVA1 ${'x'.repeat(200)}\n`,
    'a line without end': 'S'.repeat(100_000),
    'TLS that is none': Buffer.from([0x16, 3, 1, 0, 5, 9, 9, 9, 9, 9]),
  }
  for (const [name, text] of Object.entries(strangers)) {
    const answer = await answerTo(connect(), text)
    // A TLS alert is all that may come back.
    assert.ok(answer === '' || answer.charCodeAt(0) === 0x15, `${name} got ${JSON.stringify(answer)}`)
  }
  assert.equal(sessions.length, 0)
})

test('silent and slow connections are closed', async (t) => {
  const { connect } = await openListener(t, { limits: { preambleMs: 100 } })
  const silent = connect().resume()
  const dawdling = connect().resume()
  dawdling.write('SVA1 gp')
  const halfTls = connect().resume()
  halfTls.write(Buffer.from([0x16, 3]))
  await eventually('all three are cut', () => silent.closed && dawdling.closed && halfTls.closed)
})

test('a preamble in any pieces opens a session, and the bytes after it are kept', async (t) => {
  const { connect, sessions } = await openListener(t)
  const socket = connect()
  for (const piece of ['S', 'VA1 gpu', '-1', '\nhello']) {
    socket.write(piece)
    await clock.sleep(5)
  }
  assert.equal(String((await once(socket, 'data'))[0]), 'SVA1 ok\n')
  assert.equal(sessions.length, 1)
  assert.equal(sessions[0]!.hint.workerId, 'gpu-1')
  assert.match(sessions[0]!.hint.address, /^127\.0\.0\.1:\d+$/)
  assert.equal(String((await once(sessions[0]!.socket, 'data'))[0]), 'hello')
})

test('a refused session receives the reason', async (t) => {
  const codes = { revoked: 'WORKER_REVOKED', unknown: 'AUTH_FAILED', disabled: 'NOT_READY', busy: 'NOT_READY', quarantined: 'NOT_READY' }
  for (const reason of SESSION_REFUSALS) {
    const { address, sessions } = await openListener(t, { admit: async () => reason })
    await assert.rejects(dialStudio(address, 'gpu-1', { clock, timeoutMs: 5_000 }), (error: Failure) => {
      assert.equal(error.code, codes[reason])
      assert.deepEqual(error.detail, { reason })
      return true
    })
    assert.equal(sessions.length, 0)
  }
})

test('an admission that fails closes the connection', async (t) => {
  const { address } = await openListener(t, { admit: () => Promise.reject(new Error('no database')) })
  await assert.rejects(dialStudio(address, 'gpu-1', { clock, timeoutMs: 5_000 }), { code: 'WORKER_UNREACHABLE' })
})

test('dialling another server or a closed port reports the address', async (t) => {
  const talkative = net.createServer((socket) => socket.on('error', () => {}).end('220 mail.example ESMTP\r\n'))
  talkative.listen(0, '127.0.0.1')
  await once(talkative, 'listening')
  const { port } = talkative.address() as net.AddressInfo
  const dial = () => dialStudio({ host: '127.0.0.1', port }, 'gpu-1', { clock, timeoutMs: 5_000 })
  const named = (error: Failure) => error.code === 'WORKER_UNREACHABLE' && error.message.includes(`127.0.0.1:${port}`)
  await assert.rejects(dial(), named)
  talkative.close()
  await eventually('the listener is closed', () => !talkative.listening)
  await assert.rejects(dial(), named)
  const given = AbortSignal.abort(new Error('stopping'))
  await assert.rejects(dialStudio({ host: '127.0.0.1', port }, 'gpu-1', { clock, timeoutMs: 5_000, signal: given }), {
    code: 'WORKER_UNREACHABLE',
  })
  t.after(() => talkative.close())
})

test('a connection to a full port is served, and the oldest one is closed', async (t) => {
  const { connect, address, sessions } = await openListener(t, { limits: { unproven: { ...UNPROVEN, total: 3 } } })
  const waiting = [connect(), connect(), connect()].map((socket) => socket.resume())
  for (const socket of waiting) await once(socket, 'connect')
  const session = await dialStudio(address, 'gpu-1', { clock, timeoutMs: 5_000 })
  t.after(() => session.destroy())
  await eventually('the oldest is closed', () => waiting[0]!.closed)
  assert.deepEqual([waiting[1]!.closed, waiting[2]!.closed, sessions.length], [false, false, 1])
})

test('a machine that renews is not displaced by unknown connections of its address', async (t) => {
  const { studio } = await sharedCertificates()
  const { connect } = await openListener(t, { limits: { unproven: { ...UNPROVEN, perHostBurst: 3 } } })
  const open = async (servername: string) => {
    const secure = tls.connect({
      socket: connect(),
      ca: studio.authority,
      servername,
      ALPNProtocols: ['h2'],
      checkServerIdentity: () => undefined,
    })
    secure.on('error', () => {}).resume()
    await once(secure, 'secureConnect')
    return secure
  }
  const [machine, stranger] = [await open(renewalName('gpu-1')), await open('studio')]
  for (let count = 0; count < 10; count++) await once(connect().resume(), 'connect')
  await eventually('the unknown one is displaced', () => stranger!.closed)
  assert.equal(machine!.closed, false)
})

test('a session counts as unproven until its key is proven, and a proven one makes no room', async (t) => {
  const proof: (() => void)[] = []
  const { connect } = await openListener(t, {
    onSession: () => new Promise((resolve) => void proof.push(resolve)),
    limits: { unproven: { ...UNPROVEN, total: 2, deadlineMs: 1_500 } },
  })
  const [first, second] = [connect(), connect()]
  for (const socket of [first, second]) {
    socket.write('SVA1 gpu-1\n')
    assert.equal(String((await once(socket!, 'data'))[0]), 'SVA1 ok\n')
  }
  proof[0]!()
  const flood = [connect(), connect()].map((socket) => socket.resume())
  await eventually('the unproven one is closed', () => second!.closed)
  await eventually('the others reach their deadline', () => flood.every(({ closed }) => closed))
  assert.equal(first!.closed, false)
})

test('an enrolment connection has one deadline, and TLS 1.2 is refused', async (t) => {
  const { studio } = await sharedCertificates()
  const { connect } = await openListener(t, { limits: { unproven: { ...UNPROVEN, deadlineMs: 1_500 } } })
  const idle = tls.connect({ socket: connect(), ca: studio.authority, servername: 'studio', ALPNProtocols: ['h2'] })
  idle.on('error', () => {}).resume()
  await once(idle, 'secureConnect')
  await eventually('it is cut', () => idle.closed)
  const old = tls.connect({ socket: connect(), ca: studio.authority, servername: 'studio', minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' })
  const [error] = await once(old, 'error')
  assert.match(String(error), /protocol version/)
})

const RATE = { burst: 5, perMinute: 1 }
const PLENTY = { burst: 1000, perMinute: 1000 }
const hasTls = async (socket: Socket, servername = 'studio'): Promise<boolean> => {
  const { studio } = await sharedCertificates()
  const secure = tls.connect({ socket, ca: studio.authority, servername, ALPNProtocols: ['h2'], checkServerIdentity: () => undefined })
  return new Promise((resolve) => {
    secure.once('secureConnect', () => resolve(true)).once('error', () => resolve(false))
    secure.once('close', () => resolve(false))
  })
}
const known = async ({ workerId }: SessionHint) => (workerId.startsWith('gpu') ? 'ok' : 'unknown') as 'ok' | 'unknown'

test('a flood of handshakes is refused before a signature, and an enrolled machine still renews from the same address', async (t) => {
  const rates = { ...RATES, handshakesPerHost: RATE, renewalsPerWorker: { burst: 2, perMinute: 1 } }
  const { connect } = await openListener(t, { admit: known, limits: { rates } })
  const flood: boolean[] = []
  for (let n = 0; n < 10; n++) flood.push(await hasTls(connect()))
  assert.deepEqual(flood, [...Array(5).fill(true), ...Array(5).fill(false)])
  assert.equal(await hasTls(connect(), renewalName('gpu-1')), true)
  assert.equal(await hasTls(connect(), renewalName('stranger')), false)
  assert.equal(await hasTls(connect(), 'gpu-1'), false)
  // Neither a hello in pieces nor one that is none gets more than the others.
  for (const bytes of [
    Buffer.from([0x16, 3, 1, 0, 5, 9, 9, 9, 9, 9]),
    Buffer.concat([Buffer.from([0x16, 3, 1, 255, 255]), Buffer.alloc(8192)]),
  ])
    assert.equal(await answerTo(connect(), bytes), '')
  assert.equal(await hasTls(connect(), renewalName('gpu-1')), true)
  assert.equal(await hasTls(connect(), renewalName('gpu-1')), false, 'its own budget has an end too')
  assert.equal(await hasTls(connect(), renewalName('gpu-2')), true, 'and is not shared with another worker')
})

test('unknown callers also share a total budget', async (t) => {
  const { connect } = await openListener(t, { admit: known, limits: { rates: { ...RATES, handshakesPerHost: PLENTY, handshakes: RATE } } })
  const flood: boolean[] = []
  for (let n = 0; n < 7; n++) flood.push(await hasTls(connect()))
  assert.deepEqual(flood, [...Array(5).fill(true), false, false])
  assert.equal(await hasTls(connect(), renewalName('gpu-1')), true)
})

test('unknown worker ids share a budget, and a known one has its own', async (t) => {
  const rates = { ...RATES, unknownPerHost: RATE, sessionsPerWorker: { burst: 3, perMinute: 1 } }
  const { connect, sessions } = await openListener(t, { admit: known, limits: { rates } })
  const answers: string[] = []
  for (let n = 0; n < 8; n++) answers.push(await answerTo(connect(), `SVA1 unknown-${n}\n`))
  assert.deepEqual(answers, [...Array(5).fill('SVA1 no unknown\n'), '', '', ''])
  for (const worker of ['gpu-1', 'gpu-2'])
    for (let n = 0; n < 3; n++) {
      const socket = connect()
      socket.write(`SVA1 ${worker}\n`)
      assert.equal(String((await once(socket, 'data'))[0]), 'SVA1 ok\n')
    }
  assert.equal(await answerTo(connect(), 'SVA1 gpu-1\n'), 'SVA1 later 60\n')
  assert.equal(sessions.length, 6)
})

test('beyond the handshakes that may run at once a machine is asked to come later, before TLS', async (t) => {
  const held: { prove: () => void; socket: Socket }[] = []
  const askedMs = new Map<string, number>()
  const { listener, connect, address } = await openListener(t, {
    onSession: (socket) => new Promise((prove) => void held.push({ prove, socket })),
    onLater: (worker, ms) => void askedMs.set(worker, ms),
    limits: { handshakes: { atOnce: 2, perSecond: 0.01 } },
  })
  const open = async (worker: string) => {
    const socket = connect()
    socket.write(`SVA1 ${worker}\n`)
    assert.equal(String((await once(socket, 'data'))[0]), 'SVA1 ok\n')
    return socket
  }
  const asked = async (worker: string) =>
    await dialStudio(address, worker, { clock, timeoutMs: 60_000 }).then(
      () => assert.fail('the session was accepted'),
      (failure: Failure) => {
        assert.deepEqual([failure.code, failure.detail], ['NOT_READY', { reason: 'later' }])
        return failure.retryAfterSeconds!
      },
    )
  await open('gpu-1')
  const second = await open('gpu-2')
  assert.equal(listener.isCrowded(), false)
  const waits = [await asked('gpu-3'), await asked('gpu-4'), await asked('gpu-5')]
  assert.equal(listener.isCrowded(), true)
  assert.equal(Math.ceil(askedMs.get('gpu-3')! / 1_000), waits[0], 'the studio receives how long a machine is asked to wait')
  assert.ok(waits[0]! < waits[1]! && waits[1]! < waits[2]!, `each is asked to come after the one before it: ${waits}`)
  await open('gpu-1') // a machine takes only one place
  held[0]!.prove()
  await asked('gpu-3')
  held[2]!.prove()
  await open('gpu-9')
  await asked('gpu-3')
  const closed = once(held[1]!.socket.resume(), 'close')
  second.destroy()
  await closed
  await open('gpu-10')
})

test('an answer that asks for too much is taken for another server, however long it is', async (t) => {
  for (const value of ['0', '-5', '1000000000', '9'.repeat(1_000_000)]) {
    const server = net.createServer((socket) => socket.on('error', () => {}).end(`SVA1 later ${value}\n`))
    server.listen(0, '127.0.0.1')
    t.after(() => server.close())
    await once(server, 'listening')
    const { port } = server.address() as net.AddressInfo
    await assert.rejects(dialStudio({ host: '127.0.0.1', port }, 'gpu-1', { clock, timeoutMs: 60_000 }), (error: Failure) => {
      assert.deepEqual([error.code, error.retryAfterSeconds], ['WORKER_UNREACHABLE', undefined])
      return true
    })
  }
})

test('connections over a Unix socket are not limited', async (t) => {
  const folder = socketFolder('voice-listener-')
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const none = { burst: 0, perMinute: 0 }
  const rates = { handshakesPerHost: none, handshakes: none, unknownPerHost: none, sessionsPerWorker: none, renewalsPerWorker: none }
  const { connect } = await openListener(t, { admit: known, limits: { rates } }, { path: localAddress(folder, 'port') })
  assert.equal(await hasTls(connect()), true)
  assert.equal(await answerTo(connect(), 'SVA1 stranger\n'), 'SVA1 no unknown\n')
})

test('a silent connection makes room for a new one', async (t) => {
  const { connect, address } = await openListener(t, { limits: { unproven: { ...UNPROVEN, perHostBurst: 3 } } })
  const silent = [connect(), connect(), connect()].map((socket) => socket.resume())
  for (const socket of silent) await once(socket, 'connect')
  const session = await dialStudio(address, 'gpu-1', { clock, timeoutMs: 5_000 })
  session.destroy()
  await eventually('the oldest is gone', () => silent[0]!.closed)
  assert.deepEqual(
    silent.map((socket) => socket.closed),
    [true, false, false],
  )
})

test('closing frees the port and the path, cuts waiting connections and leaves sessions open', async (t) => {
  const folder = socketFolder('voice-listener-')
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const where of [{ host: '127.0.0.1', port: 0 }, { path: localAddress(folder, 'port') }]) {
    const { listener, address, connect, sessions } = await openListener(t, {}, where)
    const session = await dialStudio(address, 'gpu-1', { clock, timeoutMs: 5_000 })
    const waiting = connect().resume()
    await once(waiting, 'connect')
    assert.deepEqual(listener.address(), address)
    listener.close()
    await eventually('who waits is cut', () => waiting.closed)
    assert.equal(session.destroyed, false)
    assert.equal(listener.address(), null)
    if ('path' in address && process.platform !== 'win32') assert.equal(existsSync(address.path), false)
    const again = await openListener(t, {}, address)
    assert.deepEqual(again.address, address)
    sessions[0]!.socket.destroy()
    session.destroy()
    await assert.rejects(openListener(t, {}, address), (error: Failure) => error instanceof Failure && error.code === 'CONFLICT')
  }
})
