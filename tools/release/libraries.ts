// Copies of the packages of other people that a program needs, in the places of the lock file. They travel inside our packages: what is
// installed is what was tested, nothing else is downloaded, and no script of theirs can run.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { ROOT } from '#cli/lib/command.ts'
import { BINDINGS } from './natives.ts'

const Entry = z.object({
  version: z.string().optional(),
  link: z.boolean().optional(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  dependencies: z.record(z.string(), z.string()).optional(),
})
const Lock = z.object({ packages: z.record(z.string(), Entry) })
const lock = Lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))).packages

export function lockedVersion(name: string): string {
  const version = lock[`node_modules/${name}`]?.version
  if (version === undefined) throw new Error(`package-lock.json has no version of ${name}.`)
  return version
}

/** Brings a library of its own for each kind of machine, with a part under the GPL: the registry installs it, our packages do not contain it. */
export const INSTALLED_BESIDE = 'sherpa-onnx-node'
/** Packages that others name and that nothing here loads (docs/adr/0001-dependencies.md); the installers of binaries; the bundler of the pages. */
const NOT_LOADED: ReadonlySet<string> = new Set([
  'sharp',
  'onnxruntime-web',
  'adm-zip',
  'global-agent',
  'node-addon-api',
  '@types/node',
  'undici-types',
  'rolldown',
  INSTALLED_BESIDE,
])

const LICENCE = /^(?:licen[cs]e|copying|copyright|notice)/i
/** Files of a package that nothing loads. */
const UNUSED = [
  /\.(?:map|md|markdown|flow|tsbuildinfo|ts|mts|cts)$/i,
  /(?:^|\/)(?:test|tests|__tests__|example|examples|docs|benchmark|benchmarks|coverage)\//,
  /(?:^|\/)\.[^/]+(?:\/|$)/,
]
const ONLY: Readonly<Record<string, RegExp>> = {
  '@huggingface/transformers': /^dist\/transformers\.node\.min\.mjs$/,
  'onnxruntime-node': /^dist\/.*\.js$/,
  'better-sqlite3': /^lib\//,
  'swagger-ui-dist': /^swagger-ui(?:-bundle\.js(?:\.LICENSE\.txt)?|\.css)$/,
}
const DROPPED: Readonly<Record<string, RegExp>> = {
  'onnxruntime-common': /^dist\/esm|^lib/,
  '@huggingface/tokenizers': /^(?:src|types)\//,
  '@huggingface/jinja': /^src\//,
  zod: /^src\//,
}
function isShipped(name: string, file: string): boolean {
  if (file === 'package.json' || LICENCE.test(file)) return true
  if (UNUSED.some((rule) => rule.test(file)) || DROPPED[name]?.test(file)) return false
  return ONLY[name]?.test(file) ?? true
}

/** Parts of a manifest that an installed copy inside ours must not have. */
const REMOVED_KEYS = ['scripts', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'peerDependenciesMeta', 'gypfile', 'binary']

/** Files below a folder, sorted. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .flatMap((entry) => (entry.isFile() ? [relative(folder, join(entry.parentPath, entry.name))] : []))
    .sort()

function copyLibrary(name: string, from: string, to: string): void {
  for (const file of filesBelow(from)) {
    if (file.startsWith('node_modules/') || !isShipped(name, file)) continue
    mkdirSync(dirname(join(to, file)), { recursive: true })
    cpSync(join(from, file), join(to, file))
  }
  const path = join(to, 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  for (const key of REMOVED_KEYS) delete manifest[key]
  for (const absent of NOT_LOADED) delete manifest.dependencies?.[absent]
  if (name === '@huggingface/transformers') manifest.exports = { '.': './dist/transformers.node.min.mjs' }
  writeFileSync(path, `${JSON.stringify(manifest, null, 1)}\n`)
  const binding = BINDINGS[name]
  if (binding) replaceOnce(join(to, binding.file), binding.loads, binding.instead)
}

/** Throws unless the file has `old` exactly once. */
function replaceOnce(file: string, old: string, instead: string): void {
  const [before, after, ...more] = readFileSync(file, 'utf8').split(old)
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`${file} does not contain ${old} exactly once.`)
  writeFileSync(file, before + instead + after)
}

/** The place of a package that one at `from` loads by its name; undefined if the lock file has none. */
function placeOf(name: string, from: string): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    const place = `${base === '' ? '' : `${base}/`}node_modules/${name}`
    if (lock[place]) return place
    if (base === '') return undefined
    if (!base.includes('/node_modules/')) base = ''
  }
}

/** Places of the packages and of everything they need, such as `node_modules/zod`, sorted. */
export function libraryPlaces(names: Iterable<string>): string[] {
  const places = new Set<string>()
  const add = (name: string, from: string) => {
    const place = NOT_LOADED.has(name) ? undefined : placeOf(name, from)
    if (place !== undefined && !lock[place]?.link) places.add(place)
  }
  for (const name of names) add(name, '')
  for (const place of places) for (const name of Object.keys(lock[place]?.dependencies ?? {})) add(name, place)
  return [...places].sort()
}

/** Copies the packages with everything they need into the folder `to`. Returns their places. */
export function copyLibraries(names: Iterable<string>, to: string): string[] {
  const places = libraryPlaces(names)
  for (const place of places) copyLibrary(lockedAt(place).name, join(ROOT, place), join(to, place))
  return places
}

export type Locked = { readonly name: string; readonly version: string; readonly license: string; readonly integrity: string }
/** Facts of the lock file about the package in a place. */
export function lockedAt(place: string): Locked {
  const { version, license, integrity } = lock[place] ?? {}
  if (version === undefined || license === undefined || integrity === undefined)
    throw new Error(`package-lock.json has no version, licence or digest of ${place}.`)
  return { name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length), version, license, integrity }
}
