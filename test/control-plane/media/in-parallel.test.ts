import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inParallel } from '#control-plane/media/in-parallel.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

const never = new AbortController().signal

test('results have the order of the items, and no more items than allowed are worked on at the same time', async () => {
  let [running, most] = [0, 0]
  const results = await inParallel([5, 1, 4, 2, 3], { atOnce: 2, signal: never }, async (turns) => {
    most = Math.max(most, ++running)
    for (let at = 0; at < turns; at++) await nextTurn()
    running--
    return turns * 10
  })
  assert.deepEqual(results, [50, 10, 40, 20, 30])
  assert.equal(most, 2)
  assert.deepEqual(await inParallel([], { atOnce: 2, signal: never }, async () => 1), [])
})

test('after an error no further item begins, and the error is thrown when the others have ended', async () => {
  const begun: number[] = []
  const stopped: number[] = []
  const work = inParallel([1, 2, 3, 4], { atOnce: 2, signal: never }, async (item, signal) => {
    begun.push(item)
    await nextTurn()
    if (item === 1) throw new Error('one')
    while (!signal.aborted) await nextTurn()
    await nextTurn()
    stopped.push(item)
  })
  await assert.rejects(work, /^Error: one$/)
  assert.deepEqual([begun, stopped], [[1, 2], [2]])
})

test('an abort ends the work with the reason of the signal', async () => {
  const abort = new AbortController()
  const begun: number[] = []
  const work = inParallel([1, 2, 3], { atOnce: 1, signal: abort.signal }, async (item) => {
    begun.push(item)
    abort.abort(new Error('enough'))
  })
  await assert.rejects(work, /^Error: enough$/)
  assert.deepEqual(begun, [1])
})
