import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createControllerSessions } from '#agent/inbound/controller-sessions.ts'
import { systemRandom as random } from '#shared/runtime/random.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

test('a session is listed until it ends, and tasks count for the newest session of a key', () => {
  const clock = createFakeClock()
  const attached = createControllerSessions({ clock, random })
  const leave = attached.connected('k1', 'Ada', '1.1.1.1:5', () => {})
  attached.connected('k1', 'Ada', '1.1.1.1:6', () => {})
  attached.connected('k2', 'Bob', '2.2.2.2:5', () => {})
  attached.countTask('k1')
  attached.countTask('k1')
  assert.deepEqual(
    attached.sessions().map(({ key_id, label, peer, tasks_run }) => [key_id, label, peer, tasks_run]),
    [
      ['k1', 'Ada', '1.1.1.1:5', 0],
      ['k1', 'Ada', '1.1.1.1:6', 2],
      ['k2', 'Bob', '2.2.2.2:5', 0],
    ],
  )
  leave()
  leave()
  assert.equal(attached.sessions().length, 2)
  assert.deepEqual(
    attached.events().map(({ kind }) => kind),
    ['disconnected', 'connected', 'connected', 'connected'],
  )
})

test('a kicked key is cut at once and refused for a minute, without effect on other keys', () => {
  const clock = createFakeClock()
  const attached = createControllerSessions({ clock, random })
  const cut: string[] = []
  const leave = attached.connected('k1', 'Ada', '1.1.1.1:5', () => cut.push('k1'))
  attached.connected('k2', 'Bob', '2.2.2.2:5', () => cut.push('k2'))
  attached.kick('k1')
  leave()
  assert.deepEqual(cut, ['k1'])
  assert.deepEqual(
    attached.events().map(({ kind }) => kind),
    ['kicked', 'connected', 'connected'],
  )
  assert.deepEqual([attached.cooldown('k1'), attached.cooldown('k2')], [60_000, 0])
  clock.advance(60_000)
  assert.equal(attached.cooldown('k1'), 0)
})

test('200 events are kept, and repeated rejections of one caller do not push out others', () => {
  const clock = createFakeClock()
  const attached = createControllerSessions({ clock, random })
  attached.connected('k1', 'Ada', '1.1.1.1:5', () => {})
  for (let knock = 0; knock < 1_000; knock++) attached.rejected('', `9.9.9.9:${knock}`, 'unknown')
  assert.deepEqual(
    attached.events().map(({ kind }) => kind),
    ['rejected', 'connected'],
  )
  for (let minute = 0; minute < 300; minute++) {
    clock.advance(60_000)
    attached.rejected('', `9.9.9.9:${minute}`, 'unknown')
  }
  assert.equal(attached.events().length, 200)
})
