// The files of the web pages: read once, sent compressed to browsers that accept it, and not sent again while they have not changed.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Content } from '../../http/respond.ts'
import { WEB_TYPES } from './web.contract.ts'

export const WEB_FOLDER = join(import.meta.dirname, '../../web')
const inPackage = (specifier: string) => fileURLToPath(import.meta.resolve(specifier))

/** Bare name in a module -> file of its package. */
const SCRIPTS: Readonly<Record<string, string>> = {
  preact: inPackage('preact'),
  'preact/hooks': inPackage('preact/hooks'),
  htm: inPackage('htm'),
  uplot: inPackage('uplot/dist/uPlot.esm.js'),
  'wavesurfer.js': inPackage('wavesurfer.js'),
  uqr: inPackage('uqr'),
}
const STYLES: Readonly<Record<string, string>> = { 'uplot.css': inPackage('uplot/dist/uPlot.min.css') }
/** Their names in modules; the import map of the page lists them. */
export const LIBRARIES: readonly string[] = Object.keys(SCRIPTS)
export const libraryFile = (library: string): string => `${library.replaceAll(/[^a-z0-9]/g, '-')}.js`

export type WebFile = {
  readonly type: string
  readonly body: Uint8Array
  /** Of the body, in hexadecimal digits. */
  readonly digest: string
  /** Made when a browser first asks for it. */
  readonly compressed: () => Uint8Array
}
type Headers = Readonly<Record<string, string | string[] | undefined>>

function readWebFile(name: string, path: string): WebFile {
  const body = readFileSync(path)
  let compressed: Uint8Array | null = null
  return {
    type: WEB_TYPES[extname(name)]!,
    body,
    digest: createHash('sha256').update(body).digest('hex').slice(0, 32),
    compressed: () => (compressed ??= gzipSync(body)),
  }
}

/** Every file by its name in addresses. */
export function listWebFiles(): ReadonlyMap<string, WebFile> {
  const own = readdirSync(WEB_FOLDER, { withFileTypes: true, recursive: true }).flatMap((entry): [string, string][] => {
    const path = join(entry.parentPath, entry.name)
    return entry.isFile() && extname(path) in WEB_TYPES ? [[path.slice(WEB_FOLDER.length + 1), path]] : []
  })
  const scripts = Object.entries(SCRIPTS).map(([name, path]): [string, string] => [`library/${libraryFile(name)}`, path])
  const styles = Object.entries(STYLES).map(([name, path]): [string, string] => [`library/${name}`, path])
  return new Map([...own, ...scripts, ...styles].map(([name, path]) => [name, readWebFile(name, path)]))
}

const listed = (header: string | string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
/** Whether the header names gzip, and not with the quality 0. */
const acceptsGzip = (header: string | string[] | undefined): boolean =>
  listed(header).some((part) => {
    const [name, quality = 'q=1'] = part.split(';').map((word) => word.trim())
    return name === 'gzip' && Number(quality.slice(2)) > 0
  })

/** The file, compressed where that is accepted; 304 where the browser has it already. `always`: headers of each answer. */
export function answerWith(file: WebFile, headers: Headers, always: Readonly<Record<string, string>>): Content {
  const isCompressed = acceptsGzip(headers['accept-encoding'])
  const etag = `"${file.digest}${isCompressed ? '-gzip' : ''}"`
  const shared = { ...always, etag, vary: 'accept-encoding' }
  if (listed(headers['if-none-match']).some((known) => known.replace(/^w\//, '') === etag))
    return { status: 304, type: '', cache: 'no-cache', headers: shared, body: new Uint8Array() }
  return {
    type: file.type,
    cache: 'no-cache',
    headers: { ...shared, ...(isCompressed && { 'content-encoding': 'gzip' }) },
    body: isCompressed ? file.compressed() : file.body,
  }
}
