// Jobs that are killed at every fifth write, cancelled at any time, and run in parallel with shared steps. At every write, and more random runs:
// test/long/units/kills.test.ts.
import { test } from 'node:test'
import { killedAtWrites, killedByChance } from './kills/kills.ts'

test('a kill at a write of a job changes nothing about its output', (t) => killedAtWrites(t, 5))
test('two jobs with shared steps survive random kills and cancels', (t) => killedByChance(t, 60))
