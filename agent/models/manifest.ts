// The manifest of an installed model: its files and their digests. It is written last, so a model is installed when its manifest exists.
// Engine hosts read it too; it is their only source for the paths of model files.
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { folderOf, isPlainPath } from '#shared/models/model.ts'
import { isOwnModel } from '#shared/models/own.ts'
import { OWN_STUDIO } from './lent-space.ts'

export const MANIFEST = 'manifest.json'
const MANIFEST_LIMIT_BYTES = 4 * 1024 * 1024
const Hex = (digits: number) =>
  z
    .string()
    .length(digits)
    .regex(/^[0-9a-f]*$/)

const ManifestFile = z.strictObject({
  /** Relative to the model's folder. */
  path: z.string().refine(isPlainPath),
  /** '' of a file that the owner of the machine added; its revision is then zero. */
  repo: z.string().max(200),
  revision: Hex(40),
  size: z.number().int().min(0),
  sha256: Hex(64),
})
export type ManifestFile = z.output<typeof ManifestFile>
export const ModelManifest = z.strictObject({
  version: z.literal(1),
  id: z.string().max(200),
  engine: z.string().max(64),
  model: z.string().max(128),
  /** Name of the tenant that installed it. */
  by: z.string().max(200),
  /** Over the digests of the files, in the order of their names. */
  digest: Hex(64),
  files: z.array(ManifestFile).max(2000),
  /** Facts about a model that the owner of the machine added from files, which the catalogue has for others. */
  own: z.strictObject({ label: z.string().max(200), role: z.enum(['TTS', 'ASR']) }).optional(),
})
export type ModelManifest = z.output<typeof ModelManifest>

/** Null when there is no valid manifest. */
export function readModelManifest(folder: string): ModelManifest | null {
  const path = join(folder, MANIFEST)
  try {
    const found = lstatSync(path)
    if (!found.isFile() || found.size > MANIFEST_LIMIT_BYTES) return null
    return ModelManifest.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null
  }
}

export type FilesOf = {
  /** File name -> absolute path, or null when the model is not installed. */
  (engine: string, model: string): ReadonlyMap<string, string> | null
  /** The models that were added from files for the engine. Absent: none. */
  readonly own?: (engine: string) => OwnNames
}
/** Names of models, each list in their order. */
export type OwnNames = {
  /** Models of the owner of the machine: an engine may choose them for a request that names no model. */
  readonly chosen: readonly string[]
  /** Models of studios that sent their files: used only for a request that names them. */
  readonly sent: readonly string[]
}
const NO_NAMES: OwnNames = { chosen: [], sent: [] }
export const ownNamesOf = (filesOf: FilesOf, engine: string): OwnNames => filesOf.own?.(engine) ?? NO_NAMES

export const noFiles: FilesOf = () => null

const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

/** `folder` of all models. A model counts only with all its files at full size: an engine must not read a partial file. */
export function filesIn(folder: string): FilesOf {
  const filesOf = (engine: string, model: string) => {
    if (!PLAIN_NAME.test(engine) || (model !== '' && !PLAIN_NAME.test(model))) return null
    const modelFolder = join(folder, folderOf({ engine, model }))
    const manifest = readModelManifest(modelFolder)
    if (manifest?.engine !== engine || manifest.model !== model) return null
    return isComplete(modelFolder, manifest) ? new Map(manifest.files.map(({ path }) => [path, join(modelFolder, path)])) : null
  }
  return Object.assign(filesOf, { own: (engine: string) => (PLAIN_NAME.test(engine) ? ownNames(join(folder, engine)) : NO_NAMES) })
}

function ownNames(folder: string): OwnNames {
  try {
    const names = readdirSync(folder).filter(isOwnModel).sort()
    const owners = new Map(names.map((name) => [name, readModelManifest(join(folder, name))?.by]))
    return {
      chosen: names.filter((name) => owners.get(name) === OWN_STUDIO),
      sent: names.filter((name) => ![OWN_STUDIO, undefined].includes(owners.get(name))),
    }
  } catch {
    return NO_NAMES // the engine has no model
  }
}

export const isComplete = (folder: string, { files }: ModelManifest): boolean =>
  files.every(({ path, size }) => {
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false })
    return found?.isFile() === true && found.size === size
  })
