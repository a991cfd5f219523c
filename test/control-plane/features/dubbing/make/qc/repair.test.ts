// Selects the lines that are spoken again, and the take that is kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bestTake, needsAnotherTake, type TakeScore } from '#control-plane/features/dubbing/make/repair/repair.rules.ts'

const GOOD: TakeScore = { isSilent: false, isOtherLanguage: false, isRepeated: false, characterError: 0.1, filled: 1, need: 0.9 }
const score = fc.record({
  isSilent: fc.boolean(),
  isOtherLanguage: fc.boolean(),
  isRepeated: fc.boolean(),
  characterError: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
  filled: fc.double({ min: 0, max: 3, noNaN: true }),
  need: fc.double({ min: 0, max: 3, noNaN: true }),
})

test('a line is spoken again when it is not understood or of another length than its time', () => {
  assert.equal(needsAnotherTake(GOOD), false)
  for (const bad of [
    { isSilent: true },
    { isOtherLanguage: true },
    { isRepeated: true },
    { characterError: 0.31 },
    { filled: 0.79 },
    { need: 1.26 },
  ])
    assert.equal(needsAnotherTake({ ...GOOD, ...bad }), true, JSON.stringify(bad))
  for (const fine of [{ characterError: null }, { characterError: 0.3 }, { filled: 0 }, { filled: 2, need: 1.25 }])
    assert.equal(needsAnotherTake({ ...GOOD, ...fine }), false, JSON.stringify(fine))
})

test('the best take is understood first and fits second; of equal ones the first stays', () => {
  assert.equal(bestTake([GOOD]), 0)
  assert.equal(bestTake([GOOD, GOOD, GOOD]), 0)
  assert.equal(
    bestTake([
      { ...GOOD, characterError: 0.6 },
      { ...GOOD, need: 1.8 },
      { ...GOOD, isSilent: true },
    ]),
    1,
  )
  assert.equal(
    bestTake([
      { ...GOOD, need: 1.8 },
      { ...GOOD, characterError: 0.11 },
    ]),
    1,
  )
  assert.equal(
    bestTake([
      { ...GOOD, isSilent: true, characterError: null },
      { ...GOOD, characterError: 0.9 },
    ]),
    1,
  )
  fc.assert(
    fc.property(fc.array(score, { minLength: 1, maxLength: 3 }), (takes) => {
      const best = bestTake(takes)
      assert.ok(best >= 0 && best < takes.length)
      // A copy at the end changes nothing, and a take that is better in everything wins.
      assert.equal(bestTake([...takes, takes[best]!]), best)
      const perfect = { ...GOOD, characterError: 0, filled: 1, need: 1 }
      assert.ok(!needsAnotherTake([...takes, perfect][bestTake([...takes, perfect])]!))
    }),
    { numRuns: 200 },
  )
})
