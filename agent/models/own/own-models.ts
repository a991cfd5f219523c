// The models that the owner of this machine added from files: which are here, and how one gets its place. A model exists once its folder, with the
// manifest, has been renamed to its place, so a killed process leaves no half of one.
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { digestOf } from '#shared/download/digest.ts'
import { folderOf } from '#shared/models/model.ts'
import { isOwnModel, MAX_OWN_MODELS, type OwnModel } from '#shared/models/own.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { privateFolder, writeAtomic } from '#shared/runtime/file.ts'
import { OWN_STUDIO } from '../lent-space.ts'
import { MANIFEST, type ModelManifest, readModelManifest } from '../manifest.ts'

/** Its files are in `place`, under their final paths. */
export type PreparedModel = OwnModel & {
  readonly place: string
  readonly files: readonly { readonly path: string; readonly size: number; readonly sha256: string }[]
}
/** Placeholder for the revision that files of the hub have; these come from none. */
const NO_REVISION = '0'.repeat(40)

const foldersIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return [] // removed, or no folder
  }
}

/** `folder`: of all models. `by`: the tenant that added it. In the order of their engines and names. */
export function ownModelsIn(folder: string): (OwnModel & { readonly by: string })[] {
  const engines = foldersIn(folder).filter((name) => !name.startsWith('.'))
  return engines.sort().flatMap((engine) =>
    foldersIn(join(folder, engine))
      .filter(isOwnModel)
      .sort()
      .flatMap((model) => {
        const manifest = readModelManifest(join(folder, folderOf({ engine, model })))
        if (!manifest?.own || manifest.engine !== engine || manifest.model !== model) return []
        const { label, role } = manifest.own
        return [{ id: manifest.id, label, role, engine, model, by: manifest.by }]
      }),
  )
}

/** Gives a prepared model its place. Throws CONFLICT for a name that is taken, STORAGE_FULL, and disk errors. */
export function adopt(folder: string, { place, files, ...own }: PreparedModel, by: string): void {
  const { id, engine, model, label, role } = own
  const here = ownModelsIn(folder)
  // Also where file systems do not distinguish case.
  if (here.some((other) => other.model.toLowerCase() === model.toLowerCase()))
    throw new Failure('CONFLICT', `There is already a model ${id}. Choose another name, or remove that model first.`)
  const { machine, studio } = MAX_OWN_MODELS
  if (here.length >= machine)
    throw new Failure('CONFLICT', `This machine takes ${machine} models that were added from files. Remove one of them first.`)
  if (by !== OWN_STUDIO && here.filter((other) => other.by === by).length >= studio)
    throw new Failure(
      'CONFLICT',
      `This machine takes ${studio} models that were added from files of each studio. Remove one of them first.`,
    )
  const listed = files.map((file) => ({ ...file, repo: '', revision: NO_REVISION }))
  const manifest: ModelManifest = { version: 1, id, engine, model, by, digest: digestOf(listed), files: listed, own: { label, role } }
  writeAtomic(join(place, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
  const target = join(folder, folderOf({ engine, model }))
  privateFolder(dirname(target))
  // What is there is no model, such as one whose manifest was damaged.
  rmSync(target, { recursive: true, force: true })
  renameSync(place, target)
}
