// Encrypts small texts at rest with a key of this installation: AES-256-GCM, a fresh nonce for each text.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Failure } from '#shared/protocol/failure.ts'
import type { Keys } from '#shared/runtime/file.ts'

export type Seal = Awaited<ReturnType<typeof loadSeal>>

const NONCE_BYTES = 12
const TAG_BYTES = 16
export const SEALING_KEY_BYTES = 32

/** Nonce, tag and encrypted bytes. `about`: what the bytes are; they open only for the same. */
export function sealBytes(bytes: Uint8Array, key: Buffer, about = ''): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** Null for bytes that another key sealed, that are about something else, or that were changed. */
export function openBytes(bytes: Buffer, key: Buffer, about = ''): Buffer | null {
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/**
 * `name`: the entry of the sealing keys, newest first; created here if there is none. The newest key encrypts, every key decrypts. Keys that
 * cannot be read or written encrypt and decrypt nothing, and are tried again with the next text.
 */
export async function loadSeal(store: Keys, name: string) {
  const place = store.placeOf(name)
  let keys: readonly Buffer[] = []
  let problem: Failure | null = null
  async function load(): Promise<void> {
    try {
      let bytes = await store.read(name)
      if (bytes === null) {
        bytes = randomBytes(SEALING_KEY_BYTES)
        await store.write(name, bytes)
      }
      const found = bytes
      keys = Array.from({ length: Math.max(1, Math.floor(found.length / SEALING_KEY_BYTES)) }, (_, index) =>
        found.subarray(index * SEALING_KEY_BYTES, (index + 1) * SEALING_KEY_BYTES),
      )
      problem = null
    } catch (cause) {
      problem = unusable(cause)
    }
  }
  const unusable = (cause: unknown) =>
    new Failure('STORAGE_FULL', `The key file ${place} cannot be used (${(cause as NodeJS.ErrnoException).code}).`, { cause })
  async function replace(next: readonly Buffer[]): Promise<void> {
    await store.write(name, Buffer.concat(next)).catch((cause: unknown) => {
      throw unusable(cause)
    })
    keys = next
  }
  await load()

  return {
    /** Throws CONFLICT while the entry of the keys is damaged, STORAGE_FULL when it could not be read or written. */
    close(text: string): string {
      if (problem) {
        void load()
        throw problem
      }
      if (keys[0]!.length !== SEALING_KEY_BYTES)
        throw new Failure(
          'CONFLICT',
          `The file ${place} is damaged, so no secret can be stored. Move it away and enter every secret again.`,
        )
      return sealBytes(Buffer.from(text), keys[0]!).toString('base64')
    },
    /** Null for a text that no key of this entry sealed, or that was changed. */
    open(sealed: string): string | null {
      const bytes = Buffer.from(sealed, 'base64')
      for (const key of keys) {
        const text = openBytes(bytes, key)
        if (text !== null) return text.toString('utf8')
      }
      return null
    },
    /** Encrypts with a new key from now on; the others still decrypt. Rejects with STORAGE_FULL, and nothing has changed then. */
    addKey: (): Promise<void> => replace([randomBytes(SEALING_KEY_BYTES), ...keys]),
    /** Removes every key but the newest. Rejects with STORAGE_FULL. */
    dropOldKeys: (): Promise<void> => replace(keys.slice(0, 1)),
  }
}
