// Makes the folder of a model from the files of an addition: recognises them, moves each to the path that its engine expects, and computes the
// digests. Nothing is visible to an engine before the store has moved the folder to its place.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { npzTables } from '#agent/engine/tts/kittentts/npz.ts'
import type { PreparedModel } from '#agent/models/own/own-models.ts'
import { ownId } from '#shared/models/own.ts'
import { syncPath } from '#shared/runtime/file.ts'
import type { Plan } from './layout.ts'
import { readOffered } from './offered.ts'
import { recogniseModel, type Wanted } from './recognise.ts'

/** Folder of the model, within the folder of the addition. */
const MODEL = 'model'

/** Throws what `recogniseModel` throws, NOT_FOUND for a folder that is gone, and disk errors. */
export async function prepareAddition(folder: string, wanted: Wanted, signal: AbortSignal): Promise<PreparedModel> {
  const found = await recogniseModel(await readOffered(folder, signal), wanted, signal)
  const place = join(folder, MODEL)
  await mkdir(place, { mode: 0o700 })
  const paths = [...(await arrange(place, found)), ...(await unpackVoices(place, found, signal))]
  const files: { path: string; size: number; sha256: string }[] = []
  for (const path of paths) {
    files.push({ path, ...(await digestOf(join(place, path), signal)) })
    await syncPath(join(place, path))
  }
  const { engine, role, kind, name, model } = found
  return { id: ownId(name), engine, model, role, label: `${kind}: ${name}`, place, files }
}

async function arrange(place: string, { files }: Plan): Promise<string[]> {
  for (const planned of files) {
    const path = join(place, planned.to)
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    if ('text' in planned) await writeFile(path, planned.text, { mode: 0o600 })
    else await rename(planned.from.path, path)
  }
  return files.map(({ to }) => to)
}

/** One file for each voice, as the engine reads them: little-endian floats. */
async function unpackVoices(place: string, { voices }: Plan, signal: AbortSignal): Promise<string[]> {
  if (!voices) return []
  const paths: string[] = []
  await mkdir(join(place, 'voices'), { recursive: true, mode: 0o700 })
  for await (const { name, values } of npzTables(await readFile(voices.archive.path, { signal }))) {
    signal.throwIfAborted()
    if (!voices.wanted.test(name)) continue
    const bytes = Buffer.alloc(values.length * 4)
    for (let at = 0; at < values.length; at++) bytes.writeFloatLE(values[at]!, at * 4)
    await writeFile(join(place, 'voices', `${name}.bin`), bytes, { mode: 0o600 })
    paths.push(`voices/${name}.bin`)
  }
  return paths
}

async function digestOf(path: string, signal: AbortSignal): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const block of createReadStream(path, { highWaterMark: 1024 ** 2, signal })) {
    hash.update(block as Buffer)
    size += (block as Buffer).length
  }
  return { size, sha256: hash.digest('hex') }
}
