// The decoder of a Whisper export, one token at a time. The keys and values of the encoder are computed once for a window, and those of
// a prefix once for all decodings that begin with it. Cross attentions are computed only when they are requested.
import { bools, floatOutput, floats, type Graph, type GraphContract, longs, type Tensor } from '#agent/engine/runtimes/onnx/session.ts'

export type DecoderShape = { readonly layers: number; readonly heads: number; readonly headSize: number; readonly width: number }
/** The state after some tokens. */
type State = { readonly cache: Readonly<Record<string, Tensor>>; readonly logits: Float32Array }
/** A window after the encoder, with the states of the prefixes that were decoded. */
export type EncodedWindow = { readonly hidden: Tensor; readonly states: Map<string, State> }
/** Attention of a layer: [1, heads, tokens, frames]. */
export type Attention = { readonly values: ArrayLike<number>; readonly dims: readonly number[] }
export type WhisperDecoder = {
  /** The state after `tokens`, a prefix of at least one token. */
  readonly after: (window: EncodedWindow, tokens: readonly number[]) => Promise<State>
  readonly next: (window: EncodedWindow, state: State, token: number) => Promise<State>
  /** Attentions of each layer, [1, heads, tokens, frames]; null if the export has none. */
  readonly attentions: (window: EncodedWindow, tokens: readonly number[]) => Promise<readonly Attention[] | null>
}

const OF_ENCODER = '.encoder.'
const range = (count: number) => Array.from({ length: count }, (_, at) => at)
const cacheNames = ({ layers }: DecoderShape): string[] =>
  range(layers).flatMap((layer) => ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map((part) => `${layer}.${part}`))
const attentionNames = ({ layers }: DecoderShape): string[] => range(layers).map((layer) => `cross_attentions.${layer}`)

export function decoderContract(shape: DecoderShape): GraphContract {
  const dims = [null, shape.heads, null, shape.headSize]
  const cache = (prefix: string) =>
    cacheNames(shape).map((name) => ({ name: `${prefix}.${name}`, type: 'float32', rank: 4, dims }) as const)
  return {
    inputs: [
      { name: 'input_ids', type: 'int64', rank: 2 },
      { name: 'encoder_hidden_states', type: 'float32', rank: 3, dims: [null, null, shape.width] },
      ...cache('past_key_values'),
      { name: 'use_cache_branch', type: 'bool', rank: 1 },
    ],
    outputs: [
      { name: 'logits', type: 'float32', rank: 3 },
      ...cache('present'),
      ...attentionNames(shape).map((name) => ({ name, type: 'float32', rank: 4, optional: true }) as const),
    ],
  }
}

/** `graph`: opened with `decoderContract(shape)`. */
export function createWhisperDecoder(graph: Graph, shape: DecoderShape): WhisperDecoder {
  const names = cacheNames(shape)
  const outputs = ['logits', ...names.map((name) => `present.${name}`)]
  const laterOutputs = outputs.filter((name) => !name.includes(OF_ENCODER))
  const hasAttentions = attentionNames(shape).every((name) => graph.outputs.some((output) => output.name === name))
  const empty = floats([], [1, shape.heads, 0, shape.headSize])
  const noCache = Object.fromEntries(names.map((name) => [`past_key_values.${name}`, empty]))

  const firstInputs = ({ hidden }: EncodedWindow, tokens: readonly number[]) => ({
    ...noCache,
    input_ids: longs(tokens, [1, tokens.length]),
    encoder_hidden_states: hidden,
    use_cache_branch: bools([0], [1]),
  })
  function stateOf(found: Readonly<Record<string, Tensor>>, before: State['cache']): State {
    const present = Object.entries(found).filter(([name]) => name.startsWith('present.'))
    const cache = Object.fromEntries(present.map(([name, tensor]) => [name.replace('present', 'past_key_values'), tensor]))
    const logits = floatOutput(found, 'logits')
    const size = found['logits']!.dims.at(-1)!
    return { cache: { ...before, ...cache }, logits: logits.subarray(logits.length - size) }
  }
  const first = async (window: EncodedWindow, tokens: readonly number[]) =>
    stateOf(await graph.run(firstInputs(window, tokens), outputs), {})
  const next = async ({ hidden }: EncodedWindow, { cache }: State, token: number) => {
    const inputs = { ...cache, input_ids: longs([token], [1, 1]), encoder_hidden_states: hidden, use_cache_branch: bools([1], [1]) }
    return stateOf(await graph.run(inputs, laterOutputs), cache)
  }
  /** Continues from the longest known prefix; without one, all tokens are decoded together. */
  async function after(window: EncodedWindow, tokens: readonly number[]): Promise<State> {
    const known = range(tokens.length).findLast((last) => window.states.has(tokens.slice(0, last + 1).join()))
    if (known === undefined) window.states.set(tokens.join(), await first(window, tokens))
    for (let at = (known ?? tokens.length) + 1; at < tokens.length; at++) {
      const state = await next(window, window.states.get(tokens.slice(0, at).join())!, tokens[at]!)
      window.states.set(tokens.slice(0, at + 1).join(), state)
    }
    return window.states.get(tokens.join())!
  }

  return {
    after,
    next,
    async attentions(window, tokens) {
      if (!hasAttentions) return null
      const found = await graph.run(firstInputs(window, tokens), attentionNames(shape))
      return attentionNames(shape).map((name) => ({ values: floatOutput(found, name), dims: found[name]!.dims }))
    },
  }
}
