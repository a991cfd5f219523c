// The sources of an earlier release, from the history of this checkout, as a checkout that can run. Only for runs with --long.
import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { VERSION } from '#shared/protocol/version.ts'
import { REPOSITORY } from './cli.ts'

const run = promisify(execFile)
const FILE = 'shared/protocol/version.ts'
/** The first version with a number that means something (CHANGELOG.md). */
const FIRST_MINOR = 6
/** Versions apart that must work together. */
const MINORS_APART = 2

type OldRelease = { readonly version: string; readonly commit: string }
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: REPOSITORY, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })

/** The oldest release with which this version must work; null where the history does not have it. */
export function oldestWorkingRelease(): OldRelease | null {
  try {
    const commits = git('log', '--format=%H', '-G^export const VERSION = ', '--', FILE).split('\n').filter(Boolean)
    return commits.map(releaseAt).filter(isNear).at(-1) ?? null
  } catch {
    return null // no git, or no repository
  }
}

const releaseAt = (commit: string): OldRelease => ({
  commit,
  version: /^export const VERSION = '([\d.]+)'/m.exec(git('show', `${commit}:${FILE}`))?.[1] ?? '0.0.0',
})

function isNear({ version }: OldRelease): boolean {
  const [[major = 0, minor = 0], [ownMajor, ownMinor = 0]] = [version, VERSION].map((each) => each.split('.').map(Number)) as [
    number[],
    number[],
  ]
  return major === ownMajor && minor >= Math.max(FIRST_MINOR, ownMinor - MINORS_APART)
}

/**
 * Writes the sources into the folder, with the packages of this checkout; those that only the release has are fetched with npm, by the digests of its
 * lock file. Resolves with the reason where that fails, for `skip`; with null when it can run.
 */
export async function unpackRelease({ commit }: OldRelease, folder: string): Promise<string | null> {
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { cwd: REPOSITORY, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['--extract', '--directory', folder], { input: archive })
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const name of readdirSync(join(REPOSITORY, 'node_modules'))) symlinkSync(join(REPOSITORY, 'node_modules', name), join(modules, name))
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages
  for (const name of Object.keys(lock[''].dependencies)) {
    if (existsSync(join(modules, name))) continue
    const { version, integrity } = lock[`node_modules/${name}`] as { readonly version: string; readonly integrity: string }
    const reason = await fetchPackage(name, version, integrity, join(modules, name))
    if (reason !== null) return reason
  }
  return null
}

async function fetchPackage(name: string, version: string, integrity: string, to: string): Promise<string | null> {
  const label = `${name}@${version}`
  mkdirSync(to, { recursive: true })
  try {
    await run('npm', ['pack', label, '--silent', '--ignore-scripts'], { cwd: to })
  } catch {
    return `${label} was not fetched from the registry`
  }
  const [file = ''] = readdirSync(to)
  const digest = createHash('sha512')
    .update(readFileSync(join(to, file)))
    .digest('base64')
  if (`sha512-${digest}` !== integrity)
    throw new Error(`${label} has the digest ${digest}, and the lock file of the release has ${integrity}.`)
  await run('tar', ['-xzf', file, '--strip-components=1'], { cwd: to })
  return null
}
