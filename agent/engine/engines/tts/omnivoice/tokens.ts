// Text to ids by the tokenizer.json that came with the weights. Nothing is fetched: the file is read here and handed over as an object.

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

const wrong = (what: string, cause?: unknown) =>
  new Failure('MODEL_NOT_DOWNLOADED', `tokenizer.json ${what}; download the model again`, { cause })

export async function loadTokens(file: string): Promise<Encode> {
  const text = await readFile(file, 'utf8').catch((cause) => {
    throw wrong('cannot be read', cause)
  })
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch (cause) {
    throw wrong('is not JSON', cause)
  }
  const { PreTrainedTokenizer } = (await loadTransformers()) as unknown as Tokenizers
  let encode: Encode
  try {
    const tokenizer = new PreTrainedTokenizer(content as object, { tokenizer_class: 'Qwen2Tokenizer' })
    encode = (piece) => tokenizer.encode(piece, { add_special_tokens: false })
    encode('a')
  } catch (cause) {
    throw wrong('is not a tokenizer', cause)
  }
  const unknown = SPECIAL.filter((token) => encode(token).length !== 1)
  if (unknown.length > 0) throw wrong(`is of another model: it lacks ${unknown.join(' ')}`)
  return encode
}
