// Conformance of every kind of link, dialled or accepted.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import tls from 'node:tls'
import type { Link, RunReader } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { RunEvent } from '#shared/protocol/run-messages.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { issueTestIdentity, sharedCertificates } from '#test/support/doubles/link-certificates.ts'
import { createFakeAgent, eventually, header, LINK_KINDS, openPair, type PairOptions } from '#test/support/doubles/link-pair.ts'

const ask = (link: Link) => link.describe({ studio_version: '0', features: ['x'] })
const chunk = (seq: number, payload: Buffer): RunEvent => ({ seq, fact: 'output', output: { part: 0, offset: 0, payload } })

function collect() {
  const events: RunEvent[] = []
  const done = Promise.withResolvers<Failure | null>()
  const reader: RunReader = { output: (batch) => void events.push(...batch), end: done.resolve }
  return { events, reader, ended: done.promise }
}
/** Why a connection was refused: at once, by a link that closes, or by its first call. */
async function refusalOf(connect: () => Promise<Link>): Promise<Failure> {
  try {
    const link = await connect()
    const answer = await ask(link).then(
      () => null,
      (error: Failure) => error,
    )
    return answer?.code === 'AUTH_FAILED' ? answer : await link.closed
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

  test(`${kind}: a run carries its header, inputs and events`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service })).connect()
    const { events, reader, ended } = collect()
    const call = link.run(header(), reader)
    const served = await service.nextRun()
    assert.deepEqual(served.header, header())
    assert.equal(served.peer.pin, (await sharedCertificates()).studio.pin)
    const sent: RunEvent[] = [
      { seq: 1, fact: 'accepted', accepted: {} },
      { seq: 2, fact: 'progress', progress: { progress: 0.5, stage: 'half', keepalive: false } },
      { seq: 3, fact: 'completed', completed: { result_json: Buffer.from('{}'), sha256: Buffer.alloc(32, 1), size: 2 ** 40 } },
    ]
    served.write({ events: sent.slice(0, 1) })
    served.write({ events: sent.slice(1) })
    call.write({ step: 'commit', commit: {} })
    call.write({ step: 'cancel', cancel: {} })
    call.end()
    const steps: string[] = []
    for await (const input of served.inputs) steps.push(input.step)
    assert.deepEqual(steps, ['commit', 'cancel'])
    served.end()
    assert.equal(await ended, null)
    assert.deepEqual(events, sent)
    await eventually('the agent sees the end', () => served.signal.aborted)
  })

  test(`${kind}: snapshots arrive until the reader stops`, async (t) => {
    const link = await (await openPair(t, kind)).connect()
    const stop = new AbortController()
    const beats: number[] = []
    for await (const snapshot of link.watch({ interval_ms: 5 }, stop.signal)) {
      const { beat: _beat, free_memory_bytes: memory, free_disk_bytes: disk, ...rest } = snapshot
      assert.deepEqual([memory, disk], [2 ** 40, 2 ** 41])
      assert.deepEqual(rest, { held: [], resident_models: ['a:b'], draining: false, inventory: 0 })
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
    await assert.rejects(refused.next(), (error) => error instanceof Failure && error.code === 'AUTH_FAILED')
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
        for (let beat = 1; ; beat++)
          yield { held: [], resident_models: [], free_memory_bytes: 0, free_disk_bytes: 0, draining: false, beat, inventory: 0 }
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

  test(`${kind}: a failure keeps its code and message, and an unexpected error does not reveal its message`, async (t) => {
    const service = createFakeAgent({
      describe: () => Promise.reject(new Failure('MODEL_NOT_INSTALLED', 'No such engine here.')),
      commit: () => Promise.reject(new Error('the secret place')),
      run: async (call) => call.fail('STALE_EPOCH', 'A newer attempt is under way.'),
    })
    const link = await (await openPair(t, kind, { service })).connect()
    await assert.rejects(ask(link), { code: 'MODEL_NOT_INSTALLED', message: 'No such engine here.' })
    await assert.rejects(link.commit({ verdicts: [] }), (error: Failure) => error.code === 'UNKNOWN' && !error.message.includes('secret'))
    const { reader, ended } = collect()
    link.run(header(), reader)
    assert.equal((await ended)?.code, 'STALE_EPOCH')
    const nameless = collect()
    link.run(header(''), nameless.reader)
    assert.equal((await nameless.ended)?.code, 'BAD_REQUEST')
    assert.equal(link.isOpen, true)
  })

  test(`${kind}: a slow reader slows its sender only`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service })).connect()
    const { events, reader, ended } = collect()
    const call = link.run(header(), reader)
    call.pause()
    const served = await service.nextRun()
    const total = 200
    let written = 0
    const sending = (async () => {
      for (; written < total; written++)
        if (!served.write({ events: [chunk(written + 1, Buffer.alloc(64 * 1024))] })) await served.drained()
      served.end()
    })()
    await eventually('the sender has begun', () => written > 0)
    for (let before = -1; before !== written; ) {
      before = written
      await ask(link)
      await clock.sleep(50)
    }
    assert.ok(written < total * 0.6, `${written} of ${total} parts were written to a reader that took none`)
    assert.equal(events.length, 0)
    call.resume()
    await sending
    assert.equal(await ended, null)
    assert.deepEqual(
      events.map((event) => event.seq),
      Array.from({ length: total }, (_, at) => at + 1),
    )
  })

  test(`${kind}: 20 MiB arrive intact`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service })).connect()
    const there = createHash('sha256')
    const here = createHash('sha256')
    let bytes = 0
    const ended = Promise.withResolvers<Failure | null>()
    link.run(header(), {
      output: (events) => {
        for (const event of events) {
          if (event.fact !== 'output') continue
          here.update(event.output.payload)
          bytes += event.output.payload.length
        }
      },
      end: ended.resolve,
    })
    const served = await service.nextRun()
    for (let part = 0; part < 80; part++) {
      const payload = systemRandom.bytes(256 * 1024)
      there.update(payload)
      if (!served.write({ events: [chunk(part + 1, payload)] })) await served.drained()
    }
    served.end()
    assert.equal(await ended.promise, null)
    assert.equal(bytes, 20 * 1024 * 1024)
    assert.equal(here.digest('hex'), there.digest('hex'))
  })

  test(`${kind}: a cancelled call ends at both ends and the link stays open`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service })).connect()
    const { reader, ended } = collect()
    const call = link.run(header(), reader)
    const served = await service.nextRun()
    call.cancel()
    assert.equal((await ended)?.code, 'CANCELLED')
    await eventually('the agent sees it', () => served.signal.aborted)
    for await (const _ of served.inputs) assert.fail('no input was sent')
    assert.equal(served.write({ events: [] }), true)
    await served.drained()
    await ask(link)
  })

  for (const cut of ['agent ends', 'agent resets', 'studio closes'] as const) {
    test(`${kind}: when the ${cut}, every call ends at both sides and a new link works`, async (t) => {
      const service = createFakeAgent()
      const held = createFakeAgent({
        ...service,
        describe: (_request, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
      })
      const pair = await openPair(t, kind, { service: held })
      const link = await pair.connect()
      const { reader, ended } = collect()
      link.run(header(), reader)
      const served = await service.nextRun()
      const describing = ask(link)
      const watching = (async () => {
        for await (const _ of link.watch({ interval_ms: 1 }, new AbortController().signal));
      })()
      const outcomes = Promise.allSettled([describing, watching])
      const cutAt = clock.mono()
      if (cut === 'agent ends') pair.agentSockets[0]!.destroy()
      if (cut === 'agent resets') pair.agentSockets[0]![kind === 'local' ? 'destroySoon' : 'resetAndDestroy']()
      if (cut === 'studio closes') link.close(new Failure('WORKER_REVOKED', 'removed'))
      const code = cut === 'studio closes' ? 'WORKER_REVOKED' : 'WORKER_DISCONNECTED'
      assert.equal((await ended)?.code, code)
      for (const outcome of await outcomes) assert.equal(outcome.status === 'rejected' && (outcome.reason as Failure).code, code)
      assert.equal((await link.closed).code, code)
      await eventually('the agent sees it', () => served.signal.aborted)
      // Far above what it takes, far below what the library's own keepalive would need.
      assert.ok(clock.mono() - cutAt < 5_000)
      assert.equal(link.isOpen, false)
      await assert.rejects(ask(link), { code })
      const late = collect()
      link.run(header(), late.reader)
      assert.equal((await late.ended)?.code, code)
      const next = await pair.connect()
      await next.commit({ verdicts: [] })
    })
  }

  test(`${kind}: every call of a studio that is not or no longer pinned is refused`, async (t) => {
    const { studio } = await sharedCertificates()
    const pair = await openPair(t, kind)
    const link = await pair.connect()
    await ask(link)
    pair.studioPins.clear()
    for (const call of [() => ask(link), () => link.commit({ verdicts: [] }), () => link.drain({ drain: true, deadline_ms: 0 })])
      await assert.rejects(call, (error: Failure) => error.code === 'AUTH_FAILED' && (error.cause as { code: number }).code === 16)
    const { reader, ended } = collect()
    link.run(header(), reader)
    assert.equal((await ended)?.code, 'AUTH_FAILED')
    await assert.rejects(link.watch({ interval_ms: 0 }, new AbortController().signal)[Symbol.asyncIterator]().next(), {
      code: 'AUTH_FAILED',
    })
    pair.studioPins.add(studio.pin)
    await ask(link)
  })

  test(`${kind}: wrong certificates are refused, each with its own reason`, async (t) => {
    const { authority, stranger, agent, studio } = await sharedCertificates()
    const attempt = async (options: PairOptions) => {
      const pair = await openPair(t, kind, options)
      const { code, message } = await refusalOf(pair.connect)
      return { code, message, agentReason: pair.agentReasons.join() }
    }
    const refused = async (options: PairOptions, message: RegExp) => {
      const refusal = await attempt(options)
      assert.match(refusal.message, message)
      assert.equal(refusal.code, 'AUTH_FAILED')
    }
    await refused({ agent: await issueTestIdentity(stranger, 'worker', 'gpu-1', { key: agent.key }) }, /verify|self-signed/)
    await refused({ agent: await issueTestIdentity(authority, 'worker', 'gpu-1') }, /does not match its pin/)
    await refused({ agent: await issueTestIdentity(authority, 'worker', 'gpu-1', { key: agent.key, hoursAgo: 3 }) }, /expired/)
    await refused({ agent: await issueTestIdentity(authority, 'worker', 'gpu-2', { key: agent.key }) }, /does not belong to gpu-1/)
    await refused({ studio: await issueTestIdentity(authority, 'studio', 'studio') }, /not pinned by this agent/)
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

  test(`${kind}: a stopping agent finishes runs, refuses new ones, then disconnects`, async (t) => {
    const service = createFakeAgent()
    const pair = await openPair(t, kind, { service })
    const link = await pair.connect()
    const { events, reader, ended } = collect()
    link.run(header(), reader)
    const served = await service.nextRun()
    const stopped = pair.endpoint.stop(60_000)
    await assert.rejects(ask(link), { code: 'WORKER_DRAINING' })
    served.write({ events: [{ seq: 1, fact: 'accepted', accepted: {} }] })
    served.end()
    assert.equal(await ended, null)
    assert.equal(events.length, 1)
    await stopped
    assert.equal((await link.closed).code, 'WORKER_DISCONNECTED')
    await eventually('its sockets are closed', () => pair.agentSockets.every((socket) => socket.destroyed))
  })
}
