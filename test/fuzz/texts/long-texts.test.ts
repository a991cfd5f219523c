// Hostile repetitions through every pure function that reads the text of users: all words, and pairs of marks by chance. All pairs: --long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seeded } from '#test/support/doubles/seeded.ts'
import { SEED } from '../seed.ts'
import { BYTES, growsWithTheText, growth, isSlow, MAX_GROWTH } from './growth.ts'
import { PAIRS, repeated, WORDS } from './text-entrances.ts'

const SAMPLE = 20
const chance = seeded(SEED)

growsWithTheText([...WORDS, ...Array.from({ length: SAMPLE }, () => chance.pick(PAIRS))])

test('a quadratic function is noticed', () => {
  const search = (text: string) => /\s+$/.test(`${text}x`)
  // It is slow in each attempt.
  assert.ok(isSlow(search, repeated(' ', BYTES)))
  assert.ok(growth(search, ' ', BYTES, 2) > MAX_GROWTH)
})
