// Behaviour of the exchange only; test/conformance/link/runs.test.ts has what every way of a run does.

import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Duplex } from 'node:stream'
import { type TestContext, test } from 'node:test'
import type { ServedRun } from '#shared/link/rpc.ts'
import { serveExchange } from '#shared/link/server/exchange.ts'
import { visibleFailure } from '#shared/link/transport/status.ts'
import type { Failure } from '#shared/protocol/failure.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { EXCHANGE_LIMITS } from '#shared/protocol/run-messages.ts'
import { systemClock as clock } from '#shared/runtime/clock.ts'
import { createFakeAgent, eventually, header, openPair } from '#test/support/doubles/link-pair.ts'

const output = (seq: number, bytes: number): Wire<'Event'> => ({
  seq,
  fact: 'output',
  output: { part: 0, offset: 0, payload: Buffer.alloc(bytes) },
})

/** Counts the HTTP/2 streams that agents of this process serve. */
function countStreams(t: TestContext) {
  let streams = 0
  const count = () => void streams++
  subscribe('http2.server.stream.created', count)
  t.after(() => unsubscribe('http2.server.stream.created', count))
  return () => streams
}

async function openLink(t: TestContext) {
  const service = createFakeAgent()
  const streams = countStreams(t)
  const pair = await openPair(t, 'local', { service })
  const link = await pair.connect()
  const run = (id: string, more: Partial<ReturnType<typeof header>> = {}, options = {}) => {
    const events: Wire<'Event'>[] = []
    const ended = Promise.withResolvers<Failure | null>()
    const reader = { output: (batch: Wire<'Event'>[]) => void events.push(...batch), end: ended.resolve }
    return { events, ended: ended.promise, call: link.run({ ...header(id), ...more }, reader, options) }
  }
  return { service, streams, link, pair, run }
}

test('runs share one call; a large one moves to its own', async (t) => {
  const { service, streams, link, run } = await openLink(t)
  link.openExchange()
  link.openExchange()
  const small = Array.from({ length: 20 }, (_, index) => run(`small-${index}`))
  for (let index = 0; index < 20; index++) {
    const served = await service.nextRun()
    assert.equal(served.header.attempt_id, `small-${index}`)
    served.write({ events: [output(1, 1024)] })
    served.end()
  }
  for (const { ended, events } of small) {
    assert.equal(await ended, null)
    assert.equal(events.length, 1)
  }
  assert.equal(streams(), 1)

  const large = run('large')
  const served = await service.nextRun()
  served.write({ events: [output(1, 1024)] })
  assert.equal(served.write({ events: [output(2, EXCHANGE_LIMITS.inlineBytes)] }), false)
  // Sent before the studio knows of the move, and after it.
  large.call.write({ step: 'cancel', cancel: {} })
  await served.drained()
  served.write({ events: [output(3, 100_000)] })
  await eventually('all outputs arrived', () => large.events.length === 3)
  assert.deepEqual(
    large.events.map(({ seq }) => seq),
    [1, 2, 3],
  )
  large.call.write({ step: 'commit', commit: {} })
  large.call.end()
  const steps: string[] = []
  for await (const { step } of served.inputs) steps.push(step)
  assert.deepEqual(steps, ['cancel', 'commit'])
  served.end()
  assert.equal(await large.ended, null)
  assert.equal(streams(), 2)
})

test('a run with inputs, with large parameters or with a large output expected has a call of its own', async (t) => {
  const { service, streams, link, run } = await openLink(t)
  link.openExchange()
  run('inputs', { inputs: [{ name: 'audio', size: 1, sha256: Buffer.alloc(32) }] })
  await service.nextRun()
  run('parameters', { params_json: Buffer.alloc(EXCHANGE_LIMITS.inlineBytes) })
  await service.nextRun()
  run('output', {}, { isLarge: true })
  await service.nextRun()
  assert.equal(streams(), 4)
})

test('a failure of a run that has moved keeps its code', async (t) => {
  const { service, link, run } = await openLink(t)
  link.openExchange()
  const { ended } = run('large')
  const served = await service.nextRun()
  served.write({ events: [output(1, 100_000)] })
  await served.drained()
  served.fail('STALE_ATTEMPT', 'A newer call receives the events.')
  assert.equal((await ended)?.code, 'STALE_ATTEMPT')
})

test('a run that is cancelled while it moves ends at both ends', async (t) => {
  const { service, link, run } = await openLink(t)
  link.openExchange()
  const { ended, call } = run('large')
  const served = await service.nextRun()
  served.write({ events: [output(1, 100_000)] })
  call.cancel()
  assert.equal((await ended)?.code, 'CANCELLED')
  await served.drained()
  await eventually('the agent sees it', () => served.signal.aborted)
  await link.commit({ verdicts: [] })
})

test('a refused exchange ends its runs, and the next ones have calls of their own', async (t) => {
  const { service, link, pair, run } = await openLink(t)
  const pins = [...pair.studioPins]
  pair.studioPins.clear()
  link.openExchange()
  assert.equal((await run('lost').ended)?.code, 'WORKER_DISCONNECTED')
  for (const pin of pins) pair.studioPins.add(pin)
  run('next')
  assert.equal((await service.nextRun()).header.attempt_id, 'next')
  assert.equal(link.isOpen, true)
})

/** The agent's end alone, with a studio that sends what it likes. */
function openServed({ isRead = true } = {}) {
  const frames: Wire<'OutputFrame'>[] = []
  const errors: unknown[] = []
  const served: ServedRun[] = []
  let sentMessages = 0
  const call = new Duplex({
    objectMode: true,
    read() {},
    write(message: Wire<'ExchangeOutput'>, _encoding, done) {
      sentMessages++
      frames.push(...message.frames)
      if (isRead) done()
    },
  })
  call.on('error', (error) => errors.push(error))
  serveExchange(call as unknown as Parameters<typeof serveExchange>[0], {
    pin: 'pin',
    admit: () => null,
    enter: () => () => {},
    serve(run) {
      served.push(run)
      return new Promise((resolve) => run.signal.addEventListener('abort', () => resolve(), { once: true }))
    },
    endOf: visibleFailure,
    stopped: new AbortController().signal,
    clock,
    onOver: () => {},
  })
  const send = (...list: Wire<'InputFrame'>[]) => void call.push({ frames: list })
  const codes = () => frames.flatMap((frame) => (frame.step === 'end' ? [`${frame.run} ${frame.end.code}`] : []))
  return { call, send, served, errors, codes, sent: () => sentMessages }
}
const begin = (run: number, attemptId = `attempt-${run}`): Wire<'InputFrame'> => ({ run, step: 'header', header: header(attemptId) })

test('a studio cannot reuse a number, leave out the attempt, or open too many runs', async () => {
  const { send, served, codes } = openServed()
  send(begin(1), begin(1), begin(2, ''))
  await eventually('both were refused', () => codes().length === 2)
  assert.deepEqual(codes(), ['1 BAD_REQUEST', '2 BAD_REQUEST'])
  assert.equal(served.length, 1)
  for (let run = 10; run < 10 + EXCHANGE_LIMITS.runs; run++) send(begin(run))
  await eventually('one was refused', () => codes().length === 3)
  assert.equal(codes()[2], `${9 + EXCHANGE_LIMITS.runs} WORKER_AT_CAPACITY`)
  assert.equal(served.length, EXCHANGE_LIMITS.runs)
  // Frames of unknown runs are late frames of finished ones.
  send({ run: 5, step: 'cancel', cancel: {} }, { run: 1, step: 'drop', drop: {} })
  await eventually('the run is over', () => served[0]!.signal.aborted)
})

test('a message with more than 256 frames ends the exchange and its runs', async () => {
  const { call, send, served, errors } = openServed()
  send(begin(1))
  await eventually('the run has begun', () => served.length === 1)
  send(...Array.from({ length: 257 }, (_, index) => begin(index + 2)))
  await eventually('the exchange failed', () => errors.length === 1)
  assert.equal((errors[0] as { details: string }).details, 'A message has too many frames.')
  assert.equal(served.length, 1)
  assert.equal(served[0]!.signal.aborted, true)
  call.destroy()
})

test('more inputs than a run can have end it', async () => {
  const { send, codes } = openServed()
  send(begin(1), ...Array.from({ length: 17 }, (): Wire<'InputFrame'> => ({ run: 1, step: 'cancel', cancel: {} })))
  await eventually('the run ended', () => codes().length === 1)
  assert.deepEqual(codes(), ['1 BAD_REQUEST'])
})

test('a studio that does not read is not read either', async () => {
  const { call, send, served } = openServed({ isRead: false })
  let run = 0
  // Each message of the agent stays unsent, so its queue fills after a few.
  while (!call.isPaused() && run < 1_000) {
    send(begin(++run))
    await eventually('the run has begun', () => served.length === run || call.isPaused())
    served.at(-1)!.write({ events: [output(1, 1024)] })
    await clock.sleep(0)
  }
  assert.ok(run < 100, `${run} runs were begun`)
  assert.equal(served.at(-1)!.write({ events: [output(2, 1024)] }), false)
})
