// Runs that share a thread piece by piece.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThreadShare } from '#agent/engine/seam/thread-share.ts'
import { nextTurn } from '#shared/runtime/builtin/next-turn.ts'

function open() {
  const share = createThreadShare()
  const order: string[] = []
  return {
    order,
    /** Makes `pieces` of the cost, and reports each one in a few turns, as an engine does. */
    async run(name: string, pieces: number, cost: number): Promise<void> {
      const { piece, leave } = share.join()
      for (let at = 0; at < pieces; at++) {
        await piece(cost, () => order.push(name))
        for (let turns = 0; turns < 3; turns++) await nextTurn()
      }
      leave()
    },
  }
}

test('a short run that begins beside long ones waits for one piece at most', async () => {
  const { order, run } = open()
  const long = ['a', 'b', 'c'].map((name) => run(name, 20, 60))
  while (order.length < 15) await nextTurn()
  const before = order.length
  await run('short', 1, 20)
  assert.ok(order.indexOf('short') - before <= 1, order.slice(before).join(' '))
  await Promise.all(long)
  assert.equal(order.length, 61)
})

test('runs get equal parts of the thread with pieces of different cost', async () => {
  const { order, run } = open()
  const small = run('small', 60, 10)
  await Promise.all([run('large', 10, 60), small])
  const half = order.slice(0, 35)
  const small30 = half.filter((name) => name === 'small').length
  assert.ok(small30 >= 24 && small30 <= 33, `${small30} of 35 pieces are small`)
})

test('short runs that follow one another do not starve a long one', async () => {
  const { order, run } = open()
  const long = run('long', 10, 60)
  for (let at = 0; at < 40 && order.filter((name) => name === 'long').length < 10; at++) await run('short', 2, 30)
  await long
  assert.ok(order.filter((name) => name === 'short').length <= 40)
})

test('a piece that fails ends its run only', async () => {
  const share = createThreadShare()
  const [one, other] = [share.join(), share.join()]
  await assert.rejects(
    one.piece(1, () => {
      throw new Error('broken')
    }),
    /broken/,
  )
  one.leave()
  assert.equal(await other.piece(1, () => 'goes on'), 'goes on')
})
