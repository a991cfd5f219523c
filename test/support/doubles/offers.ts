// Sample capabilities of a machine, for tests that only read them.
import type { Offer } from '#control-plane/inference/offers.ts'

/** A working speech engine on the studio's own machine, with `overrides`. */
export const offer = (overrides: Partial<Offer> = {}): Offer => ({
  workerId: 'local',
  engine: 'svc-engine',
  model: '',
  operation: 'tts',
  implementation: overrides.engine ?? 'svc-engine',
  stands_in: '',
  languages: ['en'],
  voices: [{ id: 'one', name: 'One', language: 'en', default_for: ['*', ''] }],
  cloning: false,
  supported: true,
  installed: true,
  downloaded: true,
  device: 'cpu',
  permits: 1,
  sample_rate: 24_000,
  ...overrides,
})
