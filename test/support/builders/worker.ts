import type { Worker } from '#control-plane/workers/worker.store.ts'

/** An enrolled machine that has consented and was never seen. */
export const worker = (fields: Partial<Worker> = {}): Worker => ({
  ...{ id: 'w0', name: 'box', pin: '', enabled: true, revokedAt: null, priority: 50, endpoint: '', host: null, generation: 0 },
  ...{ renewalNonce: '', quarantine: null, quarantinedAt: null, resync: false, issuer: '', trusts: '', followed: true },
  ...{ createdAt: 0, lastSeenAt: null, pool: null, lapsed: null, consentId: 'c' },
  ...fields,
})
