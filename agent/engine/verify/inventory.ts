// Inventory of an installation: files with their digests, and versions of the programs that compute with them.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { ModelFiles } from '#agent/engine/seam/model-files.ts'
import { readModelManifest } from '#agent/models/manifest.ts'
import type { VerifiedFile } from '#shared/operations/verify.ts'
import { VERSION } from '#shared/protocol/version.ts'

const Package = z.object({ version: z.string().max(64) })

/** Digests of the bytes on the disk, in the order of the names. Throws what reading throws, and on abort. */
export async function inventoryOf(files: ModelFiles, signal: AbortSignal): Promise<VerifiedFile[]> {
  const found: VerifiedFile[] = []
  for (const [name, path] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const sha256 = await digestOf(path, signal)
    const recorded = recordedDigest(name, path)
    found.push({ name, size: (await stat(path)).size, sha256, isIntact: recorded === null || recorded === sha256 })
  }
  return found
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const block of createReadStream(path, { highWaterMark: 1024 * 1024, signal })) hash.update(block as Buffer)
  return hash.digest('hex')
}

/** From the manifest of the installation; null for a file of a package. */
function recordedDigest(name: string, path: string): string | null {
  if (!path.endsWith(name)) return null
  const manifest = readModelManifest(path.slice(0, -name.length))
  return manifest?.files.find((file) => file.path === name)?.sha256 ?? null
}

/** Names and versions of the agent, Node and the packages; those that are not installed are left out. */
export const versionsOf = (packages: readonly string[]): { name: string; version: string }[] => [
  { name: 'agent', version: VERSION },
  { name: 'node', version: process.versions.node },
  ...packages.flatMap((name) => {
    const version = packageVersion(name)
    return version === null ? [] : [{ name, version }]
  }),
]

export const platformName = (): string => `${platform()} ${arch()}`

/** The nearest package.json above the entry of a package is its own. */
function packageVersion(name: string): string | null {
  try {
    let folder = dirname(fileURLToPath(import.meta.resolve(name)))
    while (!existsSync(join(folder, 'package.json')) && folder !== dirname(folder)) folder = dirname(folder)
    return Package.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).version
  } catch {
    return null // not installed on this platform
  }
}
