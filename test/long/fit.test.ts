import { test } from 'node:test'
import { plansHoldTheirProperties } from '../shared/timing/properties.ts'

test('plans of 200,000 films have all properties', { timeout: 900_000 }, () => plansHoldTheirProperties(200_000))
