// Cuts a version: everything is made in a temporary clone, and only the last step brings the tag and the commit into the checkout. A cut that fails
// leaves the checkout as it was, and one that is killed too, but for the tag if that happens in the last step. Nothing is published.

import type { KeyObject } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Misuse } from '#cli/lib/command.ts'
import { execFileSync } from '#shared/runtime/child/process.ts'
import { releaseChangelog, releaseNotes } from './changelog.ts'
import { CHECKSUMS, publicPem, writeChecksums } from './checksums.ts'

const GIT_MS = 120_000
const VERSION_FILE = 'shared/protocol/version.ts'
const VERSION_LINE = /^export const VERSION = '(\d+\.\d+\.\d+)'$/m
const VERSION = /^(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})\.(?:0|[1-9]\d{0,5})$/
export const NOTES_FILE = 'RELEASE-NOTES.md'

export type ReleaseSteps = {
  /** Writes the generated documents of a checkout. */
  readonly documents: (checkout: string) => void
  /** Makes the packages and the bill of materials of a checkout in the folder `out`. */
  readonly build: (checkout: string, out: string) => void
}
export type ReleaseRequest = {
  /** The checkout. */
  readonly root: string
  readonly version: string
  /** Such as 2026-11-30. */
  readonly date: string
  /** The folder of the files; it is empty or absent. */
  readonly out: string
  readonly key: KeyObject | null
  /** The files are made, and the checkout gets neither commit nor tag. */
  readonly isDryRun: boolean
  readonly steps: ReleaseSteps
}
export type CutRelease = { readonly commit: string; readonly tag: string; readonly files: readonly string[] }

const gitIn =
  (folder: string) =>
  (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, timeout: GIT_MS, stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** Throws a Misuse for a version or a checkout that cannot be cut, before anything is made. */
export function cutRelease(request: ReleaseRequest): CutRelease {
  const { root, version, isDryRun, key, out } = request
  const git = gitIn(root)
  const tag = `v${version}`
  refuseVersion(version, versionIn(root))
  if (git('status', '--porcelain') !== '') throw new Misuse('The tree has changes that no commit contains. Commit them first.')
  if (git('tag', '--list', tag) !== '')
    throw new Misuse(`The tag ${tag} exists already. If this branch lacks its commit, run: git merge --ff-only ${tag}`)
  const work = mkdtempSync(join(tmpdir(), 'studio-release-'))
  try {
    const [checkout, made] = [join(work, 'checkout'), join(work, 'out')]
    const { section, commit } = commitVersion(request, checkout)
    mkdirSync(made)
    request.steps.build(checkout, made)
    writeFileSync(join(made, NOTES_FILE), releaseNotes({ version, section, commit, publicKey: key && publicPem(key) }))
    writeChecksums(made, key)
    const files = filesOf(made)
    try {
      place(made, files, out)
      if (!isDryRun) bring(git, checkout, tag)
    } catch (error) {
      for (const name of files) rmSync(join(out, name), { force: true })
      throw error
    }
    return { commit, tag, files }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function refuseVersion(version: string, current: string): void {
  if (!VERSION.test(version)) throw new Misuse(`'${version}' is no version. Write three numbers, such as 1.2.0.`)
  const [next, now] = [version, current].map((each) => each.split('.').map(Number)) as [number[], number[]]
  const place = next.findIndex((number, index) => number !== now[index])
  if (place < 0 || next[place]! < now[place]!) throw new Misuse(`${version} is not newer than ${current}, the version of this checkout.`)
}

function versionIn(checkout: string): string {
  const version = VERSION_LINE.exec(readFileSync(join(checkout, VERSION_FILE), 'utf8'))?.[1]
  if (version === undefined) throw new Error(`${VERSION_FILE} has no line with VERSION.`)
  return version
}

/** Clones into `checkout`, and makes the commit and the tag of the version there. */
function commitVersion({ root, version, date, steps }: ReleaseRequest, checkout: string): { section: string; commit: string } {
  const source = gitIn(root)
  const head = source('rev-parse', 'HEAD')
  source('clone', '--quiet', '--shared', '--no-checkout', root, checkout)
  const git = gitIn(checkout)
  for (const name of ['user.name', 'user.email']) git('config', name, identity(source, name))
  git('checkout', '--quiet', '--detach', head)
  // The packages that are installed here; a link is no folder, so .gitignore does not name it.
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
  writeFileSync(join(checkout, '.git/info/exclude'), 'node_modules\n')

  const current = versionIn(checkout)
  const { text, section } = releaseChangelog(readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8'), version, date)
  writeFileSync(join(checkout, 'CHANGELOG.md'), text)
  raise(join(checkout, VERSION_FILE), `export const VERSION = '${current}'`, `export const VERSION = '${version}'`)
  raise(join(checkout, 'package.json'), `\n  "version": "${current}"`, `\n  "version": "${version}"`)
  const named = (number: string) => (indent: string) => `"name": "voice-studio",\n${indent}"version": "${number}"`
  for (const indent of ['  ', '      ']) raise(join(checkout, 'package-lock.json'), named(current)(indent), named(version)(indent))
  steps.documents(checkout)
  git(
    'commit',
    '--quiet',
    '--all',
    '--message',
    `Release ${version}`,
    '--message',
    'The unreleased lines of the changelog are its section.',
  )
  git('tag', '--annotate', '--message', `Voice Studio ${version}`, `v${version}`)
  return { section, commit: git('rev-parse', 'HEAD') }
}

function identity(git: ReturnType<typeof gitIn>, name: string): string {
  try {
    return git('config', name)
  } catch {
    throw new Misuse(`git has no ${name} for the commit. Run: git config ${name} …`)
  }
}

/** Throws unless the file has `old` exactly once. */
function raise(file: string, old: string, instead: string): void {
  const [before, after, ...more] = readFileSync(file, 'utf8').split(old)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${file} does not contain ${JSON.stringify(old)} exactly once.`)
  writeFileSync(file, before + instead + after)
}

/** Brings tag and commit into the checkout, or neither: meanwhile someone may have committed, or changed a file of the commit. */
function bring(git: ReturnType<typeof gitIn>, checkout: string, tag: string): void {
  git('fetch', '--quiet', '--no-tags', checkout, `refs/tags/${tag}:refs/tags/${tag}`)
  try {
    git('merge', '--quiet', '--ff-only', tag)
  } catch (cause) {
    git('tag', '--delete', tag)
    throw new Error('The checkout was changed while the version was made, so it got none. Cut it again.', { cause })
  }
}

/** The names, with the list of their digests last: a folder with SHA256SUMS is complete. */
const filesOf = (made: string): string[] => [
  ...readdirSync(made)
    .filter((name) => name !== CHECKSUMS)
    .sort(),
  CHECKSUMS,
]

function place(made: string, names: readonly string[], out: string): void {
  mkdirSync(out, { recursive: true })
  for (const name of names) cpSync(join(made, name), join(out, name))
}
