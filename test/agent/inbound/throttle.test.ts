import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThrottle } from '#agent/inbound/throttle.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

test('five wrong keys within five minutes lock out their address for a minute', () => {
  const clock = createFakeClock()
  const throttle = createThrottle(clock)
  for (let count = 0; count < 4; count++) throttle.recordFailure('1.1.1.1')
  throttle.check('1.1.1.1')
  throttle.recordFailure('1.1.1.1')
  assert.throws(() => throttle.check('1.1.1.1'), { code: 'QUEUE_FULL', message: /Try again in 60 s/ })
  throttle.check('2.2.2.2')
  clock.advance(59_000)
  assert.throws(() => throttle.check('1.1.1.1'), { message: /Try again in 1 s/ })
  clock.advance(1_000)
  throttle.check('1.1.1.1')
  throttle.recordFailure('1.1.1.1')
  throttle.check('1.1.1.1')
})

test('old wrong keys expire', () => {
  const clock = createFakeClock()
  const throttle = createThrottle(clock)
  for (let count = 0; count < 20; count++) {
    throttle.recordFailure('1.1.1.1')
    clock.advance(80_000)
    throttle.check('1.1.1.1')
  }
})

test('a flood from many addresses is bounded and does not unlock the locked address', () => {
  const throttle = createThrottle(createFakeClock())
  for (let host = 0; host < 9_000; host++) throttle.recordFailure(`h${host}`)
  for (let count = 0; count < 5; count++) throttle.recordFailure('guesser')
  for (let host = 0; host < 9_000; host++) throttle.recordFailure(`g${host}`)
  assert.throws(() => throttle.check('guesser'), { code: 'QUEUE_FULL' })
})

test('the addresses of one IPv6 network are counted together', () => {
  const throttle = createThrottle(createFakeClock())
  for (let count = 0; count < 5; count++) throttle.recordFailure(`2001:db8:1:2::${count}`)
  assert.throws(() => throttle.check('2001:db8:1:2:ffff::9'), { code: 'QUEUE_FULL' })
  throttle.check('2001:db8:1:3::1')
})
