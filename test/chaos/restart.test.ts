// The studio stops with tasks in flight; test/long/units/kills.test.ts does it with more of them.
import { test } from 'node:test'
import { stoppedStudio } from './stopped-studio.ts'

test('a studio that stops', (t) => stoppedStudio(t, 12))
