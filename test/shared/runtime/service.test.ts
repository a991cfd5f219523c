import assert from 'node:assert/strict'
import { test } from 'node:test'
import { group, loop, type Service } from '#shared/runtime/service.ts'
import { createFakeClock, turn } from '#test/support/doubles/fake-clock.ts'

test('a loop runs once however often it is started, and stop waits for the running pass', async () => {
  const clock = createFakeClock()
  let passes = 0
  let isFinished = false
  const service = loop(
    'beat',
    async (signal) => {
      passes++
      await clock.sleep(10, signal).catch(() => {})
      await turn()
      isFinished = true
    },
    () => assert.fail('it did not crash'),
  )
  await service.start()
  await service.start()
  assert.equal(passes, 1)
  clock.advance(10)
  await turn()
  await turn()
  assert.equal(passes, 2)
  isFinished = false
  await Promise.all([service.stop(), service.stop()])
  assert.deepEqual([isFinished, passes], [true, 2])
  await service.start()
  assert.equal(passes, 3, 'and may be started again')
  await service.stop()
})

test('a failed pass is reported once and ends the loop, except when the stop caused it', async () => {
  const told: unknown[] = []
  const broken = loop(
    'broken',
    () => Promise.reject(new Error('x')),
    (error) => told.push(error),
  )
  await broken.start()
  await turn()
  await broken.stop()
  assert.equal(told.length, 1)
  const clock = createFakeClock()
  const asleep = loop(
    'asleep',
    (signal) => clock.sleep(10, signal),
    (error) => told.push(error),
  )
  await asleep.start()
  await asleep.stop()
  assert.equal(told.length, 1)
})

function recorded(failing: { start?: string; stop?: string } = {}) {
  const log: string[] = []
  const services = ['a', 'b', 'c'].map(
    (name): Service => ({
      name,
      async start() {
        log.push(`start ${name}`)
        if (failing.start === name) throw new Error(`${name} cannot start`)
      },
      async stop() {
        log.push(`stop ${name}`)
        if (failing.stop === name) throw new Error(`${name} cannot stop`)
      },
    }),
  )
  return { log, all: group('all', services) }
}

test('a group starts in order and stops in reverse, once', async () => {
  const { log, all } = recorded()
  await all.start()
  await all.stop()
  await all.stop()
  assert.deepEqual(log, ['start a', 'start b', 'start c', 'stop c', 'stop b', 'stop a'])
})

test('a failed start stops the started services and keeps the reason', async () => {
  const { log, all } = recorded({ start: 'b' })
  await assert.rejects(all.start() as Promise<void>, /b cannot start/)
  assert.deepEqual(log, ['start a', 'start b', 'stop b', 'stop a'])
})

test('a service that fails to stop does not prevent others from stopping', async () => {
  const { log, all } = recorded({ stop: 'b' })
  await all.start()
  await assert.rejects(all.stop(), /all: a service did not stop cleanly./)
  assert.deepEqual(log.slice(3), ['stop c', 'stop b', 'stop a'])
})
