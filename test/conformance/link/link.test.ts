// Conformance of every kind of link, dialled or accepted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import tls from 'node:tls'
import type { Link } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { wireSnapshot } from '#test/support/builders/wire.ts'
import { issueTestIdentity, sharedCertificates } from '#test/support/doubles/link-certificates.ts'
import { createFakeAgent, eventually, LINK_KINDS, openPair, type PairOptions } from '#test/support/doubles/link-pair.ts'

const ask = (link: Link) => link.describe({ studio_version: '0', features: ['x'] })

/** Failure of a refused connection: at once, by a link that closes, or by its first call. */
async function refusalOf(connect: () => Promise<Link>): Promise<Failure> {
  try {
    const link = await connect()
    const answer = await ask(link).then(
      () => null,
      (error: Failure) => error,
    )
    return answer?.code === 'WORKER_FAILED' ? answer : await link.closed
  } catch (error) {
    return error as Failure
  }
}

for (const kind of LINK_KINDS) {
  test(`${kind}: unary calls return their replies`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service })).connect()
    assert.equal(link.isOpen, true)
    assert.equal(link.workerId, 'gpu-1')
    assert.deepEqual(await ask(link), {
      agent_version: '1.2.3',
      features: ['x'],
      host: null,
      capabilities: [],
      generation: 7,
      protocol: 1,
      instance: '',
      inventory: 0,
      pool: null,
    })
    const verdicts = [{ attempt_id: 'a', epoch: 2, committed: true }]
    await link.commit({ verdicts })
    await link.consent({ consent_id: '' })
    await link.rotate({})
    assert.deepEqual(service.calls, [{ verdicts }, { consent_id: '' }, {}])
    const sha256 = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    await link.forgetVoices({ sha256 })
    assert.deepEqual(service.calls.pop(), { sha256 })
    assert.deepEqual(await link.unload({ engine: 'tone' }), { unloaded: ['tone'], reason: '' })
    assert.deepEqual(await link.drain({ drain: true, deadline_ms: 5 }), { held: 5 })
  })

  test(`${kind}: snapshots arrive until the reader stops`, async (t) => {
    const link = await (await openPair(t, kind)).connect()
    const stop = new AbortController()
    const beats: number[] = []
    for await (const snapshot of link.watch({ interval_ms: 5 }, stop.signal)) {
      const { beat: _beat, free_memory_bytes: memory, free_disk_bytes: disk, ...rest } = snapshot
      assert.deepEqual([memory, disk], [2 ** 40, 2 ** 41])
      assert.deepEqual(rest, { held: [], resident_models: ['a:b'], draining: false, drain_requested: false, inventory: 0, pool: null })
      beats.push(snapshot.beat)
      if (beats.length === 2) await clock.sleep(1_000)
      if (beats.length === 4) stop.abort()
    }
    assert.equal(beats.length, 4)
    assert.deepEqual(
      [...beats].sort((a, b) => a - b),
      beats,
    )
    assert.ok(beats[2]! > beats[1]! + 1, 'a slow reader misses snapshots instead of getting old ones')
  })

  test(`${kind}: every log line arrives in order until the reader stops`, async (t) => {
    const link = await (await openPair(t, kind)).connect()
    const never = new AbortController().signal
    const told: string[] = []
    for await (const line of link.logs({ last: 1000, follow: false }, never)) {
      told.push(line.message)
      if (told.length === 1) assert.deepEqual(line, { at: 2 ** 41 + 1, level: 'info', message: 'line 1', fields_json: '{"n":1}' })
      if (told.length === 10) await clock.sleep(50)
    }
    assert.deepEqual(
      told,
      Array.from({ length: 1000 }, (_, index) => `line ${index + 1}`),
    )
    const stop = new AbortController()
    let followed = 0
    for await (const _line of link.logs({ last: 0, follow: true }, stop.signal)) if (++followed === 3) stop.abort()
    assert.ok(followed >= 3)
    assert.deepEqual(await link.drain({ drain: true, deadline_ms: 5 }), { held: 5 }, 'the link goes on')
  })

  test(`${kind}: following a log ends with the link or with a refusal of the agent`, async (t) => {
    const pair = await openPair(t, kind)
    const link = await pair.connect()
    const lines = link.logs({ last: 1, follow: true }, new AbortController().signal)[Symbol.asyncIterator]()
    assert.equal((await lines.next()).value.message, 'line 1')
    pair.studioPins.clear()
    const refused = link.logs({ last: 1, follow: false }, new AbortController().signal)[Symbol.asyncIterator]()
    await assert.rejects(refused.next(), (error) => error instanceof Failure && error.code === 'WORKER_FAILED')
    link.close(new Failure('WORKER_REVOKED', 'the machine was removed'))
    await assert.rejects(
      async () => {
        while (!(await lines.next()).done);
      },
      (error) => error instanceof Failure && error.code === 'WORKER_REVOKED',
    )
  })

  test(`${kind}: a constant stream of snapshots does not block other calls`, async (t) => {
    const service = createFakeAgent({
      async *watch() {
        for (let beat = 1; ; beat++) yield wireSnapshot({ beat })
      },
    })
    const link = await (await openPair(t, kind, { service })).connect()
    const stop = new AbortController()
    const snapshots = link.watch({ interval_ms: 0 }, stop.signal)[Symbol.asyncIterator]()
    const first = await snapshots.next()
    for (let n = 0; n < 20; n++) await ask(link)
    const second = await snapshots.next()
    assert.ok(second.value.beat > first.value.beat)
    stop.abort()
    assert.equal((await snapshots.next()).done, true)
  })

  test(`${kind}: wrong certificates are refused, each with its own reason`, async (t) => {
    const { authority, stranger, agent, studio } = await sharedCertificates()
    const attempt = async (options: PairOptions) => {
      const pair = await openPair(t, kind, options)
      const { code, message } = await refusalOf(pair.connect)
      return { code, message, agentReason: pair.agentReasons.join() }
    }
    const refused = async (options: PairOptions, message: RegExp, code = 'AUTH_FAILED') => {
      const refusal = await attempt(options)
      assert.match(refusal.message, message)
      assert.equal(refusal.code, code)
    }
    await refused({ agent: await issueTestIdentity(stranger, 'worker', 'gpu-1', { key: agent.key }) }, /verify|self-signed/)
    await refused({ agent: await issueTestIdentity(authority, 'worker', 'gpu-1') }, /does not match its pin/)
    await refused({ agent: await issueTestIdentity(authority, 'worker', 'gpu-1', { key: agent.key, hoursAgo: 3 }) }, /expired/)
    await refused({ agent: await issueTestIdentity(authority, 'worker', 'gpu-2', { key: agent.key }) }, /does not belong to gpu-1/)
    // What the agent says is a failure of the agent: its word must not become the status of a response of the studio.
    await refused({ studio: await issueTestIdentity(authority, 'studio', 'studio') }, /not pinned by this agent/, 'WORKER_FAILED')
    // The agent hangs up on these two; TLS tells the reason to its side only.
    for (const [studioOf, reason] of [
      [await issueTestIdentity(stranger, 'studio', 'studio', { key: studio.key }), /UNABLE_TO_VERIFY/],
      [await issueTestIdentity(authority, 'studio', 'studio', { key: studio.key, hoursAgo: 3 }), /CERT_HAS_EXPIRED/],
    ] as const) {
      const refusal = await attempt({ studio: studioOf })
      assert.equal(refusal.code, 'WORKER_DISCONNECTED')
      assert.match(refusal.agentReason, reason)
    }
  })

  test(`${kind}: TLS 1.2, a missing certificate and silence are refused`, async (t) => {
    const { studio } = await sharedCertificates()
    const pair = await openPair(t, kind, { limits: { handshakeMs: 1_500 } })
    const attempt = async (options: tls.ConnectionOptions) => {
      const secure = tls.connect({
        socket: await pair.openSocket(),
        ca: studio.authority,
        servername: 'gpu-1',
        ALPNProtocols: ['h2'],
        ...options,
      })
      const error = Promise.withResolvers<string>()
      secure.on('error', ({ message }) => error.resolve(message)).on('close', () => error.resolve('hung up'))
      return error.promise
    }
    const proof = { key: studio.key, cert: studio.certificate }
    assert.match(await attempt({ ...proof, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }), /protocol version/)
    assert.match(await attempt({}), /certificate required/)
    const silent = await pair.openSocket()
    silent.on('error', () => {}).resume()
    await eventually('the silent one is cut', () => silent.closed)
    await ask(await pair.connect())
  })

  test(`${kind}: a silent studio is disconnected`, async (t) => {
    const pair = await openPair(t, kind, { limits: { firstCallMs: 1_000, silenceMs: 1_500 } })
    const idle = await pair.connect()
    assert.match((await idle.closed).code, /WORKER_DISCONNECTED/)
    const lively = await pair.connect()
    const from = clock.mono()
    while (clock.mono() - from < 2_500) {
      await ask(lively)
      await clock.sleep(50)
    }
    assert.ok(lively.isOpen, 'who asks now and then keeps its link')
    await lively.closed
  })
}
