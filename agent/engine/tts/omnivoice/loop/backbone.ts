// The language model of OmniVoice: computes the logits of the target frames for the codes so far. Hides the differences between exports:
// their inputs, and a family that is split into three graphs.

import {
  bools,
  type ExpectedTensor,
  type Graph,
  type GraphContract,
  type GraphFactory,
  longs,
  type Tensor,
} from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import type { Prompt } from '../text/prompt.ts'
import { CLASSES, CODEBOOKS, type LogitRow, MASK } from './scoring.ts'
import type { Predict } from './unmask.ts'

export type BackboneFiles = { readonly whole: string } | { readonly embed: string; readonly decode: string; readonly heads: string }
export type Backbone = {
  readonly device: string
  readonly reason: string
  /** Prepares a prompt. Each call of the returned function is one step. */
  readonly begin: (prompt: Prompt, withGuidance: boolean) => Predict
  readonly close: () => Promise<void>
}

/** The kind of attention mask of an export. Rows cannot be padded without one. */
type Attention = 'none' | 'columns' | 'pairs'
type Feeds = Record<string, Tensor>
type Network = {
  readonly graphs: readonly Graph[]
  readonly attention: Attention
  readonly positions: boolean
  readonly run: (feeds: Feeds) => Promise<Tensor>
  /** True if one pass computes the rows with and without text as a batch, instead of one after the other. */
  isBatched: boolean
}

const IDS: ExpectedTensor = { name: 'input_ids', type: 'int64', rank: 3, dims: [null, CODEBOOKS, null] }
const AUDIO: ExpectedTensor = { name: 'audio_mask', type: 'bool', rank: 2 }
const PAIRS: ExpectedTensor = { name: 'attention_mask', type: 'bool', rank: 4, optional: true }
const COLUMNS: ExpectedTensor = { name: 'attention_mask', type: 'int64', rank: 2, optional: true }
const POSITIONS: ExpectedTensor = { name: 'position_ids', type: 'int64', rank: 2, optional: true }
const LOGITS: ExpectedTensor = { name: 'logits', type: 'float32', rank: 4, dims: [null, CODEBOOKS, null, CLASSES] }
const EMBEDS: ExpectedTensor = { name: 'inputs_embeds', type: 'float32', rank: 3 }
const HIDDEN: ExpectedTensor = { name: 'hidden_states', type: 'float32', rank: 3 }
/** Some sets have a decoder in single precision between embeddings and heads in half precision. */
const half = (expected: ExpectedTensor): ExpectedTensor => ({ ...expected, orHalf: true })

export async function openBackbone(files: BackboneFiles, openGraph: GraphFactory, device: string): Promise<Backbone> {
  const network = await ('whole' in files ? openWhole(files.whole, openGraph, device) : openParts(files, openGraph, device))
  const slowest = network.graphs.at(-1)!
  return {
    device: slowest.device,
    reason: slowest.reason,
    begin: (prompt, withGuidance) => begin(network, prompt, withGuidance),
    close: async () => {
      for (const graph of network.graphs) await graph.close()
    },
  }
}

async function openWhole(file: string, openGraph: GraphFactory, device: string): Promise<Network> {
  const graph = await openEither(file, openGraph, device, [IDS, AUDIO, POSITIONS], [LOGITS])
  return { graphs: [graph], ...networkShape(graph, [graph]), run: async (feeds) => (await graph.run(feeds))['logits']! }
}

async function openParts(
  files: { embed: string; decode: string; heads: string },
  openGraph: GraphFactory,
  device: string,
): Promise<Network> {
  const embed = await openGraph(files.embed, { device, contract: { inputs: [IDS, AUDIO], outputs: [half(EMBEDS)] } })
  const heads = await openGraph(files.heads, { device, contract: { inputs: [half(HIDDEN)], outputs: [half(LOGITS)] } })
  const decode = await openEither(files.decode, openGraph, device, [EMBEDS, POSITIONS], [HIDDEN])
  const graphs = [embed, heads, decode]
  return {
    graphs,
    ...networkShape(decode, graphs),
    run: async ({ input_ids, audio_mask, ...rest }) => {
      const { inputs_embeds } = await embed.run({ input_ids: input_ids!, audio_mask: audio_mask! })
      const { hidden_states } = await decode.run({ inputs_embeds: inputs_embeds!, ...rest })
      return (await heads.run({ hidden_states: hidden_states! }))['logits']!
    },
  }
}

/** Attention masks have one of two types. An export without a mask fits the first; a misfit reports the failure of the first. */
async function openEither(
  file: string,
  openGraph: GraphFactory,
  device: string,
  inputs: readonly ExpectedTensor[],
  outputs: readonly ExpectedTensor[],
): Promise<Graph> {
  const contract = (attention: ExpectedTensor): GraphContract => ({ inputs: [...inputs, attention], outputs })
  try {
    return await openGraph(file, { device, contract: contract(PAIRS) })
  } catch (error) {
    if (!(error instanceof Failure) || !/attention_mask/.test(error.message)) throw error
    return await openGraph(file, { device, contract: contract(COLUMNS) }).catch(() => {
      throw error
    })
  }
}

function networkShape(graph: Graph, all: readonly Graph[]): Pick<Network, 'attention' | 'positions' | 'isBatched'> {
  const mask = graph.inputs.find(({ name }) => name === 'attention_mask')
  const attention = mask === undefined ? 'none' : mask.dims.length === 4 ? 'pairs' : 'columns'
  const isDynamic = all.every(({ inputs, outputs }) => [...inputs, ...outputs].every(({ dims }) => dims[0] !== 1))
  return { attention, positions: graph.inputs.some(({ name }) => name === 'position_ids'), isBatched: attention !== 'none' && isDynamic }
}

function begin(network: Network, prompt: Prompt, withGuidance: boolean): Predict {
  const { frames, length } = prompt
  const whole = { columns: length, real: length, ids: prompt.ids, audioFrom: prompt.audioFrom }
  const unconditional = { columns: frames, real: frames, ids: new Int32Array(CODEBOOKS * frames).fill(MASK), audioFrom: 0 }
  if (!withGuidance) {
    const pass = createPass(network, [whole], length)
    return async (codes) => ({ conditional: (await pass(codes))[0]!, unconditional: null })
  }
  const createSequential = (): Predict => {
    const [withText, withoutText] = [createPass(network, [whole], length), createPass(network, [unconditional], frames)]
    return async (codes) => ({ conditional: (await withText(codes))[0]!, unconditional: (await withoutText(codes))[0]! })
  }
  if (!network.isBatched) return createSequential()
  const both = createPass(network, [whole, unconditional], length)
  let sequential: Predict | null = null
  return async (codes) => {
    if (sequential) return await sequential(codes)
    try {
      const [conditional, unconditional] = await both(codes)
      return { conditional: conditional!, unconditional: unconditional! }
    } catch (error) {
      // An export may announce a dynamic batch size and still support only one row, or two rows may not fit into memory.
      const fallback = createSequential()
      const answer = await fallback(codes).catch(() => {
        throw error
      })
      sequential = fallback
      network.isBatched = false
      return answer
    }
  }

  function createPass({ attention, positions, run }: Network, rows: readonly (typeof whole)[], columns: number) {
    const ids = new BigInt64Array(rows.length * CODEBOOKS * columns)
    const audio = new Uint8Array(rows.length * columns)
    for (const [at, row] of rows.entries()) {
      for (let book = 0; book < CODEBOOKS; book++) {
        const from = (at * CODEBOOKS + book) * columns
        for (let column = 0; column < row.real; column++) ids[from + column] = BigInt(row.ids[book * row.columns + column]!)
      }
      audio.fill(1, at * columns + row.audioFrom, at * columns + row.real)
    }
    const realLengths = rows.map(({ real }) => real)
    const feeds: Feeds = {
      input_ids: { type: 'int64', dims: [rows.length, CODEBOOKS, columns], values: ids },
      audio_mask: bools(audio, [rows.length, columns]),
    }
    if (attention === 'columns') feeds['attention_mask'] = longs(columnMask(realLengths, columns), [rows.length, columns])
    if (attention === 'pairs') feeds['attention_mask'] = bools(pairMask(realLengths, columns), [rows.length, 1, columns, columns])
    if (positions)
      feeds['position_ids'] = longs(
        rows.flatMap(() => Array.from({ length: columns }, (_, at) => at)),
        [rows.length, columns],
      )
    return async (codes: Int32Array): Promise<LogitRow[]> => {
      for (const [at, { real }] of rows.entries()) {
        for (let book = 0; book < CODEBOOKS; book++) {
          const from = (at * CODEBOOKS + book) * columns + real - frames
          for (let frame = 0; frame < frames; frame++) ids[from + frame] = BigInt(codes[book * frames + frame]!)
        }
      }
      const values = logitsOf(await run(feeds), [rows.length, CODEBOOKS, columns, CLASSES])
      return realLengths.map((real, at) => ({
        values,
        start: (at * CODEBOOKS * columns + real - frames) * CLASSES,
        stride: columns * CLASSES,
      }))
    }
  }
}

function logitsOf({ dims, values }: Tensor, expected: readonly number[]): Float32Array {
  if (values instanceof Float32Array && expected.every((size, at) => dims[at] === size)) return values
  throw new Failure('WORKER_FAILED', `The backbone returned logits of [${dims.join(', ')}], not [${expected.join(', ')}].`)
}

const columnMask = (realLengths: readonly number[], columns: number): Uint8Array =>
  Uint8Array.from({ length: realLengths.length * columns }, (_, at) => (at % columns < realLengths[Math.floor(at / columns)]! ? 1 : 0))

/** Real columns attend to all real columns. Padding attends to itself, because a softmax over no column is not a number. */
function pairMask(realLengths: readonly number[], columns: number): Uint8Array {
  const mask = new Uint8Array(realLengths.length * columns * columns)
  for (const [row, real] of realLengths.entries()) {
    for (let from = 0; from < columns; from++) {
      const at = (row * columns + from) * columns
      if (from < real) mask.fill(1, at, at + real)
      else mask[at + from] = 1
    }
  }
  return mask
}
