// What was made of a recording is kept for the next task that brings the same one: encoding a voice takes as long as a sentence.

import { createHash } from 'node:crypto'

const MOST = 16

export type VoiceCache<T> = {
  /** Made once for each content; a failure is not kept. */
  readonly of: (bytes: Uint8Array, make: () => Promise<T>) => Promise<T>
  readonly clear: () => void
}

export function createVoiceCache<T>(most = MOST): VoiceCache<T> {
  const made = new Map<string, T>()
  return {
    async of(bytes, make) {
      const key = createHash('sha256').update(bytes).digest('hex')
      const value = made.get(key) ?? (await make())
      made.delete(key)
      made.set(key, value)
      if (made.size > most) made.delete(made.keys().next().value!)
      return value
    },
    clear: () => made.clear(),
  }
}
