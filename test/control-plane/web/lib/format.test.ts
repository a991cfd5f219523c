import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ago, bytes, clock, duration, exact, remaining, soundLength, timeLeft } from '#control-plane/web/lib/format.ts'
import { secondsOfClock, typedTimes } from '#control-plane/web/lib/typed-clock.ts'
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

test('times of sound have one form, and are read as they are shown', () => {
  assert.deepEqual(
    [0, 62.9, 3723].map((seconds) => clock(seconds)),
    ['0:00', '1:02', '1:02:03'],
  )
  assert.deepEqual(
    [0, 59.96, 62.53, 3723.4].map((seconds) => clock(seconds, 1)),
    ['0:00.0', '1:00.0', '1:02.5', '1:02:03.4'],
  )
  assert.deepEqual(
    [4.4, 4.37, 59.999].map((seconds) => clock(seconds, 2)),
    ['0:04.4', '0:04.37', '1:00.0'],
  )
  const typed = ['1:02.5', '62.5', '62,5', ' 1:02:03.45 ', '0:07', '.5', '3', '90:00']
  assert.deepEqual(typed.map(secondsOfClock), [62.5, 62.5, 62.5, 3723.45, 7, 0.5, 3, 5400])
  const others = ['٠١:٠٢٫٥', '۱:۰۲.۵', '१:०२.५', '１：０２．５', '१०']
  assert.deepEqual(others.map(secondsOfClock), [62.5, 62.5, 62.5, 62.5, 10])
  for (const text of [
    '',
    '-1',
    'x',
    '٪',
    'NaN',
    'Infinity',
    '1:60',
    '1:60:00',
    '1:2:3:4',
    ':',
    '1:',
    '.',
    '1e3',
    '1:.',
    '0x5',
    `1${'0'.repeat(9)}`,
  ])
    assert.equal(secondsOfClock(text), null, text)
  for (let seconds = 0; seconds < 4000; seconds += 7.77) assert.equal(secondsOfClock(clock(seconds, 2)), Number(seconds.toFixed(2)))
})

test('times that are typed are read together, and what is no time is refused with the reason', () => {
  const line = { start: 1.2345, end: 3 }
  const bounds = { shown: (seconds: number) => clock(seconds, 2), least: 0.1, most: 90 }
  const read = (typed: { start?: string; end?: string }) => typedTimes(line, typed, bounds)
  assert.deepEqual(read({ end: '4' }), { start: 1.2345, end: 4 })
  assert.deepEqual(
    read({ start: '0:01.23', end: '0:02.5' }),
    { start: 1.2345, end: 2.5 },
    'the field showed this, so the time is as it was',
  )
  assert.deepEqual(read({ start: '5' }), 'order')
  assert.deepEqual(read({ start: '5', end: '1:08' }), { start: 5, end: 68 })
  assert.deepEqual(read({ start: '0.2', end: '0.3' }), { start: 0.2, end: 0.3 })
  assert.deepEqual(read({ end: '2:00' }), 'past')
  assert.deepEqual(typedTimes({ start: 1, end: 95 }, { start: '2' }, bounds), { start: 2, end: 95 }, 'a line of subtitles that are longer')
  for (const text of ['', '-1', 'x']) assert.deepEqual(read({ start: text }), 'number')
})
