import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFreshSnapshot } from '#control-plane/sessions/fresh-snapshot.ts'
import type { Wire } from '#shared/protocol/generated/wire.ts'
import { createLog } from '#shared/runtime/log.ts'
import { wireSnapshot } from '#test/support/builders/wire.ts'
import { createFakeClock } from '#test/support/doubles/fake-clock.ts'

const snapshotOf = (name: string) => wireSnapshot({ resident_models: [name], free_memory_bytes: 0, beat: 1, inventory: 1 })

/** A machine whose answers are released one by one. */
function open() {
  const clock = createFakeClock()
  const taken: string[] = []
  const waiting: ((snapshot: Wire<'Snapshot'> | Error) => void)[] = []
  const ended: boolean[] = []
  const link = {
    async *watch(_request: object, signal: AbortSignal) {
      const { promise, resolve } = Promise.withResolvers<Wire<'Snapshot'> | Error>()
      waiting.push(resolve)
      signal.addEventListener('abort', () => resolve(signal.reason as Error), { once: true })
      try {
        const answer = await promise
        if (answer instanceof Error) throw answer
        yield answer
      } finally {
        ended.push(true)
      }
    },
  }
  const take = ({ resident_models }: { resident_models: string[] }) => void taken.push(...resident_models)
  const refresh = createFreshSnapshot({ link, take, clock, log: createLog('silent', 'test') })
  return { clock, taken, waiting, ended, refresh }
}

test('callers share one request, and one more whose snapshot is newer than their call', async () => {
  const { refresh, waiting, taken, ended } = open()
  const first = refresh()
  const later = [refresh(), refresh(), refresh()]
  waiting[0]!(snapshotOf('old'))
  assert.equal(await first, true)
  assert.deepEqual(taken, ['old'])
  await Promise.resolve()
  assert.equal(waiting.length, 2)
  waiting[1]!(snapshotOf('new'))
  assert.deepEqual(await Promise.all(later), [true, true, true])
  assert.deepEqual([taken, waiting.length, ended.length], [['old', 'new'], 2, 2])
})

test('a machine that does not answer within a second, or with nonsense, is reported and the call ends', async () => {
  const { refresh, waiting, taken, clock, ended } = open()
  const silent = refresh()
  clock.advance(1_000)
  assert.equal(await silent, false)
  const broken = refresh()
  waiting[1]!({ ...snapshotOf('x'), beat: -1 })
  assert.equal(await broken, false)
  assert.deepEqual([taken, ended.length], [[], 2])
})
