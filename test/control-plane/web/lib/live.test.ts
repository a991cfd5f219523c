import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fleet, Machine } from '#control-plane/web/lib/api-types.ts'
import { readyMachines } from '#control-plane/web/lib/live.js'

// Pages read the engines and models again when this number changes. A wrong field name once kept it at 0.
test('a machine counts as ready once it can take work, also while it is busy', () => {
  const fleet = (...states: Machine['status'][]) =>
    ({ enabled: true, running: true, queue_depth: 0, workers: states.map((status) => ({ status }) as Machine) }) satisfies Fleet
  assert.equal(readyMachines({ fleet: null }), 0)
  assert.equal(readyMachines({ fleet: fleet('offline', undefined) }), 0)
  assert.equal(readyMachines({ fleet: fleet('offline', 'ready') }), 1)
  assert.equal(readyMachines({ fleet: fleet('busy', 'ready') }), 2)
})
