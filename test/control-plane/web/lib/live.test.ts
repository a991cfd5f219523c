import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MachineFleet, MachineView } from '#control-plane/web/lib/api-types.ts'
import { usableMachines } from '#control-plane/web/lib/live.js'

const usable = { id: 'b', connected: true, enabled: true, consent_granted: true, quarantine: null, status: 'ready' } as const

// Pages read the engines and models again when this text changes. A wrong field name once kept it empty.
test('a machine is usable once it is connected, approved and ready, also while it is busy', () => {
  const of = (...changes: Partial<MachineView>[]) => {
    const workers = changes.map((change) => ({ ...usable, ...change }) as MachineView)
    return usableMachines({ fleet: { enabled: true, running: true, queue_depth: 0, workers } satisfies MachineFleet })
  }
  assert.equal(usableMachines({ fleet: null }), '')
  assert.equal(of({}, { id: 'a', status: 'busy' }), 'a b')
  assert.equal(of({ status: 'offline', connected: false }), '')
  assert.equal(of({ consent_granted: false }), '', 'an approval changes the text')
  assert.equal(of({ enabled: false }, { id: 'c', quarantine: 'copied' }), '')
})
