// Conformance of runs over every kind of link and in both ways that a run can travel.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { Link, RunReader } from '#shared/link/rpc.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { systemRandom } from '#shared/runtime/random.ts'
import { sharedCertificates } from '#test/support/doubles/link-certificates.ts'
import { createFakeAgent, eventually, header, LINK_KINDS, openPair, RUN_WAYS } from '#test/support/doubles/link-pair.ts'

const ask = (link: Link) => link.describe({ studio_version: '0', features: ['x'] })
const chunk = (seq: number, payload: Buffer): Wire<'Event'> => ({ seq, fact: 'output', output: { part: 0, offset: 0, payload } })

function collect() {
  const events: Wire<'Event'>[] = []
  const done = Promise.withResolvers<Failure | null>()
  const reader: RunReader = { output: (batch) => void events.push(...batch), end: done.resolve }
  return { events, reader, ended: done.promise }
}

for (const [kind, way] of LINK_KINDS.flatMap((each) => RUN_WAYS.map((way) => [each, way] as const))) {
  test(`${kind}, ${way}: a run carries its header, inputs and events`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service, way })).connect()
    const { events, reader, ended } = collect()
    const call = link.run(header(), reader)
    const served = await service.nextRun()
    assert.deepEqual(served.header, header())
    assert.equal(served.peer.pin, (await sharedCertificates()).studio.pin)
    const sent: Wire<'Event'>[] = [
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

  test(`${kind}, ${way}: a failure keeps its code and message, and an unexpected error does not reveal its message`, async (t) => {
    const service = createFakeAgent({
      describe: () => Promise.reject(new Failure('MODEL_NOT_INSTALLED', 'No such engine here.')),
      commit: () => Promise.reject(new Error('the secret place')),
      run: async (call) => call.fail('STALE_EPOCH', 'A newer attempt is under way.'),
    })
    const link = await (await openPair(t, kind, { service, way })).connect()
    await assert.rejects(ask(link), { code: 'MODEL_NOT_INSTALLED', message: 'No such engine here.' })
    await assert.rejects(
      link.commit({ verdicts: [] }),
      (error: Failure) => error.code === 'WORKER_FAILED' && !error.message.includes('secret'),
    )
    const { reader, ended } = collect()
    link.run(header(), reader)
    assert.equal((await ended)?.code, 'STALE_EPOCH')
    const nameless = collect()
    link.run(header(''), nameless.reader)
    assert.equal((await nameless.ended)?.code, 'WORKER_FAILED')
    assert.equal(link.isOpen, true)
  })

  test(`${kind}, ${way}: a failure arrives after the outputs before it, also while the agent waits for inputs`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service, way })).connect()
    const { events, reader, ended } = collect()
    link.run(header(), reader)
    const served = await service.nextRun()
    const reading = (async () => {
      for await (const _ of served.inputs) assert.fail('no input was sent')
    })()
    for (let part = 0; part < 10; part++) if (!served.write({ events: [chunk(part + 1, Buffer.alloc(100_000))] })) await served.drained()
    served.fail('STALE_ATTEMPT', 'A newer call receives the events of this attempt.')
    assert.equal((await ended)?.code, 'STALE_ATTEMPT')
    assert.equal(events.length, 10)
    await reading
  })

  test(`${kind}, ${way}: a slow reader slows its sender only`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service, way })).connect()
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

  test(`${kind}, ${way}: 20 MiB arrive intact`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service, way })).connect()
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

  test(`${kind}, ${way}: a cancelled call ends at both ends and the link stays open`, async (t) => {
    const service = createFakeAgent()
    const link = await (await openPair(t, kind, { service, way })).connect()
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
    test(`${kind}, ${way}: when the ${cut}, every call ends at both sides and a new link works`, async (t) => {
      const service = createFakeAgent()
      const held = createFakeAgent({
        ...service,
        describe: (_request, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
      })
      const pair = await openPair(t, kind, { service: held, way })
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

  test(`${kind}, ${way}: every call of a studio that is not or no longer pinned is refused`, async (t) => {
    const { studio } = await sharedCertificates()
    const pair = await openPair(t, kind, { way })
    const link = await pair.connect()
    await ask(link)
    pair.studioPins.clear()
    for (const call of [() => ask(link), () => link.commit({ verdicts: [] }), () => link.drain({ drain: true, deadline_ms: 0 })])
      await assert.rejects(call, (error: Failure) => error.code === 'WORKER_FAILED' && (error.cause as { code: number }).code === 16)
    const { reader, ended } = collect()
    link.run(header(), reader)
    assert.equal((await ended)?.code, 'WORKER_FAILED')
    await assert.rejects(link.watch({ interval_ms: 0 }, new AbortController().signal)[Symbol.asyncIterator]().next(), {
      code: 'WORKER_FAILED',
    })
    pair.studioPins.add(studio.pin)
    await ask(link)
  })

  test(`${kind}, ${way}: a stopping agent finishes runs, refuses new ones, then disconnects`, async (t) => {
    const service = createFakeAgent()
    const pair = await openPair(t, kind, { service, way })
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
