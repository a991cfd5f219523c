import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createBus } from '#control-plane/events/bus.ts'
import { type BusKind, KINDS, type ReaderEvent } from '#control-plane/events/event.ts'
import { QUEUE_EVENTS, QUIET_MS } from '#control-plane/events/readers.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'

function open() {
  const clock = createFakeClock()
  const bus = createBus({ clock })
  /** Reads everything as it comes. */
  const listen = () => {
    const got: ReaderEvent[] = []
    void (async () => {
      for await (const event of bus.listen(new AbortController().signal)) got.push(event)
    })()
    return got
  }
  return { clock, bus, listen }
}
const state = (n: number) => () => ({ n })

test('events of one object are merged to four a second with its last state; other objects and plain kinds are not delayed', async () => {
  const { clock, bus, listen } = open()
  const got = listen()
  for (let n = 0; n < 100; n++) {
    bus.publish({ kind: 'job', action: 'updated', id: 'a', fields: state(n) })
    await turn()
    clock.advance(10)
  }
  bus.publish({ kind: 'job', action: 'updated', id: 'b', fields: state(0) })
  bus.publish({ kind: 'generation_history', action: 'created', id: 't' })
  bus.publish({ kind: 'generation_history', action: 'starred', id: 't' })
  await turn()
  const ofA = got.filter((event) => 'id' in event && event.id === 'a')
  assert.ok(ofA.length >= 4 && ofA.length <= 5, String(ofA.length))
  assert.deepEqual(
    got.slice(-3).map((event) => ('action' in event ? [event.kind, event.action, event.id] : [])),
    [
      ['job', 'updated', 'b'],
      ['generation_history', 'created', 't'],
      ['generation_history', 'starred', 't'],
    ],
  )
  clock.advance(250)
  await turn()
  const last = got.filter((event) => 'id' in event && event.id === 'a').at(-1)
  assert.deepEqual(last && 'fields' in last && last.fields, { n: 99 })
})

test('merged events: never more than four in a second, the last state arrives, an end is never lost', async () => {
  const step = fc.record({ id: fc.constantFrom('a', 'b'), isTerminal: fc.boolean(), wait: fc.nat(400) })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, bus, listen } = open()
      const got = listen()
      const ends: number[] = []
      const last = new Map<string, number>()
      for (const [n, { id, isTerminal, wait }] of steps.entries()) {
        // No two ends of an object follow each other faster than a job can be started again.
        const isEnd = isTerminal && wait > 250
        if (isEnd) ends.push(n)
        last.set(id, n)
        bus.publish({ kind: 'job', action: isEnd ? 'ended' : 'updated', id, fields: state(n), isTerminal: isEnd })
        await turn()
        clock.advance(wait)
        await turn()
      }
      for (let left = 0; left < 8; left++) {
        clock.advance(250)
        await turn()
      }
      for (const id of ['a', 'b']) {
        const mine = got.flatMap((event) => ('id' in event && event.id === id ? [{ at: event.at, n: event.fields['n'] as number }] : []))
        for (const [index, { at, n }] of mine.entries()) {
          const fourth = mine[index + 4]
          assert.ok(!fourth || fourth.at - at >= 1_000)
          assert.ok(index === 0 || mine[index - 1]!.n < n, 'in order')
        }
        assert.equal(mine.at(-1)?.n, last.get(id))
        for (const n of ends) if (steps[n]!.id === id) assert.ok(mine.some((event) => event.n === n))
      }
    }),
    { numRuns: 200 },
  )
})

test('a reader that falls behind loses the oldest events, gets `reset` first, and holds at most 64 events', async () => {
  const { bus, listen } = open()
  const quick = listen()
  const slow = bus.listen(new AbortController().signal)
  for (let n = 0; n < 1_000; n++) {
    bus.publish({ kind: 'projects', action: 'updated', id: String(n) })
    await turn()
  }
  assert.equal(quick.length, 1_000)
  assert.equal((await slow.next()).value?.kind, 'reset')
  for (let n = 1_000 - QUEUE_EVENTS; n < 1_000; n++) {
    const { value } = await slow.next()
    assert.ok(value && 'id' in value && value.id === String(n))
  }
})

test('after 25 quiet seconds a reader gets a ping; it leaves when its signal aborts or the studio stops', async () => {
  const { clock, bus } = open()
  const abort = new AbortController()
  const one = bus.listen(abort.signal)
  const other = bus.listen(new AbortController().signal)
  const first = one.next()
  clock.advance(QUIET_MS)
  assert.deepEqual((await first).value, { kind: 'ping' })
  const second = one.next()
  const last = other.next()
  assert.equal(bus.readers(), 2)
  abort.abort()
  assert.equal((await second).done, true)
  assert.equal(bus.readers(), 1)
  bus.end()
  assert.equal((await last).done, true)
})

test('the number of readers is limited; without a reader no fields are computed', () => {
  const { clock, bus } = open()
  bus.publish({ kind: 'job', id: 'a', fields: () => assert.fail('without a reader this costs nothing') })
  assert.equal(clock.waiting(), 0)
  const aborts = Array.from({ length: 64 }, () => new AbortController())
  for (const { signal } of aborts) bus.listen(signal)
  assert.throws(() => bus.listen(new AbortController().signal), { code: 'QUEUE_FULL' })
  aborts[0]!.abort()
  bus.listen(new AbortController().signal)
})

test('every kind of the specification and the four of the web page exist', () => {
  const kinds: readonly BusKind[] = KINDS
  assert.deepEqual([...kinds].sort(), [
    'dub_history',
    'export_history',
    'generation_history',
    'job',
    'model',
    'notice',
    'profiles',
    'projects',
    'system_error',
    'worker',
  ])
})
