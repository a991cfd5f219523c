// Encrypts small texts at rest with a key of this installation: AES-256-GCM, a fresh nonce for each text.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { Failure } from '#shared/protocol/failure.ts'
import { writeAtomic } from '#shared/runtime/file.ts'

export type Seal = ReturnType<typeof loadSeal>

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** `path`: the file of the keys, newest first, in a private folder; created at the first use. The newest key encrypts, every key decrypts. */
export function loadSeal(path: string) {
  let keys: readonly Buffer[] | null = null
  function loadKeys(): readonly Buffer[] {
    if (!existsSync(path)) writeAtomic(path, randomBytes(KEY_BYTES))
    const bytes = readFileSync(path)
    return Array.from({ length: Math.max(1, Math.floor(bytes.length / KEY_BYTES)) }, (_, index) =>
      bytes.subarray(index * KEY_BYTES, (index + 1) * KEY_BYTES),
    )
  }
  const keysOf = () => (keys ??= onDisk(loadKeys))
  function store(next: readonly Buffer[]): void {
    onDisk(() => writeAtomic(path, Buffer.concat(next)))
    keys = next
  }
  /** Throws STORAGE_FULL for an error of the file system. */
  function onDisk<T>(action: () => T): T {
    try {
      return action()
    } catch (cause) {
      throw new Failure('STORAGE_FULL', `The key file ${path} cannot be used (${(cause as NodeJS.ErrnoException).code}).`, { cause })
    }
  }
  return {
    /** Throws CONFLICT while the file of the keys is damaged, STORAGE_FULL when it cannot be read or written. */
    close(text: string): string {
      if (keysOf()[0]!.length !== KEY_BYTES)
        throw new Failure('CONFLICT', `The file ${path} is damaged, so no secret can be stored. Move it away and enter every secret again.`)
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keysOf()[0]!, nonce)
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
    },
    /** Null for a text that no key of this file sealed, or that was changed. */
    open(sealed: string): string | null {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      try {
        for (const key of keysOf()) {
          const text = opened(bytes, key)
          if (text !== null) return text
        }
      } catch {
        // An unreadable file of keys opens nothing.
      }
      return null
    },
    /** Encrypts with a new key from now on; the others still decrypt. Throws STORAGE_FULL, and nothing has changed then. */
    addKey: (): void => store([randomBytes(KEY_BYTES), ...keysOf()]),
    /** Removes every key but the newest. Throws STORAGE_FULL. */
    dropOldKeys: (): void => store(keysOf().slice(0, 1)),
  }
}

function opened(bytes: Buffer, key: Buffer): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
