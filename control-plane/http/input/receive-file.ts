// Writes the bytes of a large body to a file while they arrive, in batches: a write for each piece that arrives costs more than the bytes in it.
import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'

/** One batch is written while the next one arrives, so an upload needs twice this memory. */
const BATCH_BYTES = 512 * 1024

type Options = {
  /** Called before bytes are written. May reject. */
  readonly take: (bytes: number) => Promise<void>
  readonly isHashed: boolean
}
/** `digest`: SHA-256 as lower-case hex, where it was asked for. */
export type ReceivedFile = { readonly size: number; readonly digest?: string }

/** Creates the file, which only its owner may read. Rejects with what `take` and the source reject with, and with disk errors. */
export async function receiveFile(source: AsyncIterable<Buffer>, path: string, { take, isHashed }: Options): Promise<ReceivedFile> {
  const hash = isHashed ? createHash('sha256') : null
  const file = await open(path, 'wx', 0o600)
  let writing = Promise.resolve()
  let pieces: Buffer[] = []
  let waiting = 0
  let size = 0

  const flush = async (): Promise<void> => {
    await take(waiting)
    for (const piece of pieces) hash?.update(piece)
    await writing
    size += waiting
    writing = writeAll(file, pieces)
    // The loop reports it when it waits for it; a failure before that is no unhandled rejection.
    writing.catch(() => {})
    pieces = []
    waiting = 0
  }
  try {
    for await (const piece of source) {
      pieces.push(piece)
      waiting += piece.length
      if (waiting >= BATCH_BYTES) await flush()
    }
    if (waiting > 0) await flush()
    await writing
    return { size, ...(hash && { digest: hash.digest('hex') }) }
  } finally {
    await writing.catch(() => {})
    await file.close()
  }
}

async function writeAll(file: FileHandle, pieces: readonly Buffer[]): Promise<void> {
  const total = pieces.reduce((sum, { length }) => sum + length, 0)
  let { bytesWritten: done } = await file.writev(pieces)
  if (done === total) return
  // A disk that is nearly full takes a part and says why at the next write.
  const all = Buffer.concat(pieces)
  while (done < total) done += (await file.write(all, done)).bytesWritten
}
