// The files of the web pages: read once, without the comments of our modules, which are joined; sent compressed to browsers that accept it, and
// not sent again while they have not changed.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzipSync } from 'node:zlib'
import type { Content } from '#control-plane/http/contract/respond.ts'
import { WEB_TYPES } from './web.contract.ts'
import { joinModules } from './web-modules.ts'

/** What the page runs: the frame around every page. */
export const APP = 'app.js'
export const WEB_FOLDER = join(import.meta.dirname, '../../../web')
const inPackage = (specifier: string) => fileURLToPath(import.meta.resolve(specifier))

/** Bare name in a module -> file of its package. */
const SCRIPTS: Readonly<Record<string, string>> = {
  preact: inPackage('preact'),
  'preact/hooks': inPackage('preact/hooks'),
  htm: inPackage('htm'),
  uqr: inPackage('uqr'),
}
/** One style sheet of all pages, so that it is one request; in this order. */
const SHEET = 'styles/studio.css'
const SHEETS = ['fonts', 'tokens', 'base', 'controls', 'frame', 'pages'].map((name) => join(WEB_FOLDER, 'styles', `${name}.css`))
/** Their names in modules; the import map of the page lists them. */
export const LIBRARIES: readonly string[] = Object.keys(SCRIPTS)
export const libraryFile = (library: string): string => `${library.replaceAll(/[^a-z0-9]/g, '-')}.js`

export type WebFile = {
  readonly type: string
  readonly body: Uint8Array
  /** Of the body, in hexadecimal digits. */
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

function webFile(name: string, body: Uint8Array): WebFile {
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
        const due = delay(BROTLI_DELAY_MS, undefined, { ref: false })
        making = Promise.all([making, due]).then(async () => (brotli = await brotliOf(body)))
      }
      return brotli
    },
  }
}

/**
 * A module of ours without its comments: lines that are comments, blank lines, and types in the middle of a line. A test compares the code
 * of every module with and without them.
 */
export function withoutComments(text: string): string {
  let isInside = false
  const kept: string[] = []
  for (const line of text.split('\n')) {
    const words = line.trim()
    if (isInside || words.startsWith('/**')) {
      isInside = !words.includes('*/')
      if (isInside || words.endsWith('*/')) continue
    }
    if (words !== '' && !words.startsWith('//')) kept.push(line.includes('/**') ? line.replaceAll(/\/\*\* [^*]*\*\/ ?/g, '') : line)
  }
  return kept.join('\n')
}
/** Changes with any of the files: an address with it never has another content. */
export function versionOf(files: ReadonlyMap<string, WebFile>): string {
  const hash = createHash('sha256')
  for (const [name, { digest }] of files) hash.update(`${name} ${digest}\n`)
  return hash.digest('hex').slice(0, 16)
}

/** Our files by their names. */
function ownFiles(): ReadonlyMap<string, Uint8Array> {
  const paths = readdirSync(WEB_FOLDER, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() && extname(entry.name) in WEB_TYPES ? [join(entry.parentPath, entry.name)] : [],
  )
  return new Map(paths.map((path) => [path.slice(WEB_FOLDER.length + 1), readFileSync(path)]))
}

/** Every file that is sent, by its name in addresses. */
export function listWebFiles(): ReadonlyMap<string, WebFile> {
  const own = ownFiles()
  const texts = [...own].flatMap(([name, body]): [string, string][] =>
    name.endsWith('.js') ? [[name, withoutComments(Buffer.from(body).toString())]] : [],
  )
  const { responses, contained } = joinModules(new Map(texts), APP)
  const alone = texts.filter(([name]) => !contained.has(name))
  const libraries = Object.entries(SCRIPTS).map(([name, path]): [string, Uint8Array] => [
    `library/${libraryFile(name)}`,
    readFileSync(path),
  ])
  const bodies: [string, Uint8Array][] = [
    ...[...own].filter(([name]) => !name.endsWith('.js')),
    ...[...responses, ...alone].map(([name, text]): [string, Uint8Array] => [name, Buffer.from(text)]),
    ...libraries,
    [SHEET, Buffer.from(SHEETS.map((path) => readFileSync(path, 'utf8')).join('\n'))],
  ]
  return new Map(bodies.map(([name, body]) => [name, webFile(name, body)]))
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
