// The SHA-256 of a file. One buffer is read into again and again: a stream takes new memory for every piece, and the collection of that
// memory took a fifth of the time in which a bundle of 23 MB is imported.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'

const READ_BYTES = 256 * 1024

/** In lower-case hex. Throws the error of the disk, and the reason of the signal. */
export async function digestOfFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'r')
  try {
    for (const buffer = Buffer.allocUnsafeSlow(READ_BYTES); ; ) {
      signal?.throwIfAborted()
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await file.close()
  }
}
