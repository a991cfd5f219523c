// A Whisper network of the transformers library, one token at a time. The library computes features, network steps and text; which token
// follows, where windows start and when a run ends is decided by the caller. Its own loop over a recording (4.3.1) ignores stopping criteria,
// accepts descending timestamps and can stay at one place for ever, so it is not used: `generate` enters it only when timestamps are requested.

import { z } from 'zod'
import type { ModelFiles } from '#agent/engine/seam/model-files.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { openPipeline } from './library.ts'

export const WHISPER_RATE = 16_000
export const WHISPER_WINDOW_SECONDS = 30

const Id = z.int().min(0)
const GenerationConfig = z.object({
  is_multilingual: z.boolean().default(false),
  lang_to_id: z.record(z.string().max(32), Id).default({}),
  task_to_id: z.record(z.string().max(32), Id).default({}),
  decoder_start_token_id: Id,
  eos_token_id: z.union([Id, z.array(Id).min(1)]),
  no_timestamps_token_id: Id,
})
const NetworkConfig = z.object({ max_target_positions: z.int().min(16).max(4_096).default(448) })

type Tensor = { readonly data: Float32Array }
type LogitsProcessor = (inputIds: readonly (readonly bigint[])[], logits: Tensor) => Tensor
type Pipe = {
  readonly model: {
    readonly config: unknown
    readonly generation_config: unknown
    /** The names of arguments that reach the network. */
    forward_params: string[]
    readonly _prepare_encoder_decoder_kwargs_for_generation: (request: object) => Promise<{ readonly encoder_outputs: unknown }>
    readonly generate: (options: Record<string, unknown>) => Promise<unknown>
  }
  readonly processor: (samples: Float32Array) => Promise<{ readonly input_features: unknown }>
  readonly tokenizer: { readonly decode: (tokens: readonly number[], options: object) => string }
  readonly dispose: () => Promise<unknown>
}

/** A window after the encoder. */
export type EncodedWindow = { readonly input_features: unknown; readonly encoder_outputs: unknown }
/** Returns the token that follows `tokens`, the output so far without its prefix. May edit the logits. */
export type PickToken = (logits: Float32Array, tokens: readonly number[]) => number
export type GenerateRequest = {
  readonly prefix: readonly number[]
  readonly maxTokens: number
  /** Whether the tokens that the model's settings forbid are forbidden before `pick`. */
  readonly isFiltered: boolean
  readonly pick: PickToken
  readonly signal: AbortSignal
}
export type WhisperNetwork = {
  readonly isMultilingual: boolean
  /** Ids of languages by code, such as `en`. */
  readonly languages: ReadonlyMap<string, number>
  readonly tasks: ReadonlyMap<string, number>
  readonly startOfTranscript: number
  readonly endOfText: number
  /** The token of windows without speech. */
  readonly noSpeech: number
  readonly timestampBegin: number
  /** Tokens of a prefix and its output together. */
  readonly maxLength: number
  /** `samples`: at most WHISPER_WINDOW_SECONDS at WHISPER_RATE. */
  readonly encode: (samples: Float32Array) => Promise<EncodedWindow>
  /** The output without its prefix and its end. Throws the reason of the signal before the next token. */
  readonly generate: (window: EncodedWindow, request: GenerateRequest) => Promise<number[]>
  /** With its leading blank. */
  readonly textOf: (tokens: readonly number[]) => string
  readonly close: () => Promise<void>
}

/** Throws MODEL_NOT_DOWNLOADED, MODEL_NOT_INSTALLED, INSUFFICIENT_MEMORY. */
export async function openWhisper(files: ModelFiles): Promise<WhisperNetwork> {
  const { pipeline: pipe } = await openPipeline<Pipe>('automatic-speech-recognition', files)
  const { model, processor, tokenizer } = pipe
  const generation = GenerationConfig.safeParse(model.generation_config)
  const network = NetworkConfig.safeParse(model.config)
  if (!generation.success || !network.success) {
    await pipe.dispose()
    throw new Failure('MODEL_NOT_DOWNLOADED', 'The settings of the model are incomplete. Download it again.')
  }
  const { eos_token_id: ends, no_timestamps_token_id: noTimestamps, lang_to_id: languages, ...config } = generation.data
  const endOfText = Array.isArray(ends) ? ends[0]! : ends
  // Lets several decodings of a window share one run of the encoder.
  model.forward_params = [...model.forward_params, 'encoder_outputs']

  return {
    isMultilingual: config.is_multilingual,
    languages: new Map(Object.entries(languages).map(([token, id]) => [token.slice(2, -2), id])),
    tasks: new Map(Object.entries(config.task_to_id)),
    startOfTranscript: config.decoder_start_token_id,
    endOfText,
    // Every vocabulary of Whisper has these two and the timestamps in a row.
    noSpeech: noTimestamps - 1,
    timestampBegin: noTimestamps + 1,
    maxLength: network.data.max_target_positions,
    async encode(samples) {
      const { input_features } = await processor(samples)
      const request = { model_inputs: { input_features }, generation_config: { guidance_scale: null } }
      const { encoder_outputs } = await model._prepare_encoder_decoder_kwargs_for_generation(request)
      return { input_features, encoder_outputs }
    },
    async generate({ input_features, encoder_outputs }, { prefix, maxTokens, isFiltered, pick, signal }) {
      const tokens: number[] = []
      const choose: LogitsProcessor = (_inputIds, logits) => {
        signal.throwIfAborted()
        const token = pick(logits.data, tokens)
        tokens.push(token)
        logits.data.fill(Number.NEGATIVE_INFINITY)
        logits.data[token] = 0
        return logits
      }
      await model.generate({
        inputs: input_features,
        encoder_outputs,
        decoder_input_ids: [...prefix],
        max_new_tokens: maxTokens,
        return_timestamps: false,
        // The library adds to the list.
        logits_processor: [choose],
        ...(!isFiltered && { suppress_tokens: null, begin_suppress_tokens: null }),
      })
      return tokens.at(-1) === endOfText ? tokens.slice(0, -1) : tokens
    },
    textOf: (tokens) =>
      tokens.length === 0 ? '' : tokenizer.decode(tokens, { skip_special_tokens: true, clean_up_tokenization_spaces: false }),
    close: async () => void (await pipe.dispose()),
  }
}
