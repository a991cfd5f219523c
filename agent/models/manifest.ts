// The manifest of a downloaded model: what lies beside it and how it was proven. It is written last, so a model is here when its manifest is.
// Engine hosts read it too: an engine learns the paths of its files from here and from nowhere else.
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { folderOf, isPlainPath } from '#shared/models/model.ts'

export const MANIFEST = 'manifest.json'
const MANIFEST_LIMIT_BYTES = 4 * 1024 * 1024
const Hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`))

const ManifestFile = z.strictObject({
  /** Within the model's folder. */
  path: z.string().refine(isPlainPath),
  repo: z.string().max(200),
  revision: Hex(40),
  size: z.number().int().min(0),
  sha256: Hex(64),
})
export type ManifestFile = z.output<typeof ManifestFile>
export const Manifest = z.strictObject({
  version: z.literal(1),
  id: z.string().max(200),
  engine: z.string().max(64),
  model: z.string().max(128),
  /** The master of this machine that asked for it. */
  by: z.string().max(200),
  /** Over the digests of the files, in the order of their names. */
  digest: Hex(64),
  files: z.array(ManifestFile).max(2000),
})
export type Manifest = z.output<typeof Manifest>

/** Null when there is none or it is not one of ours. */
export function readManifest(folder: string): Manifest | null {
  const path = join(folder, MANIFEST)
  try {
    const found = lstatSync(path)
    if (!found.isFile() || found.size > MANIFEST_LIMIT_BYTES) return null
    return Manifest.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

/** Name of a file -> where it lies. */
export type ModelFiles = ReadonlyMap<string, string>
/** Null: not downloaded. */
export type FilesOf = (engine: string, model: string) => ModelFiles | null
export const noFiles: FilesOf = () => null

const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** `folder`: of all models of this machine. A model counts only with all its files, each of its size: half a file must not reach an engine. */
export const filesIn =
  (folder: string): FilesOf =>
  (engine, model) => {
    if (!PLAIN_NAME.test(engine) || (model !== '' && !PLAIN_NAME.test(model))) return null
    const place = join(folder, folderOf({ engine, model }))
    const manifest = readManifest(place)
    if (manifest?.engine !== engine || manifest.model !== model) return null
    return isWhole(place, manifest) ? new Map(manifest.files.map(({ path }) => [path, join(place, path)])) : null
  }

export const isWhole = (place: string, { files }: Manifest): boolean =>
  files.every(({ path, size }) => {
    const found = lstatSync(join(place, path), { throwIfNoEntry: false })
    return found?.isFile() === true && found.size === size
  })
