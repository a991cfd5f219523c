// Builds the packages: `node tools/release/pack.ts --out DIR`, or `./studio release pack --out DIR`. The same sources give the same bytes.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { Misuse, parseArguments, ROOT, refuseArguments } from '#cli/lib/command.ts'
import { COMMAND, PACKAGES, PUBLISHED, REPOSITORY, VERSION } from '#shared/protocol/version.ts'
import { execFileSync } from '#shared/runtime/child/process.ts'
import { sha256OfFile } from './cut/checksums.ts'
import { copyLibraries, filesBelow, INSTALLED_BESIDE, libraryPlaces, lockedVersion } from './libraries.ts'
import { licencesOf } from './licences.ts'
import { manualFile, manualOf } from './manual.ts'
import { reachedFrom, shippedModule, shippedPath } from './modules.ts'
import { nativeDependencies, nativeName, nativePlatforms, writeNative } from './natives.ts'
import { startFile } from './start-file.ts'

const LONGEST_MS = 300_000
const PAGES = 'control-plane/web/dist'
const OWN_VERSION = 'shared/protocol/version.ts'
const Sources = z.object({ dependencies: z.record(z.string(), z.string()), engines: z.object({ node: z.string() }), license: z.string() })
const sources = Sources.parse(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')))

export type PackedProgram = {
  readonly name: string
  readonly description: string
  /** The module that the command runs. */
  readonly main: string
  /** Name of the command of lenders. */
  readonly agentCommand: string
  /** Folders whose data files are shipped. Files that modules name are shipped anyway. */
  readonly folders: readonly string[]
  readonly hasPages: boolean
  /** The database is native; without the neural runtime an agent lends its other engines. */
  readonly needsNative: boolean
}
export const PACKED_PROGRAMS: readonly PackedProgram[] = [
  {
    name: PACKAGES.studio,
    description: 'A self-hosted voice studio whose inference can run on any GPU that its owner shares.',
    main: 'cli/main.ts',
    agentCommand: `${PACKAGES.studio} agent`,
    folders: ['agent', 'control-plane/store', 'proto', 'shared'],
    hasPages: true,
    needsNative: true,
  },
  {
    name: PACKAGES.agent,
    description: 'Lends this machine to a Voice Studio.',
    main: 'cli/agent-main.ts',
    agentCommand: PACKAGES.agent,
    folders: ['agent', 'proto', 'shared'],
    hasPages: false,
    needsNative: false,
  },
]

/** Data files beside the modules: networks, word lists, migrations, messages of the link, and licences. */
const isData = (file: string) => !/\.(?:tsx?|md|wat)$/.test(file)

const PAGE_MODULE = /\.tsx?$/
const PAGE_IMPORT = /\bfrom '((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[\w./-]+)?'/g
/** Places of the packages whose code is inside the bundles of the pages. */
function packagesInPages(): string[] {
  const web = join(ROOT, 'control-plane/web')
  const named = filesBelow(web)
    .filter((file) => PAGE_MODULE.test(file) && !file.startsWith('dist/'))
    .flatMap((file) => [...readFileSync(join(web, file), 'utf8').matchAll(PAGE_IMPORT)].map(([, name = '']) => name))
  return libraryPlaces([...new Set(named)].filter((name) => Object.hasOwn(sources.dependencies, name)))
}

/** Modules and data files of a program, from the root; the packages that it loads, and places of those that are inside its pages. */
export function programParts({ main, folders, hasPages }: PackedProgram) {
  const reached = reachedFrom(main, new Set(Object.keys(sources.dependencies)))
  const data = folders.flatMap((folder) =>
    filesBelow(join(ROOT, folder))
      .filter(isData)
      .map((file) => `${folder}/${file}`),
  )
  const others = hasPages ? ['CHANGELOG.md', 'control-plane/web/again.ts', 'control-plane/web/fonts/LICENSE'] : []
  return {
    packages: reached.packages,
    files: [...new Set([...reached.files, ...data])].sort(),
    others,
    inPages: hasPages ? packagesInPages() : [],
  }
}

function writeProgram(program: PackedProgram, to: string, shared: object, version: string): void {
  const { name, main, description, agentCommand, hasPages, needsNative } = program
  const { packages, files, others, inPages } = programParts(program)
  for (const file of files) {
    if (!file.endsWith('.ts')) place(to, file, readFileSync(join(ROOT, file)))
    else place(to, shippedPath(file), file === OWN_VERSION ? ownVersion(program.name, agentCommand, version) : shippedModule(file))
  }
  for (const file of others) place(to, file, readFileSync(join(ROOT, file)))
  if (hasPages) writePages(join(to, PAGES), name)

  const places = copyLibraries(packages, to)
  const bundled = [...new Set(places.map((each) => libraryOf(each)))].sort()
  const command = `bin/${name}.cjs`
  place(to, command, startFile({ command: name, main: shippedPath(main), version, ...(needsNative && { native: PACKAGES.native }) }))
  chmodSync(join(to, command), 0o755)
  place(to, manualFile(name), manualOf(name, version))
  place(to, 'LICENSE', readFileSync(join(ROOT, 'LICENSE')))
  place(to, 'THIRD-PARTY-LICENSES.txt', licencesOf([...new Set([...places, ...inPages])].sort(), [...files, ...others]))
  place(to, 'README.md', `# ${name}\n\n${description}\n\nStart it with \`${name}\`, and see \`${name} help\`.\n`)
  const rooms = ['agent', 'cli', 'shared', ...(hasPages ? ['control-plane'] : [])]
  const manifest = {
    name,
    version,
    description,
    ...shared,
    type: 'module',
    bin: { [name]: command },
    man: manualFile(name),
    engines: sources.engines,
    imports: Object.fromEntries(rooms.map((room) => [`#${room}/*`, `./${room}/*`])),
    dependencies: Object.fromEntries(bundled.map((each) => [each, lockedVersion(each)])),
    bundleDependencies: bundled,
    optionalDependencies: { ...nativeDependencies(), [INSTALLED_BESIDE]: lockedVersion(INSTALLED_BESIDE) },
  }
  place(to, 'package.json', `${JSON.stringify(manifest, null, 2)}\n`)
}

function place(to: string, file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(to, file)), { recursive: true })
  writeFileSync(join(to, file), content)
}
/** Name of the package at the top that a place belongs to. */
const libraryOf = (place: string): string =>
  place
    .split('/')
    .slice(1, place.startsWith('node_modules/@') ? 3 : 2)
    .join('/')

/** The module with the names of the commands, with those of the package. */
function ownVersion(command: string, agentCommand: string, version: string): string {
  const text = shippedModule(OWN_VERSION)
  const own = text
    .replace(`AGENT_COMMAND = '${COMMAND} agent'`, `AGENT_COMMAND = '${agentCommand}'`)
    .replace(`const COMMAND = '${COMMAND}'`, `const COMMAND = '${command}'`)
    .replace(`VERSION = '${VERSION}'`, `VERSION = '${version}'`)
  if (own.includes(COMMAND)) throw new Error(`${OWN_VERSION} still contains ${COMMAND}.`)
  return own
}

/** Maps of the pages are for developers. */
function writePages(to: string, command: string): void {
  const builder = join(ROOT, 'control-plane/features/operate/system/pages/build.ts')
  execFileSync(process.execPath, [builder, to, command], { cwd: ROOT, timeout: LONGEST_MS })
  for (const file of filesBelow(to)) if (file.endsWith('.map')) rmSync(join(to, file))
}

/** The commit of the sources. Throws for a tree with changes. */
function commitOf(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, timeout: LONGEST_MS }).trim()
  if (git('status', '--porcelain') !== '')
    throw new Misuse('The tree has changes that no commit contains. Commit them, or pack a draft with --draft.')
  return git('rev-parse', 'HEAD')
}

export type Packed = { readonly name: string; readonly file: string; readonly unpacked: number; readonly files: number }
const Listing = z.array(z.object({ filename: z.string(), unpackedSize: z.number(), entryCount: z.number() }))

/** The tarball of a folder, by npm: sorted, and with a fixed time for each file. */
function tarball(name: string, folder: string, out: string): Packed {
  const text = execFileSync(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--offline', '--loglevel=error', '--pack-destination', out, folder],
    {
      cwd: ROOT,
      timeout: LONGEST_MS,
      maxBuffer: 64 * 1024 ** 2,
    },
  )
  const [packed] = Listing.parse(JSON.parse(text))
  if (!packed) throw new Error(`npm packed nothing for ${name}.`)
  return { name, file: join(out, packed.filename), unpacked: packed.unpackedSize, files: packed.entryCount }
}

type Request = {
  /** The folder of the tarballs. */
  readonly out: string
  /** A draft may have changes and names no commit. */
  readonly draft: boolean
  /** Names of packages; by default all are packed. */
  readonly only?: readonly string[]
  /** Another version than that of the sources, to try an update with a draft. */
  readonly version?: string
}

/** Writes a tarball for each program and each kind of machine. Throws a Misuse for a tree with changes. */
export function pack({ out, draft, only, version = VERSION }: Request): Packed[] {
  const shared = {
    license: sources.license,
    ...(REPOSITORY !== null && { repository: { type: 'git', url: REPOSITORY } }),
    ...(!draft && { gitHead: commitOf() }),
    publishConfig: { access: 'public', provenance: true },
    // npm refuses to publish a package that is private.
    ...(!PUBLISHED && { private: true }),
  }
  const packages: readonly (readonly [name: string, write: (to: string) => void])[] = [
    ...PACKED_PROGRAMS.map((program) => [program.name, (to: string) => writeProgram(program, to, shared, version)] as const),
    ...nativePlatforms().map((platform) => [nativeName(platform), (to: string) => writeNative(platform, to, shared)] as const),
  ]
  mkdirSync(out, { recursive: true })
  const folder = mkdtempSync(join(tmpdir(), 'studio-packages-'))
  try {
    const packed = packages
      .filter(([name]) => only === undefined || only.includes(name))
      .map(([name, write]) => {
        const to = join(folder, name)
        write(to)
        return tarball(name, to, out)
      })
    // An installed program updates from a folder with this file, and from no other.
    writeFileSync(join(out, 'SHA256SUMS'), packed.map(({ file }) => `${sha256OfFile(file)}  ${basename(file)}\n`).join(''))
    return packed
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads the options of the command and packs. Returns a line for each package. */
export function packFor(args: readonly string[], cwd: string): string[] {
  const { values, positionals } = parseArguments(args, { out: { type: 'string' }, draft: { type: 'boolean' } })
  refuseArguments('release pack', positionals)
  if (values.out === undefined) throw new Misuse('release pack needs --out DIR.')
  const out = resolve(cwd, values.out)
  if (existsSync(out) && filesBelow(out).length > 0) throw new Misuse(`The folder ${out} is not empty.`)
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  return pack({ out, draft: values.draft ?? false }).map(
    ({ name, file, unpacked, files }) =>
      `${name}: ${file} (${megabytes(readFileSync(file).length)}; unpacked ${megabytes(unpacked)}, ${files} files)`,
  )
}

if (import.meta.main) process.stdout.write(`${packFor(process.argv.slice(2), process.cwd()).join('\n')}\n`)
