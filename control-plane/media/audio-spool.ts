// Audio whose length must be known before its first byte is sent: in memory while it is short, otherwise in a file without a name, which
// the operating system deletes when it is closed.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'

const MEMORY_BYTES = 4 * 1024 * 1024
const READ_BYTES = 256 * 1024

export type AudioSpool = {
  readonly size: () => number
  /** Throws STORAGE_FULL. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  /** The next bytes from the start, or null at the end. After the last `write` only. */
  readonly read: () => Promise<Uint8Array | null>
  /** Frees memory and file. Can be called repeatedly. */
  readonly close: () => Promise<void>
}

/** `folder`: private, on the disk of the studio. */
export function createAudioSpool(folder: string): AudioSpool {
  let pieces: Uint8Array[] = []
  let size = 0
  let file: FileHandle | null = null
  let readAt = 0
  let isClosed = false

  async function openFile(): Promise<FileHandle> {
    const own = await mkdtemp(join(folder, 'audio-')) // 0700
    try {
      return await open(join(own, 'audio'), 'wx+', 0o600)
    } finally {
      await rm(own, { recursive: true, force: true })
    }
  }
  async function spill(): Promise<void> {
    const waiting = pieces
    pieces = []
    file ??= await openFile()
    if (isClosed) return await file.close()
    for (const piece of waiting) await file.writeFile(piece)
  }

  return {
    size: () => size,
    async write(bytes) {
      pieces.push(bytes)
      size += bytes.length
      if (size <= MEMORY_BYTES) return
      await spill().catch((cause: unknown) => {
        throw new Failure('STORAGE_FULL', 'The audio could not be written to the disk of the studio.', { cause })
      })
    },
    async read() {
      if (!file) return pieces.shift() ?? null
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, readAt)
      readAt += bytesRead
      return bytesRead > 0 ? buffer.subarray(0, bytesRead) : null
    },
    async close() {
      isClosed = true
      pieces = []
      const open = file
      file = null
      await open?.close()
    },
  }
}
