// The parts of a bill of materials in the format of CycloneDX 1.6: packages of npm, binaries, and the models and data that travel with a program.
import { dirname, join } from 'node:path'
import { ROOT } from '#cli/lib/command.ts'
import { sha256OfFile } from '#tools/release/cut/checksums.ts'
import { filesBelow, lockedAt } from '#tools/release/libraries.ts'
import { isLicence, licenceNameIn } from '#tools/release/licences.ts'
import { nativeFiles, nativeLicence } from '#tools/release/natives.ts'

type Hash = { readonly alg: 'SHA-256' | 'SHA-384' | 'SHA-512'; readonly content: string }
type Licence = { readonly expression: string }
export type BomComponent = {
  readonly type: 'application' | 'library' | 'machine-learning-model' | 'data' | 'file'
  readonly 'bom-ref': string
  readonly name: string
  readonly version?: string
  readonly purl?: string
  readonly scope?: 'required' | 'optional'
  readonly licenses?: readonly Licence[]
  readonly hashes?: readonly Hash[]
  readonly components?: readonly BomComponent[]
}

const ALGORITHMS: Readonly<Record<string, Hash['alg']>> = { sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512' }

/** The address of a package of npm in the format of package-url. */
export const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** A digest of the lock file, such as `sha512-…`, in hexadecimal digits. */
export function hashOf(integrity: string): Hash {
  const [, algorithm = '', digest = ''] = /^(sha\d+)-([\w+/=]+)/.exec(integrity) ?? []
  const alg = ALGORITHMS[algorithm]
  if (alg === undefined) throw new Error(`${integrity} is no digest of a lock file.`)
  return { alg, content: Buffer.from(digest, 'base64').toString('hex') }
}

/** The package in a place of the lock file. `isBeside`: npm installs it with ours, which do not contain it. */
export function libraryComponent(place: string, isBeside = false): BomComponent {
  const { name, version, license, integrity } = lockedAt(place)
  const purl = purlOf(name, version)
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    scope: isBeside ? 'optional' : 'required',
    licenses: [{ expression: license }],
    hashes: [hashOf(integrity)],
  }
}

const fileComponent = (owner: string, name: string, path: string): BomComponent => ({
  type: 'file',
  'bom-ref': `${owner}#${name}`,
  name,
  hashes: [{ alg: 'SHA-256', content: sha256OfFile(path) }],
})

/** The binaries of the package for a kind of machine. */
export const nativeParts = (platform: string, owner: string): BomComponent[] =>
  nativeFiles(platform).map(({ name, path }) => ({ ...fileComponent(owner, name, path), licenses: [{ expression: nativeLicence(name) }] }))

/** Models and data of other people among the files of a program: the folders that have a licence. */
export function assetComponents(files: readonly string[]): BomComponent[] {
  const folders = [...new Set(files.filter(isLicence).map(dirname))].sort()
  return folders.map((folder) => {
    const parts = filesBelow(join(ROOT, folder)).filter((file) => !isLicence(file))
    return {
      type: parts.some((file) => file.endsWith('.onnx')) ? 'machine-learning-model' : 'data',
      'bom-ref': folder,
      name: folder,
      licenses: [{ expression: licenceNameIn(join(ROOT, folder)) }],
      components: parts.map((file) => fileComponent(folder, file, join(ROOT, folder, file))),
    }
  })
}
