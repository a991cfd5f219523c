// Encoded voices by owner and by the digest of their recording: encoding a voice takes as long as speaking a sentence. An encoding is voice
// data: no owner gets the encoding of another one, and an owner can have its encodings forgotten.

import { createHash } from 'node:crypto'

const MAX_VOICES = 16

/** `owner`: whose task brought the recording. `variant`: what else the encoding depends on. */
export type RecordedVoice = { readonly owner: string; readonly recording: Uint8Array; readonly variant?: string }
export type VoiceCache<T> = {
  /** Calls `make` once for each content of an owner. A failure is not cached. */
  readonly of: (voice: RecordedVoice, make: () => Promise<T>) => Promise<T>
  /** Forgets the encodings of these recordings (SHA-256, lower-case hex), or with null all of the owner. */
  readonly forget: (owner: string, digests: readonly string[] | null) => void
  readonly clear: () => void
}

export function createVoiceCache<T>(most = MAX_VOICES): VoiceCache<T> {
  const voices = new Map<string, { readonly owner: string; readonly digest: string; readonly value: T }>()
  /** An encoding under way at one of these moments may belong to a forgotten voice. */
  let forgets = 0
  return {
    async of({ owner, recording, variant = '' }, make) {
      const digest = createHash('sha256').update(recording).digest('hex')
      const key = JSON.stringify([owner, digest, variant])
      const before = forgets
      const value = voices.get(key)?.value ?? (await make())
      if (before !== forgets) return value
      voices.delete(key)
      voices.set(key, { owner, digest, value })
      if (voices.size > most) voices.delete(voices.keys().next().value!)
      return value
    },
    forget(owner, digests) {
      forgets++
      for (const [key, voice] of voices)
        if (voice.owner === owner && (digests === null || digests.includes(voice.digest))) voices.delete(key)
    },
    clear: () => voices.clear(),
  }
}
