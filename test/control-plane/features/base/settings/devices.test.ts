import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceView, familiesOf } from '#control-plane/features/base/settings/choices/devices.rules.ts'

test('families follow from the devices that engines and probes report, best first', () => {
  assert.deepEqual(familiesOf([]), ['cpu'])
  assert.deepEqual(familiesOf(['cpu', 'webgpu', 'network', '', 'CUDA:1', 'coreml']), ['cuda', 'mps', 'cpu'])
})

test('a device that this machine lacks is not in force, and the view says so', () => {
  const scene = { value: 'cuda', applied: 'cuda', available: ['cpu'], isPinned: true } as const
  const { effective_family, override_ignored, restart_required, env_pinned } = deviceView(scene)
  assert.deepEqual([effective_family, override_ignored, restart_required, env_pinned], ['cpu', true, false, true])
  const chosen = deviceView({ value: 'cpu', applied: 'auto', available: ['cuda', 'cpu'], isPinned: false })
  assert.deepEqual(
    [chosen.effective_family, chosen.auto_family, chosen.restart_required, chosen.override_ignored],
    ['cuda', 'cuda', true, false],
  )
})
