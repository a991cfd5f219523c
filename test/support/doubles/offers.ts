// Offers of machines, for tests that only read them.
import type { Offer } from '#control-plane/inference/offers.ts'

/** A working speech engine on the studio's own machine, with the given differences. */
export const offer = (fields: Partial<Offer> = {}): Offer => ({
  workerId: 'local',
  engine: 'svc-engine',
  model: '',
  operation: 'tts',
  implementation: fields.engine ?? 'svc-engine',
  stands_in: '',
  languages: ['en'],
  voices: [{ id: 'one', name: 'One', language: 'en' }],
  cloning: false,
  supported: true,
  installed: true,
  downloaded: true,
  device: 'cpu',
  sample_rate: 24_000,
  ...fields,
})
