// Reads a model file of limited size into memory: a tokenizer, a table, a voice.

import { readFile, stat } from 'node:fs/promises'
import { Failure } from '#shared/protocol/failure.ts'

const DEFAULT_MAX_BYTES = 32 * 1024 ** 2

/** `most` in bytes. Throws MODEL_NOT_DOWNLOADED that names the file. */
export async function readSmallFile(path: string, name: string, maxBytes = DEFAULT_MAX_BYTES): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size <= maxBytes) return await readFile(path)
  } catch (cause) {
    throw new Failure('MODEL_NOT_DOWNLOADED', `The file ${name} cannot be read. Download the model again.`, { cause })
  }
  throw new Failure('MODEL_NOT_DOWNLOADED', `The file ${name} is larger than ${maxBytes} bytes. Download the model again.`)
}
