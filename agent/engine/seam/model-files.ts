// Finds the files of a downloaded model by name. Manifests keep the folders of the repository, which an engine does not need.

import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { type FilesOf, ownNamesOf } from '#agent/models/manifest.ts'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Capability } from './engine.ts'

export type ModelFiles = ReadonlyMap<string, string>

export const findFile = (files: ModelFiles, name: string): string | null =>
  files.get(name) ?? [...files].find(([key]) => key.endsWith(`/${name}`))?.[1] ?? null

/** Names of the models in the catalogue for an engine, best first; '' only where the catalogue has a model of that name. */
export const catalogueModels = (engine: string): string[] => CATALOGUE.filter((row) => row.engine === engine).map(({ model }) => model)

/**
 * Names of the models that may be here, best first: those that the owner of the machine added, because a person chose them, then the catalogue, then
 * those that studios sent.
 */
export function modelsToFind(filesOf: FilesOf, engine: string): string[] {
  const { chosen, sent } = ownNamesOf(filesOf, engine)
  return [...chosen, ...catalogueModels(engine), ...sent]
}

/** The files of `model`, or for '' those of the best downloaded model, never of one that a studio sent. Null: not downloaded. */
export function findDownloaded(filesOf: FilesOf, engine: string, model = ''): ModelFiles | null {
  if (model !== '') return filesOf(engine, model)
  for (const name of [...ownNamesOf(filesOf, engine).chosen, '', ...catalogueModels(engine)]) {
    const files = filesOf(engine, name)
    if (files) return files
  }
  return null
}

/** Same as `findDownloaded`. Throws MODEL_NOT_DOWNLOADED. */
export function requireDownloaded(filesOf: FilesOf, engine: string, model = ''): ModelFiles {
  const files = findDownloaded(filesOf, engine, model)
  if (files) return files
  throw new Failure('MODEL_NOT_DOWNLOADED', `The model ${model === '' ? 'of' : `${model} of`} ${engine} is not downloaded on this machine.`)
}

/** The capability of the default model, downloaded or not, and one for each downloaded model with a name. */
export function describeEach(filesOf: FilesOf, engine: string, describe: (files: ModelFiles | null) => Capability): Capability[] {
  const named = modelsToFind(filesOf, engine).flatMap((model) => {
    const files = model === '' ? null : filesOf(engine, model)
    return files ? [{ ...describe(files), model }] : []
  })
  return [describe(findDownloaded(filesOf, engine)), ...named.filter(({ downloaded }) => downloaded)]
}

/** The path of a file of the model. Throws MODEL_NOT_DOWNLOADED. */
export function requireFile(files: ModelFiles, engine: string, name: string): string {
  const path = findFile(files, name)
  if (!path) throw new Failure('MODEL_NOT_DOWNLOADED', `The file ${name} of ${engine} is missing. Download the model again.`)
  return path
}

/** File name without folder and ending -> path, such as F1 for voice_styles/F1.json; sorted by name. */
export const filesWithEnding = (files: ModelFiles, folder: string, ending: string): Map<string, string> =>
  new Map(
    [...files]
      .filter(([name]) => name.startsWith(`${folder}/`) && name.endsWith(ending))
      .map(([name, path]): [string, string] => [name.slice(folder.length + 1, -ending.length), path])
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  )

/** Parses a JSON file of a model. Throws MODEL_NOT_DOWNLOADED that names the file. `most`: bytes of the largest file that is read. */
export async function readModelJson<S extends z.ZodType>(
  path: string,
  name: string,
  schema: S,
  most = Number.POSITIVE_INFINITY,
): Promise<z.output<S>> {
  try {
    if ((await stat(path)).size > most) throw new RangeError(`it has more than ${most} bytes`)
    return schema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    const first = cause instanceof z.ZodError ? cause.issues[0] : undefined
    const what = first ? `${first.path.join('.') || 'it'}: ${first.message}` : 'it cannot be read'
    throw new Failure('MODEL_NOT_DOWNLOADED', `The file ${name} is not valid (${what}). Download the model again.`, { cause })
  }
}
