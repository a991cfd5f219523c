// The bill of materials of a release, in the format of CycloneDX 1.6: every package, binary, model and file of other people in our packages. The same
// sources give the same bytes.
import { createHash } from 'node:crypto'
import { NATIVE_VERSION, VERSION } from '#shared/protocol/version.ts'
import { sha256OfFile } from '#tools/release/cut/checksums.ts'
import { INSTALLED_BESIDE, libraryPlaces } from '#tools/release/libraries.ts'
import { licencesOfNative, nativeLibraries, nativeName, nativePlatforms } from '#tools/release/natives.ts'
import { PACKED_PROGRAMS, type Packed, programParts } from '#tools/release/pack.ts'
import { assetComponents, type BomComponent, libraryComponent, nativeParts, purlOf } from './components.ts'

export type Bom = {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.6'
  readonly serialNumber: string
  readonly version: 1
  readonly metadata: { readonly timestamp: string; readonly component: BomComponent }
  readonly components: readonly BomComponent[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

type Part = { readonly own: BomComponent; readonly uses: readonly BomComponent[] }

const tarballHash = (packed: readonly Packed[], name: string) => {
  const file = packed.find((each) => each.name === name)?.file
  return file !== undefined && { hashes: [{ alg: 'SHA-256' as const, content: sha256OfFile(file) }] }
}

function programs(packed: readonly Packed[]): Part[] {
  return PACKED_PROGRAMS.map((program) => {
    const { files, others, packages, inPages } = programParts(program)
    const purl = purlOf(program.name, VERSION)
    return {
      own: {
        type: 'application',
        'bom-ref': purl,
        name: program.name,
        version: VERSION,
        purl,
        licenses: [{ expression: 'Apache-2.0' }],
        ...tarballHash(packed, program.name),
      },
      uses: [
        ...[...libraryPlaces(packages), ...inPages].map((place) => libraryComponent(place)),
        libraryComponent(`node_modules/${INSTALLED_BESIDE}`, true),
        ...assetComponents([...files, ...others]),
      ],
    }
  })
}

const natives = (packed: readonly Packed[]): Part[] =>
  nativePlatforms().map((platform) => {
    const purl = purlOf(nativeName(platform), NATIVE_VERSION)
    const parts = nativeParts(platform, purl)
    return {
      own: {
        type: 'library',
        'bom-ref': purl,
        name: nativeName(platform),
        version: NATIVE_VERSION,
        purl,
        scope: 'optional',
        licenses: [{ expression: licencesOfNative(parts.map(({ name }) => name)) }],
        ...tarballHash(packed, nativeName(platform)),
        components: parts,
      },
      uses: nativeLibraries().map((name) => libraryComponent(`node_modules/${name}`)),
    }
  })

const RELEASE = 'voice-studio-release'

/** `committedAt`: of the commit, in the format of RFC 3339. `packed`: the tarballs, for their digests. */
export function billOfMaterials(packed: readonly Packed[], committedAt: string): Bom {
  const parts = [...programs(packed), ...natives(packed)]
  const components = new Map<string, BomComponent>()
  for (const { own, uses } of parts) for (const each of [own, ...uses]) components.set(each['bom-ref'], each)
  const sorted = [...components.values()].sort((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const refs = (list: readonly BomComponent[]) => [...new Set(list.map((each) => each['bom-ref']))].sort()
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(sorted))}`,
    version: 1,
    metadata: {
      timestamp: committedAt,
      component: {
        type: 'application',
        'bom-ref': RELEASE,
        name: 'Voice Studio',
        version: VERSION,
        licenses: [{ expression: 'Apache-2.0' }],
      },
    },
    components: sorted,
    dependencies: [
      { ref: RELEASE, dependsOn: refs(parts.map(({ own }) => own)) },
      ...parts.map(({ own, uses }) => ({ ref: own['bom-ref'], dependsOn: refs(uses) })),
    ],
  }
}

/** A UUID of version 8, made of a digest. */
function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex')
  return [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-')
}
