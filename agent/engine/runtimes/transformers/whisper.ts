// A Whisper network, one token at a time. The transformers library computes text; which token follows, where windows start and
// when a run ends is decided by the caller. Its own loop over a recording (4.3.1) ignores stopping criteria, accepts descending timestamps
// and can stay at one place for ever, so it is not used.

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { z } from 'zod'
import { floatOutput, floats, type Graph, type GraphContract, type GraphFactory, openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { loadTransformers } from './library.ts'
import { type Attention, createWhisperDecoder, type DecoderShape, decoderContract, type EncodedWindow } from './whisper-decoder.ts'
import { createLogMel } from './whisper-features.ts'

export type { EncodedWindow } from './whisper-decoder.ts'

export const WHISPER_RATE = 16_000
export const WHISPER_WINDOW_SECONDS = 30

const Id = z.int().min(0)
const Ids = z.array(Id).max(100_000).nullish()
const Count = z.int().min(1).max(256)
const GenerationConfig = z.object({
  is_multilingual: z.boolean().default(false),
  lang_to_id: z.record(z.string().max(32), Id).default({}),
  task_to_id: z.record(z.string().max(32), Id).default({}),
  decoder_start_token_id: Id,
  eos_token_id: z.union([Id, z.array(Id).min(1)]),
  no_timestamps_token_id: Id,
  suppress_tokens: Ids,
  begin_suppress_tokens: Ids,
  alignment_heads: z
    .array(z.tuple([z.int().min(0), z.int().min(0)]))
    .max(10_000)
    .nullish(),
})
const NetworkConfig = z.object({
  max_target_positions: z.int().min(16).max(4_096).default(448),
  decoder_layers: Count,
  decoder_attention_heads: Count,
  d_model: z.int().min(1).max(65_536),
  num_mel_bins: Count.default(80),
})
const FRAMES = 3_000

/** Its filters are used. Its spectrogram takes two to ten times as long, and reads silence up to 30 s. */
type Extractor = { readonly config: { readonly mel_filters: readonly ArrayLike<number>[] } }
type Tokenizer = {
  readonly decode: (tokens: readonly number[], options: object) => string
  readonly encode: (text: string, options: object) => number[]
}
type WhisperLibrary = {
  readonly WhisperFeatureExtractor: new (config: object) => Extractor
  readonly WhisperTokenizer: new (content: object, config: object) => Tokenizer
}

/** Returns the token that follows `tokens`, the output so far without its prefix. May edit the logits. */
export type PickToken = (logits: Float32Array, tokens: readonly number[]) => number
export type GenerateRequest = {
  readonly prefix: readonly number[]
  readonly maxTokens: number
  /** True if the tokens that the model's settings forbid are forbidden before `pick`. */
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
  /** The token before a text that precedes the recording. */
  readonly startOfPrevious: number
  readonly endOfText: number
  /** The token of windows without speech. */
  readonly noSpeech: number
  readonly noTimestamps: number
  readonly timestampBegin: number
  /** Tokens of a prefix and its output together. */
  readonly maxLength: number
  /** [layer, head] of the attention heads that follow the words; null if the export cannot tell when words are spoken. */
  readonly alignmentHeads: readonly (readonly [number, number])[] | null
  /** `samples`: at most WHISPER_WINDOW_SECONDS at WHISPER_RATE. */
  readonly encode: (samples: Float32Array) => Promise<EncodedWindow>
  /** The output without its prefix and its end. Throws the reason of the signal before the next token. */
  readonly generate: (window: EncodedWindow, request: GenerateRequest) => Promise<number[]>
  /** The cross attentions of `tokens` of each layer, [1, heads, tokens, frames]. Needs `alignmentHeads`. */
  readonly attentions: (window: EncodedWindow, tokens: readonly number[]) => Promise<readonly Attention[]>
  /** Text with its leading blank. */
  readonly textOf: (tokens: readonly number[]) => string
  readonly tokensOf: (text: string) => number[]
  /** The device of the decoder, which takes most of the time. */
  readonly device: string
  readonly reason: string
  readonly close: () => Promise<void>
}

const encoderContract = (mels: number, width: number): GraphContract => ({
  inputs: [{ name: 'input_features', type: 'float32', rank: 3, dims: [null, mels, null] }],
  outputs: [{ name: 'last_hidden_state', type: 'float32', rank: 3, dims: [null, null, width] }],
})

/** `files`: paths by their names in the model. `devices`: see `createGraphPlacer`. Throws MODEL_NOT_DOWNLOADED, MODEL_NOT_INSTALLED, INSUFFICIENT_MEMORY. */
export async function openWhisper(
  files: ReadonlyMap<string, string>,
  open: GraphFactory = openGraph,
  devices = 'cpu',
): Promise<WhisperNetwork> {
  const settings = async (name: string): Promise<object> => {
    const file = files.get(name)
    if (!file) throw new Failure('MODEL_NOT_DOWNLOADED', `The model has no ${name}. Download it again.`)
    try {
      return z.looseObject({}).parse(JSON.parse(await readFile(file, 'utf8')))
    } catch (cause) {
      throw new Failure('MODEL_NOT_DOWNLOADED', `The file ${basename(file)} of the model is not valid. Download it again.`, { cause })
    }
  }
  const graphFile = (kind: string): string => {
    const found = [...files].find(([name]) => name.includes(kind) && name.endsWith('.onnx'))
    if (found) return found[1]
    throw new Failure('MODEL_NOT_DOWNLOADED', 'The model has no graph for the encoder or the decoder. Download it again.')
  }
  const generation = GenerationConfig.safeParse(await settings('generation_config.json'))
  const network = NetworkConfig.safeParse(await settings('config.json'))
  if (!generation.success || !network.success)
    throw new Failure('MODEL_NOT_DOWNLOADED', 'The settings of the model are incomplete. Download it again.')
  const library = (await loadTransformers()) as unknown as WhisperLibrary
  const extractor = new library.WhisperFeatureExtractor(await settings('preprocessor_config.json'))
  const logMel = createLogMel(extractor.config.mel_filters, FRAMES)
  const tokenizer = new library.WhisperTokenizer(await settings('tokenizer.json'), await settings('tokenizer_config.json'))
  const { num_mel_bins: mels, d_model: width, decoder_layers: layers, decoder_attention_heads: heads } = network.data
  const shape: DecoderShape = { layers, heads, headSize: width / heads, width }

  // On the CPU the runtime takes all cores, as it always did for recognition.
  const options = { device: devices, threads: 0, unpacksOnce: true, keepsNoMemory: true } as const
  const encoder = await open(graphFile('encoder_model'), { ...options, contract: encoderContract(mels, width) })
  let graph: Graph
  try {
    graph = await open(graphFile('decoder_model_merged'), { ...options, contract: decoderContract(shape) })
  } catch (error) {
    await encoder.close()
    throw error
  }
  const decoder = createWhisperDecoder(graph, shape)
  const { eos_token_id: ends, no_timestamps_token_id: noTimestamps, lang_to_id: languages, ...config } = generation.data
  const endOfText = Array.isArray(ends) ? ends[0]! : ends
  const forbidden = config.suppress_tokens ?? []
  const forbiddenFirst = config.begin_suppress_tokens ?? []
  const forbid = (logits: Float32Array, ids: readonly number[]) => {
    for (const id of ids) logits[id] = Number.NEGATIVE_INFINITY
  }
  const hasAttentions = graph.outputs.some(({ name }) => name === 'cross_attentions.0')
  const alignmentHeads = (config.alignment_heads ?? []).filter(([layer, head]) => layer < layers && head < heads)

  return {
    isMultilingual: config.is_multilingual,
    languages: new Map(Object.entries(languages).map(([token, id]) => [token.slice(2, -2), id])),
    tasks: new Map(Object.entries(config.task_to_id)),
    startOfTranscript: config.decoder_start_token_id,
    endOfText,
    // Every vocabulary of Whisper has these three and the timestamps in a row.
    startOfPrevious: noTimestamps - 2,
    noSpeech: noTimestamps - 1,
    noTimestamps,
    timestampBegin: noTimestamps + 1,
    maxLength: network.data.max_target_positions,
    alignmentHeads: hasAttentions && alignmentHeads.length > 0 ? alignmentHeads : null,
    async encode(samples) {
      const outputs = await encoder.run({ input_features: floats(logMel(samples), [1, mels, FRAMES]) })
      floatOutput(outputs, 'last_hidden_state')
      return { hidden: outputs['last_hidden_state']!, states: new Map() }
    },
    async generate(window, { prefix, maxTokens, isFiltered, pick, signal }) {
      const tokens: number[] = []
      signal.throwIfAborted()
      let state = await decoder.after(window, prefix)
      for (;;) {
        signal.throwIfAborted()
        // The state of the prefix serves several decodings.
        const logits = state.logits.slice()
        if (isFiltered) forbid(logits, forbidden)
        if (isFiltered && tokens.length === 0) forbid(logits, forbiddenFirst)
        const token = pick(logits, tokens)
        if (token === endOfText) return tokens
        tokens.push(token)
        if (tokens.length >= maxTokens) return tokens
        state = await decoder.next(window, state, token)
      }
    },
    async attentions(window, tokens) {
      const found = await decoder.attentions(window, tokens)
      if (found) return found
      throw new Failure('WORKER_FAILED', 'This model does not compute the times of words.')
    },
    textOf: (tokens) =>
      tokens.length === 0 ? '' : tokenizer.decode(tokens, { skip_special_tokens: true, clean_up_tokenization_spaces: false }),
    tokensOf: (text) => tokenizer.encode(text, { add_special_tokens: false }),
    device: graph.device,
    reason: graph.reason,
    async close() {
      await encoder.close()
      await graph.close()
    },
  }
}
