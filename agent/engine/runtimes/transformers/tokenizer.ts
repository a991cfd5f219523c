// Loads the tokenizer of a downloaded model by itself, without its graphs.
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { Failure } from '#shared/protocol/failure.ts'
import { loadTransformers } from './library.ts'

type Tokenizers = {
  readonly PreTrainedTokenizer: new (
    tokenizer: object,
    config: object,
  ) => { readonly encode: (text: string, options: { add_special_tokens: boolean }) => number[] }
}

const Content = z.looseObject({ model: z.looseObject({}) })

/** Converts text to ids, without the tokens that the model expects around a text. `kind`: its class in the library. Throws MODEL_NOT_DOWNLOADED. */
export async function loadTokenizer(file: string, kind: string): Promise<(text: string) => number[]> {
  const { PreTrainedTokenizer } = (await loadTransformers()) as unknown as Tokenizers
  try {
    const tokenizer = new PreTrainedTokenizer(Content.parse(JSON.parse(await readFile(file, 'utf8'))), { tokenizer_class: kind })
    return (text) => tokenizer.encode(text, { add_special_tokens: false })
  } catch (cause) {
    throw new Failure('MODEL_NOT_DOWNLOADED', `The file ${basename(file)} is not a tokenizer. Download the model again.`, { cause })
  }
}
