import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { digestInTurns, jsonInTurns } from '#control-plane/features/dubbing/store/turns/json-in-turns.ts'

test('what is written in turns is what JSON.stringify writes', async () => {
  const leaf = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(undefined, Number.NaN, new Date(0)))
  const list = fc.tuple(fc.constantFrom(0, 1, 199, 200, 201, 401), leaf).map(([length, value]) => Array.from({ length }, () => value))
  const value = fc.dictionary(fc.string(), fc.oneof(leaf, list, fc.dictionary(fc.string(), fc.oneof(leaf, list))))
  await fc.assert(
    fc.asyncProperty(value, async (one) => {
      assert.equal(await jsonInTurns(one), JSON.stringify(one))
    }),
  )
})

test('equal values have equal digests, and one changed number another one', async () => {
  const takes = (changed: number) => ({ takes: Array.from({ length: 500 }, (_, at) => [at, at === 321 ? changed : 0]) })
  assert.equal(await digestInTurns(takes(1)), await digestInTurns(takes(1)))
  assert.notEqual(await digestInTurns(takes(1)), await digestInTurns(takes(2)))
})
