import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHandshakes, type Handshake } from '#shared/link/port/handshakes.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

const LIMITS = { atOnce: 4, perSecond: 100 }

function open() {
  const clock = createFakeClock()
  const handshakes = createHandshakes(LIMITS, clock)
  const running: Handshake[] = []
  let count = 0
  const begin = () => {
    const begun = handshakes.begin(`machine-${count++}`)
    if (typeof begun !== 'number') running.push(begun)
    return begun
  }
  while (running.length < LIMITS.atOnce) begin()
  /** Handshakes that end one after the other, each followed by the next. */
  const prove = (times: number, everyMs: number) => {
    for (let index = 0; index < times; index++) {
      clock.advance(everyMs)
      running.shift()!.proven()
      begin()
    }
  }
  /** Milliseconds between two times that are given out. */
  const spacing = () => {
    const [first, second] = [begin(), begin()]
    return Math.round(((second as number) - (first as number)) * 1_000)
  }
  return { clock, handshakes, running, begin, prove, spacing }
}

test('machines are asked to come at the rate at which keys were proven', () => {
  const { prove, spacing } = open()
  assert.equal(spacing(), 10, 'nothing is measured yet')
  prove(3_000, 40)
  assert.ok(Math.abs(spacing() - 40) <= 1)
  prove(6_000, 5)
  assert.ok(Math.abs(spacing() - 5) <= 1)
})

test('the rate of the arrivals is not the rate of the port', () => {
  const { clock, running, handshakes, prove, begin, spacing } = open()
  begin()
  prove(3_000, 20)
  for (const each of running.splice(0)) each.proven()
  for (let hour = 0; hour < 5; hour++) {
    clock.advance(3_600_000)
    ;(handshakes.begin('alone') as Handshake).proven()
  }
  while (typeof begin() !== 'number');
  assert.ok(Math.abs(spacing() - 20) <= 1, 'kept while few machines came')
})

test('callers that take the places and prove nothing slow the others down within a limit', () => {
  const { clock, running, begin, spacing } = open()
  for (let minute = 0; minute < 60; minute++) {
    begin()
    clock.advance(60_000)
    running.shift()!.end()
    begin()
  }
  assert.equal(spacing(), 80)
})

test('a place is given back once', () => {
  const { running, begin } = open()
  const first = running.shift()!
  first.end()
  first.proven()
  first.end()
  assert.equal(typeof begin(), 'object')
  assert.equal(typeof begin(), 'number')
})
