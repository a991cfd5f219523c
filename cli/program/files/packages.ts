// The packages of a new version, from a folder. Only files whose digest is in SHA256SUMS are read, and parts that did not change are taken from the
// current version.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '#shared/protocol/failure.ts'
import { isNewer, isRelease, newerFirst, PACKAGES } from '#shared/protocol/version.ts'
import { unpackTarball } from './archive.ts'
import { copyPart, packageManifest } from './copy.ts'

export const SUMS = 'SHA256SUMS'
export const MAX_SUMS_BYTES = 64 * 1024
export const MAX_TARBALL_BYTES = 500_000_000
const LINE = /^([0-9a-f]{64}) [ *]([\w.-]{1,200})$/

/** Resolves with the verified bytes of a package; null if the source does not have it. */
export type FetchPackage = (name: string, version: string) => Promise<Buffer | null>
export type Packages = { readonly version: string; readonly fetch: FetchPackage; readonly place: string }

/** Name of a tarball of npm. */
export const tarballName = (name: string, version: string): string => `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`

/** The newest version of the program `name` in the folder. Throws NOT_FOUND without a list of digests, or without the program. */
export function packagesIn(folder: string, name: string): Packages {
  const sums = sumsIn(folder)
  const pattern = `${name}-`
  const versions = [...sums.keys()]
    .filter((file) => file.startsWith(pattern) && file.endsWith('.tgz'))
    .map((file) => file.slice(pattern.length, -'.tgz'.length))
    .filter(isRelease)
    .sort(newerFirst)
  const [version] = versions
  if (version === undefined) throw new Failure('NOT_FOUND', `${join(folder, SUMS)} names no ${name}-VERSION.tgz.`)
  return { version, place: folder, fetch: async (wanted, its) => verified(folder, tarballName(wanted, its), sums) }
}

function sumsIn(folder: string): Map<string, string> {
  const path = join(folder, SUMS)
  if (!existsSync(path)) throw new Failure('NOT_FOUND', `${folder} has no file ${SUMS}, so the packages in it cannot be verified.`)
  if (statSync(path).size > MAX_SUMS_BYTES) throw new Failure('BAD_REQUEST', `${path} is too large.`)
  return sumsOf(readFileSync(path, 'utf8'))
}

/** Digests by the name of the file. Other lines are left out. */
export function sumsOf(text: string): Map<string, string> {
  const lines = text.split('\n')
  return new Map(lines.flatMap((line) => (LINE.exec(line) ? [[LINE.exec(line)![2]!, LINE.exec(line)![1]!] as const] : [])))
}

function verified(folder: string, file: string, sums: ReadonlyMap<string, string>): Buffer | null {
  const path = join(folder, file)
  const sum = sums.get(file)
  if (sum === undefined) return null
  if (!existsSync(path)) throw new Failure('NOT_FOUND', `${file} is in ${SUMS} and not in ${folder}.`)
  if (statSync(path).size > MAX_TARBALL_BYTES) throw new Failure('BAD_REQUEST', `${path} is too large for a package.`)
  const bytes = readFileSync(path)
  if (createHash('sha256').update(bytes).digest('hex') !== sum)
    throw new Failure('DIGEST_MISMATCH', `${file} is not the file that ${SUMS} names: its digest differs. Nothing was installed.`)
  return bytes
}

type Filling = {
  readonly packages: Pick<Packages, 'version' | 'fetch' | 'place'>
  readonly name: string
  /** Folder of the current version. */
  readonly current: string
  readonly system?: string
}
const OWN_SYSTEM = `${process.platform}-${process.arch}`
const SYSTEM = /-((?:linux|darwin|win32|win)-(?:x64|arm64|ia32|x86|arm))$/
/** True for a package that every machine has, or that is made for this one. */
const isFor = (name: string, system: string): boolean => {
  const [, named] = SYSTEM.exec(name) ?? []
  return named === undefined || named.replace(/^win-/, 'win32-') === system
}

/** The version that a dependency names: packages of others ask for a range, such as `^1.13.8`. */
const oldestOf = (range: string): string => range.replace(/^[\^~]/, '')
/** True for the version itself, and for a later one in the range: `^` fixes the numbers up to the first that is not 0, `~` the first two. */
function permits(range: string, version: string): boolean {
  const oldest = oldestOf(range)
  if (version === oldest) return true
  if (oldest === range || !isRelease(oldest) || !isRelease(version) || version.includes('-') || isNewer(oldest, version)) return false
  const numbers = oldest.split('.')
  const first = numbers.findIndex((number) => number !== '0')
  const same = range.startsWith('~') ? 2 : first === -1 ? 3 : first + 1
  return version.startsWith(`${numbers.slice(0, same).join('.')}${same < 3 ? '.' : ''}`)
}

/** Fills a folder with the program and the packages that it needs on this machine. Throws a Failure that says what is wrong. */
export async function fillFrom({ packages, name, current, system = OWN_SYSTEM }: Filling, to: string): Promise<void> {
  const { version, fetch, place } = packages
  const program = await fetch(name, version)
  if (program === null) throw new Failure('NOT_FOUND', `${place} has no ${tarballName(name, version)}.`)
  unpackTarball(program, to, tarballName(name, version))
  const manifest = packageManifest(to)
  if (manifest.name !== name || manifest.version !== version)
    throw new Failure('BAD_REQUEST', `${tarballName(name, version)} contains ${manifest.name} ${manifest.version}.`)
  const native = `${PACKAGES.native}-${system}`
  const wanted = Object.entries(manifest.optionalDependencies)
  const filled = new Map<string, string>()
  for (const [part, range] of wanted) {
    if (!isFor(part, system)) continue
    const its = oldestOf(range)
    const made = filled.get(part)
    if (made !== undefined && !permits(range, made))
      throw new Failure('BAD_REQUEST', `Version ${version} needs ${part} both as ${made} and as ${range}.`)
    const folder = join(to, 'node_modules', part)
    if (existsSync(folder)) continue // the program brings it, or another part
    const bytes = await fetch(part, its)
    const own = join(current, 'node_modules', part)
    if (bytes) unpackTarball(bytes, folder, tarballName(part, its))
    else if (existsSync(join(own, 'package.json')) && permits(range, packageManifest(own).version)) copyPart(own, folder)
    else if (part === native || existsSync(own))
      throw new Failure('NOT_FOUND', `${place} has no ${tarballName(part, its)}, which version ${version} needs.`)
    else continue // nor does this machine have it now
    const { name: called, version: brought, optionalDependencies } = packageManifest(folder)
    if (bytes && (called !== part || brought !== its))
      throw new Failure('BAD_REQUEST', `${tarballName(part, its)} contains ${called} ${brought}.`)
    filled.set(part, brought)
    wanted.push(...Object.entries(optionalDependencies))
  }
}
