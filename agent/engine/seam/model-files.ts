// The files of a downloaded model, found by their names. A manifest keeps the folders of the repository; an engine cares for the name alone.

import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { CATALOGUE } from '#shared/models/catalogue.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { FilesOf } from '../../models/manifest.ts'
import type { Capability } from './engine.ts'

export type ModelFiles = ReadonlyMap<string, string>

export const findFile = (files: ModelFiles, name: string): string | null =>
  files.get(name) ?? [...files].find(([key]) => key.endsWith(`/${name}`))?.[1] ?? null

/** Every model that the catalogue has for an engine, the best first; '' is one only where the catalogue has it under that name. */
export const catalogueModels = (engine: string): string[] => CATALOGUE.filter((row) => row.engine === engine).map(({ model }) => model)

/** The files of `model`; those of the best that is here for ''. Null: not downloaded. */
export function findDownloaded(filesOf: FilesOf, engine: string, model = ''): ModelFiles | null {
  if (model !== '') return filesOf(engine, model)
  for (const name of ['', ...catalogueModels(engine)]) {
    const files = filesOf(engine, name)
    if (files) return files
  }
  return null
}

/** As `filesHere`, and MODEL_NOT_DOWNLOADED when nothing of the model is here. */
export function requireDownloaded(filesOf: FilesOf, engine: string, model = ''): ModelFiles {
  const files = findDownloaded(filesOf, engine, model)
  if (files) return files
  throw new Failure('MODEL_NOT_DOWNLOADED', `the model ${model === '' ? 'of' : `${model} of`} ${engine} is not downloaded on this machine`)
}

/** A row for the default of an engine, here or not, and one for every model that is here under a name of its own. */
export function describeEach(filesOf: FilesOf, engine: string, describe: (files: ModelFiles | null) => Capability): Capability[] {
  const named = catalogueModels(engine).flatMap((model) => {
    const files = model === '' ? null : filesOf(engine, model)
    return files ? [{ ...describe(files), model }] : []
  })
  return [describe(findDownloaded(filesOf, engine)), ...named.filter(({ downloaded }) => downloaded)]
}

/** MODEL_NOT_DOWNLOADED when this file of it is missing. */
export function requireFile(files: ModelFiles, engine: string, name: string): string {
  const path = findFile(files, name)
  if (!path) throw new Failure('MODEL_NOT_DOWNLOADED', `${name} of ${engine} is missing; download the model again`)
  return path
}

/** `id` -> path for files such as voice_styles/F1.json, by their ending; in order of their names. */
export const filesWithEnding = (files: ModelFiles, folder: string, ending: string): Map<string, string> =>
  new Map(
    [...files]
      .filter(([name]) => name.startsWith(`${folder}/`) && name.endsWith(ending))
      .map(([name, path]): [string, string] => [name.slice(folder.length + 1, -ending.length), path])
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  )

/** What a JSON file of a model says; MODEL_NOT_DOWNLOADED naming the file when it is broken or of another model. */
export async function readModelJson<S extends z.ZodType>(path: string, name: string, schema: S): Promise<z.output<S>> {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch (cause) {
    const first = cause instanceof z.ZodError ? cause.issues[0] : undefined
    const what = first ? `${first.path.join('.') || 'it'}: ${first.message}` : 'it cannot be read'
    throw new Failure('MODEL_NOT_DOWNLOADED', `${name} is not what it should be (${what}); download the model again`, { cause })
  }
}
