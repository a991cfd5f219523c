import type { NewRow } from '#control-plane/features/voices/profiles/store/profile.ts'

/** The row of a voice without files. */
export const voiceProfile = (fields: Partial<NewRow> = {}): NewRow => ({
  ...{ id: 'voice', name: 'Ada', kind: 'clone', language: 'Auto', instruct: '', refText: '', personality: '', description: '' },
  ...{ attributes: null, seed: null, refDigest: null, refBytes: 0, refName: '', originalDigest: null, originalBytes: 0 },
  ...{ lockedDigest: null, lockedText: null, lockedBytes: 0, lockedSource: null, imageDigest: null, origin: 'own', originUrl: '' },
  ...{ staysHere: false, quality: {}, madeWith: null, createdAt: 1, updatedAt: 1 },
  ...fields,
})
