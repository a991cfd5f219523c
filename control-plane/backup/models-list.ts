// Names and digests of the installed models. A backup has no models: they are large, and can be installed again.
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { BackupManifest } from './manifest.ts'

/** The part of the manifest of a model that counts here. */
const InstalledModel = z.object({ id: z.string().max(200), digest: z.string().regex(/^[0-9a-f]{64}$/) })
const MANIFEST_BYTES = 4 * 1024 * 1024
const MOST = 10_000

/** Empty for a folder that cannot be read. */
export function modelsIn(folder: string): BackupManifest['models'] {
  return foldersIn(folder, 2).flatMap((path) => {
    try {
      const manifest = join(path, 'manifest.json')
      if (lstatSync(manifest).size > MANIFEST_BYTES) return []
      const { id, digest } = InstalledModel.parse(JSON.parse(readFileSync(manifest, 'utf8')))
      return [{ name: id, digest }]
    } catch {
      return []
    }
  })
}

function foldersIn(folder: string, levels: number): string[] {
  if (levels === 0) return []
  try {
    const below = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .slice(0, MOST)
      .map(({ name }) => join(folder, name))
    return [...below, ...below.flatMap((path) => foldersIn(path, levels - 1))].slice(0, MOST)
  } catch {
    return []
  }
}
