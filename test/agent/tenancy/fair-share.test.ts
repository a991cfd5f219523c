import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { admission, type Claim, createFairShare, nextClaim } from '#agent/tenancy/fair-share.ts'
import { Failure, type FailureCode } from '#shared/protocol/failure.ts'
import { turn } from '#test/support/doubles/fake-clock.ts'
import { createLimitedPool } from './limited-pool.ts'

const fails = (code: FailureCode) => (error: unknown) => error instanceof Failure && error.code === code
const claims = fc
  .array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })
  .map((controllers) => controllers.map((controller, index): Claim => ({ controller, arrival: index })))
const settled = async () => {
  for (let turns = 0; turns < 5; turns++) await turn()
}

function open(permits: number) {
  const limited = createLimitedPool(permits)
  const turns = createFairShare(limited.pool)
  /** Begins as an agent would, and collects what it is told. */
  const begin = (controller: string, id: string, engine = 'svc-engine') => {
    const abort = new AbortController()
    const events = turns.run(controller, { id, engine, model: '', operation: 'tts', params: {}, signal: abort.signal })
    const told: string[] = []
    const ended = (async () => {
      for await (const event of events) told.push(event.kind === 'loading' ? event.detail : event.kind)
    })()
    ended.catch(() => {})
    return { told, ended, abort }
  }
  return { ...limited, turns, begin }
}

test('the controller with the fewest running attempts goes first, among equals the oldest claim', () => {
  fc.assert(
    fc.property(claims, claims, (running, waiting) => {
      const next = nextClaim(running, waiting)
      if (waiting.length === 0) return assert.equal(next, null)
      const runs = (controller: string) => running.filter((claim) => claim.controller === controller).length
      for (const other of waiting) {
        assert.ok(runs(next!.controller) <= runs(other.controller))
        if (runs(next!.controller) === runs(other.controller)) assert.ok(next!.arrival <= other.arrival)
      }
    }),
  )
})

test('no claim runs without a permit or before a waiting claim, and none waits only behind its own controller', () => {
  fc.assert(
    fc.property(claims, claims, claims, fc.nat(4), (running, waiting, receiving, permits) => {
      const answer = admission('a', { running, waiting, receiving }, permits)
      const own = [...running, ...waiting, ...receiving].filter(({ controller }) => controller === 'a').length
      if (answer === 'run') assert.ok(running.length < permits && waiting.length === 0)
      if (answer !== 'decline') assert.ok(own < permits)
      if (running.every(({ controller }) => controller === 'a') && running.length >= permits) assert.equal(answer, 'decline')
    }),
  )
})

test('for any order of arrivals, ends and cancels, no permit is idle while a claim waits, none is used twice and none is lost', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('arrive' as const), controller: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('end' as const), at: fc.nat(10) }),
    fc.record({ kind: fc.constant('abort' as const), at: fc.nat(30) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 60 }), async (permits, steps) => {
      const { begin, running, turns } = open(permits)
      const all: ReturnType<typeof begin>[] = []
      for (const [index, at] of steps.entries()) {
        try {
          if (at.kind === 'arrive') all.push(begin(at.controller, `${index}`))
        } catch (error) {
          assert.ok(fails('WORKER_AT_CAPACITY')(error))
        }
        if (at.kind === 'end') running[at.at % Math.max(1, running.length)]?.end()
        if (at.kind === 'abort') all[at.at % Math.max(1, all.length)]?.abort.abort(new Error('given up'))
        assert.ok(running.length <= permits)
        assert.ok(turns.waiting() === 0 || running.length === permits, 'a permit is idle while a claim waits')
      }
      while (running.length > 0) running[0]!.end()
      assert.equal(turns.waiting(), 0)
      await Promise.allSettled(all.map(({ ended }) => ended))
      assert.equal(running.length, 0)
    }),
    { numRuns: 60 },
  )
})

test('one task of a second controller waits for at most one of 500 tasks of the first', async () => {
  for (const permits of [1, 4]) {
    const { begin, running, begun } = open(permits)
    let left = 500
    /** Acts as a studio would: it offers again whenever it was declined or something of it ended. */
    const offer = () => {
      while (left > 0) {
        try {
          begin('many', `many-${left}`)
          left--
        } catch {
          return
        }
      }
    }
    offer()
    for (let ended = 0; ended < 37; ended++) {
      running[0]!.end()
      offer()
    }
    const before = begun.length
    const one = begin('one', 'one')
    assert.throws(() => begin('many', 'late'), fails('WORKER_AT_CAPACITY'), 'its own work fills the machine')
    await settled()
    assert.deepEqual(one.told, ['waiting for a free engine'])
    running[0]!.end()
    assert.equal(begun[before], 'one', 'the very next permit is theirs')
    offer()
    await settled()
    assert.deepEqual(one.told, ['waiting for a free engine', 'running'])
    running.find(({ id }) => id === 'one')!.end()
    await one.ended
    for (offer(); running.length > 0; offer()) running[0]!.end()
    assert.equal(begun.filter((id) => id.startsWith('many')).length, 500)
  }
})

test('two busy controllers alternate', async () => {
  const { begin, running, begun } = open(2)
  let count = 0
  const offer = (controller: string) => {
    try {
      for (;;) begin(controller, `${controller}-${count++}`)
    } catch {}
  }
  offer('a')
  offer('b')
  for (let ended = 0; ended < 100; ended++) {
    running[0]!.end()
    offer('a')
    offer('b')
  }
  const ofA = begun.slice(10).filter((id) => id.startsWith('a')).length
  assert.ok(Math.abs(ofA - (begun.length - 10) / 2) <= 2, `a had ${ofA} of ${begun.length - 10}`)
})

test('a cancelled claim leaves the queue, and a permit granted to an abandoned claim is returned', async () => {
  const { begin, running, turns } = open(1)
  begin('a', 'first')
  const waiting = begin('b', 'second')
  const other = begin('c', 'third')
  waiting.abort.abort(new Error('the deadline'))
  await assert.rejects(waiting.ended, fails('CANCELLED'))
  assert.equal(turns.waiting(), 1)
  running[0]!.end()
  assert.deepEqual(
    running.map(({ id }) => id),
    ['third'],
  )
  // Aborted as soon as it runs: the permit is freed at once and no claim is left waiting.
  other.abort.abort(new Error('cancelled'))
  await assert.rejects(other.ended, fails('CANCELLED'))
  assert.deepEqual([running.length, turns.waiting()], [0, 0])
  const already = new AbortController()
  already.abort(new Error('gone'))
  const none = turns.run('a', { id: 'x', engine: 'svc-engine', model: '', operation: 'tts', params: {}, signal: already.signal })
  await assert.rejects(async () => {
    for await (const _ of none);
  }, fails('CANCELLED'))
  begin('a', 'again')
  assert.deepEqual(
    running.map(({ id }) => id),
    ['again'],
    'nothing of the aborted one is left',
  )
})

test('a reader that stops early frees its permit or its place in the queue', async () => {
  const { begin, running, turns } = open(1)
  begin('a', 'first')
  const events = turns.run('b', {
    id: 'second',
    engine: 'svc-engine',
    model: '',
    operation: 'tts',
    params: {},
    signal: new AbortController().signal,
  })
  for await (const event of events) {
    assert.equal(event.kind, 'loading')
    running[0]!.end() // its turn comes just before it leaves
    break
  }
  await settled()
  assert.deepEqual([running.length, turns.waiting()], [0, 0])
})

test('an unsupported request is refused at once, not after a wait', () => {
  const { begin, turns } = open(1)
  begin('a', 'first')
  assert.throws(() => begin('b', 'other', 'no-such'), fails('OPERATION_UNSUPPORTED'))
  assert.equal(turns.waiting(), 0)
})
