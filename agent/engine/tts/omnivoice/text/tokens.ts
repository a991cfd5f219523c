// Loads the tokenizer from the downloaded tokenizer.json. The file is parsed here and passed as an object, so that nothing is fetched.

import { readFile } from 'node:fs/promises'
import { loadTransformers } from '#agent/engine/runtimes/transformers/library.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { type Encode, SPECIAL } from './prompt.ts'

type Tokenizers = {
  readonly PreTrainedTokenizer: new (
    tokenizer: object,
    config: object,
  ) => { readonly encode: (text: string, options: { add_special_tokens: boolean }) => number[] }
}

const invalidTokenizer = (what: string, cause?: unknown) =>
  new Failure('MODEL_NOT_DOWNLOADED', `The file tokenizer.json ${what}. Download the model again.`, { cause })

export async function loadTokens(file: string): Promise<Encode> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw invalidTokenizer('cannot be read', cause)
  })
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw invalidTokenizer('is not JSON', cause)
  }
  const { PreTrainedTokenizer } = (await loadTransformers()) as unknown as Tokenizers
  let encode: Encode
  try {
    const tokenizer = new PreTrainedTokenizer(content as object, { tokenizer_class: 'Qwen2Tokenizer' })
    encode = (piece) => tokenizer.encode(piece, { add_special_tokens: false })
    encode('a')
  } catch (cause) {
    throw invalidTokenizer('is not a tokenizer', cause)
  }
  const unknown = SPECIAL.filter((token) => encode(token).length !== 1)
  if (unknown.length > 0) throw invalidTokenizer(`belongs to another model: it lacks ${unknown.join(' ')}`)
  return encode
}
