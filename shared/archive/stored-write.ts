// Writes a zip file of any size whose entries are stored as they are, one after another, while it is read: nothing is compressed, so an archive
// cannot expand when it is read again.
import { createHash } from 'node:crypto'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

export type StoredEntry = { readonly bytes: number; readonly sha256: string }
export type StoredZipWriter = ReturnType<typeof writeStoredZip>

/** `output` is ended when the archive is complete, and destroyed when it fails. `at`: the date of all entries. */
export function writeStoredZip(output: Writable, at: Date, signal?: AbortSignal) {
  const zip = new ZipFile()
  const source = zip.outputStream as Readable
  let failed: unknown = null
  const done = pipeline(source, output, signal ? { signal } : {}).catch((error: unknown) => {
    failed ??= error
  })
  zip.on('error', (error: Error) => void source.destroy(error))

  return {
    /** Resolves when the entry is complete. Rejects with the error of the source or of the output; the archive is lost then. */
    async add(name: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredEntry> {
      const hash = createHash('sha256')
      const ended = Promise.withResolvers<void>()
      let bytes = 0
      async function* hashed(): AsyncGenerator<Uint8Array> {
        for await (const piece of pieces) {
          hash.update(piece)
          bytes += piece.length
          yield piece
        }
      }
      zip.addReadStreamLazy(name, { compress: false, mtime: at, mode: 0o100600 }, (start) => {
        const stream = Readable.from(hashed(), { objectMode: false })
        stream.once('end', () => ended.resolve())
        stream.once('error', (error) => {
          failed ??= error
          source.destroy(error)
        })
        start(null, stream)
      })
      await Promise.race([ended.promise, done])
      if (failed !== null) throw failed
      return { bytes, sha256: hash.digest('hex') }
    },
    /** Resolves when the output has taken everything. */
    async end(): Promise<void> {
      zip.end()
      await done
      if (failed !== null) throw failed
    },
    /** Gives the archive up. */
    async abort(): Promise<void> {
      source.destroy(new Error('The archive was given up.'))
      await done
    },
  }
}
