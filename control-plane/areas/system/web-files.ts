// The files of the web pages: read once, sent compressed to browsers that accept it, and not sent again while they have not changed.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
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
  uplot: inPackage('uplot/dist/uPlot.iife.min.js'),
  'wavesurfer.js': inPackage('wavesurfer.js'),
  uqr: inPackage('uqr'),
}
/** Appended to a file that is a script and no module. */
const EXPORTS: Readonly<Record<string, string>> = { uplot: '\nexport default uPlot\n' }
/** One style sheet of all pages, so that it is one request; in this order. */
const SHEET = 'styles/studio.css'
const SHEETS = [
  inPackage('uplot/dist/uPlot.min.css'),
  ...['fonts', 'tokens', 'base', 'controls', 'frame', 'pages'].map((name) => join(WEB_FOLDER, 'styles', `${name}.css`)),
]
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

function webFile(name: string, body: Uint8Array): WebFile {
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
  const sheet = Buffer.from(SHEETS.map((path) => readFileSync(path, 'utf8')).join('\n'))
  const libraries = Object.entries(SCRIPTS).map(([name, path]): [string, WebFile] => {
    const file = `library/${libraryFile(name)}`
    return [file, webFile(file, Buffer.concat([readFileSync(path), Buffer.from(EXPORTS[name] ?? '')]))]
  })
  return new Map([
    ...own.map(([name, path]): [string, WebFile] => [name, webFile(name, readFileSync(path))]),
    ...libraries,
    [SHEET, webFile(SHEET, sheet)],
  ])
}

/** The specifiers of the imports that a module needs before it runs; `import()` is not one. An import of several lines ends with `} from`. */
const importsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /^(?:import |export \{|\} from )/.test(line) && line.includes("'"))
    .map((line) => line.slice(line.indexOf("'") + 1, line.lastIndexOf("'")))
/** The modules that `name` needs before it runs, itself included, in the order of their discovery. */
export function modulesOf(files: ReadonlyMap<string, WebFile>, name: string): string[] {
  const found = new Set([name])
  for (const one of found) {
    const file = files.get(one)
    // Libraries are single files, and preact/hooks needs preact, which every page needs.
    if (!file || one.startsWith('library/')) continue
    for (const specifier of importsOf(Buffer.from(file.body).toString()))
      found.add(specifier in SCRIPTS ? `library/${libraryFile(specifier)}` : join(dirname(one), specifier))
  }
  return [...found]
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
  // A font is compressed in itself.
  const isCompressed = file.type !== WEB_TYPES['.woff2'] && acceptsGzip(headers['accept-encoding'])
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
