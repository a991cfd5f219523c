// Encrypts small texts at rest with a key of this installation: AES-256-GCM, a fresh nonce for each text.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { writeAtomic } from '#shared/runtime/file.ts'

export type Seal = ReturnType<typeof loadSeal>

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** `path`: the file of the key, in a private folder; created at the first use. */
export function loadSeal(path: string) {
  let key: Buffer | null = null
  const loadKey = (): Buffer => {
    if (!existsSync(path)) writeAtomic(path, randomBytes(KEY_BYTES))
    return readFileSync(path)
  }
  const keyOf = () => (key ??= loadKey())
  return {
    close(text: string): string {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyOf(), nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    /** Null for a text that this key did not seal, or that was changed. */
    open(sealed: string): string | null {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      try {
        const decipher = createDecipheriv('aes-256-gcm', keyOf(), bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}
