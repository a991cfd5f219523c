// A film on its way to the studio: its digest, and a form with one file that is read while it is sent.
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'

const PIECE_BYTES = 1024 * 1024
type Read = (bytes: number) => void

/** SHA-256 as lower-case hex. `progress` gets the bytes that were read so far. */
export async function digestOfFilm(path: string, progress: Read, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  let read = 0
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES, signal })) {
    hash.update(piece as Buffer)
    read += (piece as Buffer).length
    progress(read)
  }
  return hash.digest('hex')
}

type Film = { readonly path: string /** Bytes. */; readonly size: number; readonly fields: Readonly<Record<string, string>> }

/** The fields come before the file, so that the studio has them when the file arrives. */
export function filmBody({ path, size, fields }: Film, progress: Read) {
  const boundary = `studio-${randomBytes(16).toString('hex')}`
  const quoted = basename(path)
    .replaceAll('"', '%22')
    .replaceAll(/[\r\n]/g, ' ')
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="video"; filename="${quoted}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const head = Buffer.from(parts.join('') + file)
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* content(): AsyncGenerator<Uint8Array> {
    yield head
    let sent = 0
    // At most the announced length: the file may grow meanwhile.
    for await (const piece of size === 0 ? [] : createReadStream(path, { highWaterMark: PIECE_BYTES, end: size - 1 })) {
      yield piece as Buffer
      sent += (piece as Buffer).length
      progress(sent)
    }
    yield tail
  }
  return { type: `multipart/form-data; boundary=${boundary}`, length: head.length + size + tail.length, content: content() }
}
