// A file of a model that is read as a whole: a tokenizer, a table, a voice. What is too large for that is not what it should be.

import { readFile, stat } from 'node:fs/promises'
import { Failure } from '#shared/protocol/failure.ts'

const MOST_BYTES = 32 * 1024 ** 2

/** MODEL_NOT_DOWNLOADED naming the file. */
export async function readSmallFile(path: string, name: string, most = MOST_BYTES): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size <= most) return await readFile(path)
  } catch (cause) {
    throw new Failure('MODEL_NOT_DOWNLOADED', `${name} cannot be read; download the model again`, { cause })
  }
  throw new Failure('MODEL_NOT_DOWNLOADED', `${name} is larger than such a file can be; download the model again`)
}
