import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, bytes, duration, exact, remaining, soundLength, timeLeft } from '#control-plane/web/lib/format.ts'
import { grouped } from '#messages/language.ts'

test('times and sizes are short, and sizes are decimal', () => {
  assert.deepEqual([0.2, 0.44, 9.96, 12.3, 120, 4320].map(duration), ['0.2 s', '0.4 s', '10 s', '12 s', '2 min', '1 h 12 min'])
  assert.deepEqual([12, 75, 3600].map(timeLeft), ['12 s', '1 min 15 s', '1 h 0 min'])
  assert.deepEqual([0, 999, 4_000, 3_000_000, 3.3e9, 25.3e9].map(bytes), ['0 B', '999 B', '4 KB', '3.0 MB', '3.3 GB', '25 GB'])
  const now = Date.now() / 1000
  assert.deepEqual([null, now, now - 7.5, now - 250, now - 7300].map(ago), ['never', 'now', '7 s ago', '4 min ago', '2 h ago'])
})

test('numbers are in groups and moments are exact, as the library for languages writes them', () => {
  for (const count of [0, 7, 999, 1_000, 10_005, 999_999, 1_000_000, 12_034_056]) assert.equal(grouped(count), count.toLocaleString('en'))
  assert.equal(exact(new Date(2026, 10, 6, 9, 5).getTime() / 1000), '2026-11-06 09:05')
  assert.equal(ago(new Date(2025, 10, 6, 9, 5).getTime() / 1000), '2025-11-06')
})

test('the length of sound is exact, and what is left is an estimate', () => {
  assert.deepEqual([0.4, 12.3, 59.4, 59.6, 108, 163, 3599.6, 4325].map(soundLength), [
    '0.4 s',
    '12 s',
    '59 s',
    '1:00',
    '1:48',
    '2:43',
    '1:00:00',
    '1:12:05',
  ])
  assert.deepEqual([0.1, 9, 12, 71, 100, 4320].map(remaining), ['a few seconds', 'a few seconds', '15 s', '75 s', '2 min', '1 h 12 min'])
})
