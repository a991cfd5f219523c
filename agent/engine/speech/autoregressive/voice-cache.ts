// Caches encoded voices by the digest of their recording: encoding a voice takes as long as speaking a sentence.

import { createHash } from 'node:crypto'

const MAX_VOICES = 16

export type VoiceCache<T> = {
  /** Calls `make` once for each content. A failure is not cached. */
  readonly of: (bytes: Uint8Array, make: () => Promise<T>) => Promise<T>
  readonly clear: () => void
}

export function createVoiceCache<T>(most = MAX_VOICES): VoiceCache<T> {
  const values = new Map<string, T>()
  return {
    async of(bytes, make) {
      const key = createHash('sha256').update(bytes).digest('hex')
      const value = values.get(key) ?? (await make())
      values.delete(key)
      values.set(key, value)
      if (values.size > most) values.delete(values.keys().next().value!)
      return value
    },
    clear: () => values.clear(),
  }
}
