import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdmission, limitKey } from '#shared/link/port/admission.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

test('limits count IPv4 addresses and IPv6 networks', () => {
  assert.equal(limitKey('10.0.0.1'), '10.0.0.1')
  assert.equal(limitKey('::ffff:10.0.0.1'), '10.0.0.1')
  assert.equal(limitKey('2001:db8:1:2:3:4:5:6'), limitKey('2001:db8:1:2::9'))
  assert.notEqual(limitKey('2001:db8:1:2::9'), limitKey('2001:db8:1:3::9'))
  assert.equal(limitKey('fe80::1%eth0'), limitKey('fe80::2%eth0'))
  assert.equal(limitKey('::1'), '0:0:0:0::/64')
  assert.equal(limitKey('local'), 'local')
})

test('a flood uses up its own budget, not that of another address or of an enrolled machine behind the same address', () => {
  const rate = { burst: 2, perMinute: 60 }
  const clock = createFakeClock()
  const admission = createAdmission(
    {
      handshakesPerHost: rate,
      handshakes: { burst: 3, perMinute: 60 },
      unknownPerHost: rate,
      sessionsPerWorker: rate,
      renewalsPerWorker: rate,
    },
    clock,
  )
  const times = (count: number, take: () => boolean) => Array.from({ length: count }, take).filter(Boolean).length
  assert.equal(
    times(5, () => admission.handshake('a')),
    2,
  )
  assert.equal(
    times(5, () => admission.handshake('b')),
    1,
    'the rest of what all strangers have together',
  )
  assert.equal(
    times(5, () => admission.renewal('gpu', 'a')),
    2,
  )
  assert.equal(
    times(5, () => admission.unknownCaller('a')),
    2,
  )
  assert.equal(
    times(5, () => admission.session('gpu', 'a')),
    2,
  )
  assert.equal(
    times(5, () => admission.session('gpu', 'b')),
    2,
    'a caller with its name at another address does not use its budget',
  )
  assert.equal(
    times(5, () => admission.session('other', 'a')),
    2,
  )
  clock.advance(1_000)
  assert.equal(admission.handshake('a'), true)
  assert.equal(
    times(9, () => admission.handshake('local') && admission.unknownCaller('local')),
    9,
  )
})
