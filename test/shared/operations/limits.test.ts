import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { isAscending, list, partsDisagree } from '#shared/operations/limits.ts'

const Numbers = z.object({ numbers: list(z.object({ n: z.int() }), 3, 1) })

test('a list within its limits is read, its elements without unknown fields', () => {
  assert.deepEqual(Numbers.parse({ numbers: [{ n: 1, more: true }, { n: 2 }] }), { numbers: [{ n: 1 }, { n: 2 }] })
})

test('the complaint names the field by its whole path', () => {
  const { error } = Numbers.safeParse({ numbers: [{ n: 1 }, { n: 'two' }] })
  assert.deepEqual(error?.issues[0]?.path, ['numbers', 1, 'n'])
})

test('a list that is too long or too short is refused by its length', () => {
  for (const numbers of [[], [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]])
    assert.deepEqual(Numbers.safeParse({ numbers }).error?.issues[0]?.path, ['numbers'])
})

test('a list of wrong elements gives one complaint, however long it is', () => {
  const Long = list(list(z.object({ n: z.int() }), 1_000_000), 1_000_000)
  const hostile = Array.from({ length: 20 }, () => Array.from({ length: 50_000 }, () => 1))
  assert.equal(Long.safeParse(hostile).error?.issues.length, 1)
})

test('spans ascend when none starts before the one before it, and none ends before it starts', () => {
  const of = (...pairs: [number, number][]) => isAscending(pairs.map(([start, end]) => ({ start, end })))
  assert.deepEqual([of(), of([0, 1], [0.5, 2], [0.5, 0.5]), of([1, 0]), of([1, 2], [0, 1])], [true, true, false, false])
})

test('described parts must be the bytes that arrived', () => {
  assert.equal(partsDisagree([{ samples: 2 }, { samples: 3 }], 2, 10), null)
  assert.match(partsDisagree([{ samples: 2 }, { samples: 3 }], 1, 10)!, /2 parts where 1/)
  assert.match(partsDisagree([{ samples: 2 ** 29 }], 1, 10)!, /536870912 samples and came with 10 bytes/)
})
