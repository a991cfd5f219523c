// The files of the web pages: read once, sent compressed to browsers that accept it, and not sent again while they have not changed.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzipSync } from 'node:zlib'
import type { Content } from '#control-plane/http/contract/respond.ts'
import { WEB_TYPES } from './web.contract.ts'

export type WebFile = {
  readonly type: string
  readonly body: Uint8Array
  /** Digest of the body, in hexadecimal digits. */
  readonly digest: string
  /** Made when a browser first asks for it. */
  readonly gzip: () => Uint8Array
  /** The smallest form: null until it is made, which the first call starts. */
  readonly brotli: () => Uint8Array | null
}
type Headers = Readonly<Record<string, string | string[] | undefined>>

/** The highest quality, 10 ms of the processor a file, so in the thread pool. */
export const brotliOf: (body: Uint8Array) => Promise<Uint8Array> = promisify(brotliCompress)
/** After the first view, which gzip serves. */
const BROTLI_DELAY_MS = 3000
/** One file after the other, so that a first visit leaves processors to the studio. */
let making: Promise<unknown> = Promise.resolve()

function brotliLater(body: Uint8Array): Promise<Uint8Array> {
  const made = Promise.all([making, delay(BROTLI_DELAY_MS, undefined, { ref: false })]).then(() => brotliOf(body))
  making = made.catch(() => {})
  return made
}

function webFile(name: string, body: Uint8Array, compress: typeof brotliLater): WebFile {
  let gzip: Uint8Array | null = null
  let brotli: Uint8Array | null = null
  let isBegun = false
  return {
    type: WEB_TYPES[extname(name)]!,
    body,
    digest: createHash('sha256').update(body).digest('hex').slice(0, 32),
    gzip: () => (gzip ??= gzipSync(body)),
    brotli: () => {
      if (!isBegun) {
        isBegun = true
        compress(body).then(
          (made) => {
            brotli = made
          },
          () => {
            isBegun = false // Such as too little memory: gzip serves as well, and the next request tries again.
          },
        )
      }
      return brotli
    },
  }
}

/** Changes with any of the files: an address with it never has another content. */
export function versionOf(files: ReadonlyMap<string, WebFile>): string {
  const hash = createHash('sha256')
  for (const [name, { digest }] of files) hash.update(`${name} ${digest}\n`)
  return hash.digest('hex').slice(0, 16)
}

/** Every file of the folder that a browser may load, by its name in addresses; a name in a request never becomes a path. */
export async function listWebFiles(folder: string, compress = brotliLater): Promise<ReadonlyMap<string, WebFile>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const paths = entries.flatMap((entry) => (entry.isFile() && extname(entry.name) in WEB_TYPES ? [join(entry.parentPath, entry.name)] : []))
  const names = paths.map((path) => path.slice(folder.length + 1).replaceAll(sep, '/')).sort()
  return new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, WebFile]> => [name, webFile(name, await readFile(join(folder, name)), compress)]),
    ),
  )
}

const listed = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
/** The encodings that the header names, those with the quality 0 left out. */
const acceptedBy = (header: string | string[] | undefined): string[] =>
  listed(header).flatMap((part) => {
    const [name = '', quality = 'q=1'] = part.split(';').map((word) => word.trim())
    return Number(quality.slice(2)) > 0 ? [name] : []
  })

function encoded({ type, body, gzip, brotli }: WebFile, accepted: readonly string[]): readonly [encoding: string | null, body: Uint8Array] {
  // A font is compressed in itself.
  if (type === WEB_TYPES['.woff2']) return [null, body]
  const smallest = accepted.includes('br') ? brotli() : null
  if (smallest) return ['br', smallest]
  return accepted.includes('gzip') ? ['gzip', gzip()] : [null, body]
}

/**
 * The file, compressed if the client accepts it, or 304 if the client has it. The ETag is weak because it is the same for all encodings.
 * `always`: headers of each answer.
 */
export function answerWith(
  file: WebFile,
  headers: Headers,
  { cache, always }: { readonly cache: 'no-cache' | 'immutable'; readonly always: Readonly<Record<string, string>> },
): Content {
  const shared = { ...always, etag: `W/"${file.digest}"`, vary: 'accept-encoding' }
  if (listed(headers['if-none-match']).some((known) => known.replace(/^w\//, '') === `"${file.digest}"`))
    return { status: 304, type: '', cache, headers: shared, body: new Uint8Array() }
  const [encoding, body] = encoded(file, acceptedBy(headers['accept-encoding']))
  return { type: file.type, cache, headers: { ...shared, ...(encoding && { 'content-encoding': encoding }) }, body }
}
