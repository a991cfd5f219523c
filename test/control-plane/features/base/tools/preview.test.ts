import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf, surplusOf } from '#control-plane/features/base/tools/preview/preview.rules.ts'
import { bareName } from '#control-plane/http/input/form.ts'

const HOUR_MS = 3600 * 1000
const GB = 1024 ** 3

test('only extensions of media are kept', () => {
  for (const [filename, extension, isAudio] of [
    ['film.MP4', '.mp4', false],
    ['a.b.webm', '.webm', false],
    ['voice.Flac', '.flac', true],
    ['page.html', '.bin', false],
    ['image.svg', '.bin', false],
    ['film.mp4.exe', '.bin', false],
    ['film', '.bin', false],
    ['', '.bin', false],
    ['../../x.mp4/', '.bin', false],
    ['x.mp4\0.html', '.bin', false],
    ['x.mp4\r\n', '.bin', false],
  ] as const)
    assert.deepEqual(kindOf(filename), { extension, isAudio }, filename)
})

test('the echoed name has neither folders nor control characters', () => {
  assert.equal(bareName('C:\\films\\a film.mp4'), 'a film.mp4')
  assert.equal(bareName('../../etc/passwd'), 'passwd')
  assert.equal(bareName('a\r\nX-Evil: 1.mp4'), 'aX-Evil: 1.mp4')
  assert.equal(bareName('x'.repeat(5000)).length, 255)
})

test('files older than a day go, then the oldest until there is room', () => {
  const now = 1e12
  const file = (name: string, hoursAgo: number, bytes = 1) => ({ name, bytes, changedAt: now - hoursAgo * HOUR_MS })
  assert.deepEqual(surplusOf([file('new', 1), file('old', 25), file('future', -30)], now, 0), ['future', 'old'])
  assert.deepEqual(surplusOf([file('a', 1, 2 * GB), file('b', 2, GB), file('c', 3, 1.5 * GB)], now, GB / 4), ['c'])
  assert.deepEqual(
    surplusOf(
      Array.from({ length: 203 }, (_, at) => file(`${at}`, at / 100)),
      now,
      0,
    ),
    ['200', '201', '202'],
  )
  assert.deepEqual(surplusOf([], now, 9 * GB), [])
})
