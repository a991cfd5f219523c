// What a machine could say it can do, for tests that only read it.
import type { Offer } from '#control-plane/inference/offers.ts'

/** A speaking engine on the studio's own machine that works, with whatever shall be different. */
export const offer = (wish: Partial<Offer> = {}): Offer => ({
  workerId: 'local',
  engine: 'svc-engine',
  model: '',
  operation: 'tts',
  implementation: wish.engine ?? 'svc-engine',
  stands_in: '',
  languages: ['en'],
  voices: [{ id: 'one', name: 'One', language: 'en' }],
  cloning: false,
  supported: true,
  installed: true,
  downloaded: true,
  device: 'cpu',
  sample_rate: 24_000,
  ...wish,
})
