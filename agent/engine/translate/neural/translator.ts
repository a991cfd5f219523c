// Translates texts with a sequence-to-sequence network: cuts them into sentences that fit the network, frames their tokens as in training,
// and limits what the network may answer. The tokens are framed here because the pipeline of the library cuts off long input silently and
// splits the token of a target language into pieces.

import { toTokenPieces } from '#agent/engine/text/token-pieces.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { joinPieces } from '#shared/text/join-pieces.ts'
import { toSentences } from '#shared/text/sentences.ts'
import type { Framing } from './families.ts'

/** Tokens of one input. The smaller networks were trained with 512 positions. */
export const MAX_TOKENS = 400
const MAX_NEW_TOKENS = 500
/** A translation of more tokens than this is a network that does not find the end. */
const newTokensFor = (tokens: number): number => Math.min(MAX_NEW_TOKENS, 3 * tokens + 24)
/** Tokens in a row that the answer may contain once only, unless the input repeats as many itself. */
const REPEATED_TOKENS = 6

type PipelineTokenizer = {
  readonly tokenize: (text: string) => string[]
  readonly decode: (ids: readonly number[], options: { readonly skip_special_tokens: boolean }) => string
  readonly convert_tokens_to_ids: (token: string) => number | undefined
  readonly eos_token_id?: number
  readonly unk_token?: string | null
}
export type TranslationPipeline = {
  readonly tokenizer: PipelineTokenizer
  readonly model: { readonly generate: (options: Record<string, unknown>) => Promise<{ readonly data: ArrayLike<bigint> }> }
}
type Deps = {
  readonly pipeline: TranslationPipeline
  readonly toTensor: (values: BigInt64Array, dims: readonly number[]) => unknown
  readonly framing: Framing
  /** The language of the texts. */
  readonly source: string
  /** Interrupts the network on abort. */
  readonly stopping: unknown
  readonly signal: AbortSignal
}
export type Translator = {
  /** A text without letters is returned as it is. */
  readonly translate: (text: string) => Promise<string>
  /** Pieces whose translation the network did not finish. */
  readonly unfinished: () => number
}

/** Throws MODEL_NOT_DOWNLOADED when the tokenizer lacks a token of the framing. */
export function createTranslator({ pipeline: { tokenizer, model }, toTensor, framing, source, stopping, signal }: Deps): Translator {
  const first = idOf(tokenizer, framing.first)
  const start = idOf(tokenizer, framing.start)
  const end = tokenizer.eos_token_id
  let unfinished = 0
  // Converted files of the smaller networks name another token for unknown characters than the one the networks were trained with.
  const unknown = idOf(tokenizer, tokenizer.unk_token ?? null)
  const encode = (text: string): number[] =>
    tokenizer.tokenize(text).flatMap((token) => tokenizer.convert_tokens_to_ids(token) ?? unknown ?? [])
  const count = (text: string): number => encode(text).length

  async function answerTo(ids: readonly number[]): Promise<{ text: string; isFinished: boolean }> {
    const framed = [...(first === null ? [] : [first]), ...ids, ...(end === undefined ? [] : [end])]
    const most = newTokensFor(ids.length)
    const sequence = await model.generate({
      input_ids: toTensor(BigInt64Array.from(framed, BigInt), [1, framed.length]),
      attention_mask: toTensor(new BigInt64Array(framed.length).fill(1n), [1, framed.length]),
      max_new_tokens: most,
      no_repeat_ngram_size: repeats(ids, REPEATED_TOKENS) ? 0 : REPEATED_TOKENS,
      stopping_criteria: stopping,
      ...(start !== null && { forced_bos_token_id: start }),
    })
    signal.throwIfAborted()
    const answer = Array.from(sequence.data, Number)
    // The first token is the start of every answer. The last one is forced to be the end where the limit was reached.
    return { text: tokenizer.decode(answer, { skip_special_tokens: true }).trim(), isFinished: answer.length - 1 < most }
  }

  async function translatePiece(piece: string): Promise<string> {
    signal.throwIfAborted()
    const ids = encode(piece)
    const { text, isFinished } = await answerTo(ids)
    if (isFinished) return text
    // A network that loses itself in a long sentence often finishes its halves.
    const halves = toTokenPieces(piece, Math.ceil(ids.length / 2), count, source)
    if (halves.length === 1) {
      unfinished++
      return text
    }
    const answers: string[] = []
    for (const half of halves) {
      const answer = await answerTo(encode(half))
      if (!answer.isFinished) unfinished++
      answers.push(answer.text)
    }
    return joinPieces(answers)
  }

  return {
    async translate(text) {
      if (!/\p{L}/u.test(text)) return text
      const answers: string[] = []
      // The networks were trained on single sentences.
      for (const sentence of toSentences(text, source))
        for (const piece of toTokenPieces(sentence, MAX_TOKENS, count, source)) answers.push(await translatePiece(piece))
      return joinPieces(answers)
    },
    unfinished: () => unfinished,
  }
}

function idOf(tokenizer: PipelineTokenizer, token: string | null): number | null {
  if (token === null) return null
  const id = tokenizer.convert_tokens_to_ids(token)
  if (id !== undefined) return id
  throw new Failure('MODEL_NOT_DOWNLOADED', `The tokenizer of the model lacks the token ${token}. Download the model again.`)
}

/** True if some `length` ids in a row occur twice. */
export function repeats(ids: readonly number[], length: number): boolean {
  const seen = new Set<string>()
  for (let at = 0; at + length <= ids.length; at++) {
    const run = ids.slice(at, at + length).join(' ')
    if (seen.has(run)) return true
    seen.add(run)
  }
  return false
}
