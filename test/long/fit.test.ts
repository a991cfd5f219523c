import { test } from 'node:test'
import { checkRules } from '#test/shared/timing/rules.ts'

test('the rules of the planner hold for 200,000 films', { timeout: 900_000 }, () => checkRules(200_000))
