// The native parts, as one package for each kind of machine: the neural runtime and the database. The registry gives a machine only its own.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#cli/lib/command.ts'
import { NATIVE_VERSION, PACKAGES } from '#shared/protocol/version.ts'
import { licenceTextOf } from './licences.ts'

export const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64', 'win32-arm64'] as const
/** Versions of the binaries in NATIVE_VERSION. A change of one raises NATIVE_VERSION: a published version never changes. */
const CONTAINS: Readonly<Record<string, string>> = { 'onnxruntime-node': '1.30.0', 'better-sqlite3': '13.2.0' }

const own = (file: string) => `\`${PACKAGES.native}-\${process.platform}-\${process.arch}/${file}\``
const SQLITE = 'better_sqlite3.node'
/** The line of a package that loads its binary, and its replacement in our copy. */
export const BINDINGS: Readonly<Record<string, { readonly file: string; readonly loads: string; readonly instead: string }>> = {
  'better-sqlite3': { file: 'lib/binding.js', loads: 'require(getPrebuildPath() || filename)', instead: `require(${own(SQLITE)})` },
  'onnxruntime-node': {
    file: 'dist/binding.js',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of that file
    loads: '`../bin/napi-v6/${process.platform}/${process.arch}/onnxruntime_binding.node`',
    instead: own('onnxruntime_binding.node'),
  },
}

/** Name of the package for a kind of machine, such as linux-x64. */
export const nativeName = (platform: string): string => `${PACKAGES.native}-${platform}`

export const nativeDependencies = (): Record<string, string> =>
  Object.fromEntries(PLATFORMS.map((platform) => [nativeName(platform), NATIVE_VERSION]))

/** The kinds of machines whose binaries this checkout has: ./studio keeps only those of its own machine. */
export const nativePlatforms = (): string[] => PLATFORMS.filter((platform) => existsSync(runtimeOf(platform)))

/**
 * Libraries of Microsoft beside the runtime on Windows, under licences of their own, as expressions of SPDX. The package of the runtime has no text of
 * them, and this one none either (docs/releasing.md).
 */
const OTHER_LICENCES: Readonly<Record<string, string>> = {
  'DirectML.dll': 'LicenseRef-Microsoft-DirectML',
  'dxcompiler.dll': 'LicenseRef-Microsoft-DirectXShaderCompiler',
  'dxil.dll': 'LicenseRef-Microsoft-DirectXShaderCompiler',
}
/** The licence of a file in a package for a kind of machine. */
export const nativeLicence = (file: string): string => OTHER_LICENCES[file] ?? 'MIT'
/** The licences of a whole package. `files`: names. */
export const licencesOfNative = (files: readonly string[]): string => [...new Set(['MIT', ...files.map(nativeLicence)])].join(' AND ')

/** macOS has the library under two names; the binding loads libonnxruntime.1.dylib. */
const SECOND_COPY = /\.\d+\.\d+\.\d+\.dylib$/
const runtimeOf = (platform: string) => join(ROOT, 'node_modules/onnxruntime-node/bin/napi-v6', ...platform.split('-'))
const versionIn = (name: string): string => JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')).version

/** Names of the packages whose binaries are in each of these packages. */
export const nativeLibraries = (): string[] => Object.keys(CONTAINS)

type NativeFile = { readonly name: string; readonly path: string }
/** The binaries of the package for a kind of machine. */
export const nativeFiles = (platform: string): NativeFile[] => [
  ...readdirSync(runtimeOf(platform))
    .filter((name) => !SECOND_COPY.test(name))
    .sort()
    .map((name) => ({ name, path: join(runtimeOf(platform), name) })),
  { name: SQLITE, path: join(ROOT, 'node_modules/better-sqlite3/prebuilds', `${platform}.node`) },
]

/** Writes the package for a kind of machine into the folder `to`. `shared`: fields of all our manifests. */
export function writeNative(platform: string, to: string, shared: object): void {
  for (const [name, version] of Object.entries(CONTAINS))
    if (versionIn(name) !== version)
      throw new Error(`${name} is ${versionIn(name)} and NATIVE_VERSION contains ${version}: raise it, and the table in natives.ts.`)
  mkdirSync(to, { recursive: true })
  const names = nativeFiles(platform).map(({ name }) => name)
  for (const { name, path } of nativeFiles(platform)) cpSync(path, join(to, name), { dereference: true })
  const licences = Object.keys(CONTAINS).map((name) => `${name} ${versionIn(name)}\n\n${licenceTextOf(join(ROOT, 'node_modules', name))}`)
  const others = names.filter((name) => Object.hasOwn(OTHER_LICENCES, name))
  if (others.length > 0) licences.push(`${others.join(', ')}: of Microsoft, under its own licences, and not under those above.\n`)
  writeFileSync(join(to, 'LICENSE'), licences.join(`\n${'-'.repeat(80)}\n\n`))
  const [os, cpu] = platform.split('-')
  const manifest = {
    name: nativeName(platform),
    version: NATIVE_VERSION,
    description: `Native parts of Voice Studio for ${platform}: the neural runtime and the database.`,
    ...shared,
    license: licencesOfNative(names),
    os: [os],
    cpu: [cpu],
    ...(os === 'linux' && { libc: ['glibc'] }),
  }
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
