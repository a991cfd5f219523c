// A tiny OmniVoice: graphs with the names, types and ranks of the real exports and a few thousand parameters. The decoder writes each code
// as a level, so that tests can read codes back from the audio.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { SPECIAL } from '#agent/engine/tts/omnivoice/text/prompt.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { type Initializer, model, type Node, type ValueShape } from '#test/support/models/onnx-graph.ts'

const HIDDEN = 16
const CLASSES = 1025
const IDS = 1_400
/**
 * In three graphs: `single` takes one row, `mislabelled` too but does not say so, `published` is like the one set that is known to the
 * byte.
 */
type Split = 'split' | 'single' | 'mislabelled' | 'published'
/** `rounded` computes in one graph what `published` does in three. */
export type Export = 'none' | 'columns' | 'pairs' | 'positions' | 'causal' | 'rounded' | Split
const isSplit = (kind: Export): kind is Split => ['split', 'single', 'mislabelled', 'published'].includes(kind)

const node = (op: string, inputs: string[], output: string, attributes: Node['attributes'] = {}): Node => ({
  op,
  inputs,
  outputs: [output],
  attributes,
})
const int64 = (name: string, values: number[], dims = [values.length]): Initializer => ({ name, type: 'int64', dims, values })
const float32 = (name: string, dims: number[], fill: (at: number) => number): Initializer => ({
  name,
  type: 'float32',
  dims,
  values: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) => fill(at)),
})
const value = (name: string, type: ValueShape['type'], ...dims: (number | string)[]): ValueShape => ({ name, type, dims })

const INPUT_IDS = value('input_ids', 'int64', 'B', 8, 'S')
const AUDIO_MASK = value('audio_mask', 'bool', 'B', 'S')
const LOGITS = value('logits', 'float32', 'B', 8, 'S', CLASSES)
const EMBEDS = value('inputs_embeds', 'float32', 'B', 'S', HIDDEN)
const HIDDENS = value('hidden_states', 'float32', 'B', 'S', HIDDEN)

/** Ids to one vector per column: a random one per id and row, and one for how many audio columns came before. */
const embedNodes = (out: string): Node[] => [
  node('Gather', ['table', 'input_ids'], 'each'),
  node('Mul', ['each', 'row_scale'], 'weighted'),
  node('ReduceMean', ['weighted'], 'mixed', { axes: [1n], keepdims: 0 }),
  node('Cast', ['audio_mask'], 'counted', { to: 7 }),
  node('CumSum', ['counted', 'axis1'], 'position'),
  node('Gather', ['places', 'position'], 'place'),
  node('Add', ['mixed', 'place'], out),
]
const embedData = (next: () => number): Initializer[] => [
  float32('table', [IDS, HIDDEN], () => next() * 2 - 1),
  float32('row_scale', [1, 8, 1, 1], (at) => 1 + at / 3),
  float32('places', [2_000, HIDDEN], () => next() * 2 - 1),
  int64('axis1', [1], []),
]
/** Every column takes the mean of the columns it sees. */
function mixNodes(from: string, out: string, kind: Export): Node[] {
  const sum = [node('Add', [from, 'context'], out)]
  if (kind === 'causal') {
    return [
      node('CumSum', [from, 'axis_one'], 'running'),
      node('Mul', [from, 'zero'], 'none_of_it'),
      node('Add', ['none_of_it', 'one'], 'ones'),
      node('CumSum', ['ones', 'axis_one'], 'counts'),
      node('Div', ['running', 'counts'], 'context'),
      ...sum,
    ]
  }
  if (kind === 'columns' || kind === 'positions') {
    return [
      node('Cast', ['attention_mask'], 'seen', { to: 1 }),
      node('ReduceSum', ['seen', 'axis_one_list'], 'count', { keepdims: 1 }),
      node('Div', ['seen', 'count'], 'share'),
      node('Unsqueeze', ['share', 'axis_one_list'], 'shares'),
      node('MatMul', ['shares', from], 'context'),
      ...sum,
    ]
  }
  if (kind === 'pairs' || isSplit(kind)) {
    return [
      node('Cast', ['attention_mask'], 'seen4', { to: 1 }),
      node('Squeeze', ['seen4', 'axis_one_list'], 'seen'),
      node('ReduceSum', ['seen', 'axis_two_list'], 'count', { keepdims: 1 }),
      node('Div', ['seen', 'count'], 'shares'),
      node('MatMul', ['shares', from], 'context'),
      ...sum,
    ]
  }
  return [node('ReduceMean', [from], 'context', { axes: [1n], keepdims: 1 }), ...sum]
}
const mixData = (): Initializer[] => [
  int64('axis_one', [1], []),
  int64('axis_one_list', [1]),
  int64('axis_two_list', [2]),
  float32('zero', [1], () => 0),
  float32('one', [1], () => 1),
]
const headNodes = (from: string, out = 'logits'): Node[] => [
  node('MatMul', [from, 'heads'], 'flat'),
  node('Reshape', ['flat', 'head_shape'], 'split_heads'),
  node('Transpose', ['split_heads'], out, { perm: [0n, 2n, 1n, 3n] }),
]
const headData = (next: () => number): Initializer[] => [
  float32('heads', [HIDDEN, 8 * CLASSES], () => next() * 2 - 1),
  int64('head_shape', [0, 0, 8, CLASSES]),
]
function attentionInputs(kind: Export): ValueShape[] {
  if (kind === 'pairs' || isSplit(kind)) return [value('attention_mask', 'bool', 'B', 1, 'S', 'S')]
  if (kind === 'columns') return [value('attention_mask', 'int64', 'B', 'S')]
  if (kind === 'positions') return [value('attention_mask', 'int64', 'B', 'S'), value('position_ids', 'int64', 'B', 'S')]
  return []
}

const [HALF, SINGLE] = [10, 1]
const cast = (from: string, out: string, to: number) => node('Cast', [from], out, { to })
/** To half precision and back. */
const rounded = (from: string, out: string): Node[] => [cast(from, `${out}_half`, HALF), cast(`${out}_half`, out, SINGLE)]

/** The backbone of one export. All compute the same, but for 'causal', and 'published' and 'rounded', which are less exact. */
export function backboneFiles(kind: Export, seed = 1): Record<string, Uint8Array> {
  const next = seededRandom(seed).unit
  const [embed, mix, head] = [embedData(next), mixData(), headData(next)]
  if (isSplit(kind)) return splitFiles(kind, embed, mix, head)
  const cut = (from: string, out: string) => (kind === 'rounded' ? rounded(from, out) : [node('Identity', [from], out)])
  const whole = model({
    inputs: [INPUT_IDS, AUDIO_MASK, ...attentionInputs(kind)],
    outputs: [LOGITS],
    nodes: [
      ...embedNodes('embedded'),
      ...cut('embedded', 'columns'),
      ...mixNodes('columns', 'mixed_columns', kind),
      ...cut('mixed_columns', 'hidden'),
      ...headNodes('hidden', 'all_logits'),
      ...cut('all_logits', 'logits'),
    ],
    initializers: [...embed, ...mix, ...head],
  })
  return { 'omnivoice_backbone.onnx': whole }
}

function splitFiles(kind: Split, embed: Initializer[], mix: Initializer[], head: Initializer[]): Record<string, Uint8Array> {
  const isLikePublished = kind === 'published'
  const single = (shape: ValueShape): ValueShape =>
    kind === 'single' || isLikePublished ? { ...shape, dims: [1, ...shape.dims.slice(1)] } : shape
  const half = (shape: ValueShape): ValueShape => (isLikePublished ? { ...shape, type: 'float16' } : shape)
  const apart = isLikePublished ? besides : (_: string, initializers: Initializer[]) => ({ initializers, files: {} })
  const decoder = isLikePublished ? 'llm_backbone_fp32.onnx' : 'llm_decoder.onnx'
  const [ends, middle] = [
    apart('audio_embeddings_encoder.onnx.data', embed),
    apart(`${decoder}.data`, [...mix, int64('as_one', [1, -1, HIDDEN])]),
  ]
  const start = kind === 'mislabelled' ? node('Reshape', ['inputs_embeds', 'as_one'], 'row') : node('Identity', ['inputs_embeds'], 'row')
  return {
    ...ends.files,
    ...middle.files,
    'audio_embeddings_encoder.onnx': model({
      inputs: [INPUT_IDS, AUDIO_MASK],
      outputs: [half(EMBEDS)],
      nodes: [...embedNodes('embedded'), cast('embedded', 'inputs_embeds', isLikePublished ? HALF : SINGLE)],
      initializers: ends.initializers,
    }),
    [decoder]: model({
      inputs: [EMBEDS, ...attentionInputs(kind)].map(single),
      outputs: [single(HIDDENS)],
      nodes: [start, ...mixNodes('row', 'hidden_states', kind)],
      initializers: middle.initializers,
    }),
    'audio_heads_decoder.onnx': model({
      inputs: [half(HIDDENS)],
      outputs: [half(LOGITS)],
      nodes: [
        cast('hidden_states', 'hidden', SINGLE),
        ...headNodes('hidden', 'all_logits'),
        cast('all_logits', 'logits', isLikePublished ? HALF : SINGLE),
      ],
      initializers: head,
    }),
  }
}

/** The float weights of a graph in a file of their own. */
function besides(file: string, initializers: Initializer[]): { initializers: Initializer[]; files: Record<string, Uint8Array> } {
  const pieces: Buffer[] = []
  let offset = 0
  const placed = initializers.map((initializer): Initializer => {
    if (initializer.type !== 'float32') return initializer
    const bytes = Buffer.from(Float32Array.from(initializer.values as Float32Array).buffer)
    const at = offset
    pieces.push(bytes)
    offset += bytes.length
    return { ...initializer, values: { file, offset: at, length: bytes.length } }
  })
  return { initializers: placed, files: { [file]: Buffer.concat(pieces) } }
}

/** Logits by the target's frame alone: `codes` is what every schedule must find. A trace of all ids keeps it from looking causal. */
export function plantedBackbone(codes: Int32Array, frames: number): Record<string, Uint8Array> {
  const table = new Float32Array(frames * 8 * CLASSES)
  for (let book = 0; book < 8; book++) {
    for (let frame = 0; frame < frames; frame++) table[(frame * 8 + book) * CLASSES + codes[book * frames + frame]!] = 9
  }
  const bytes = model({
    inputs: [INPUT_IDS, AUDIO_MASK],
    outputs: [LOGITS],
    nodes: [
      node('Cast', ['audio_mask'], 'counted', { to: 7 }),
      node('CumSum', ['counted', 'axis1'], 'upTo'),
      node('Sub', ['upTo', 'one_long'], 'index'),
      node('Clip', ['index', 'lowest', 'highest'], 'clipped'),
      node('Gather', ['answers', 'clipped'], 'columns'),
      node('Transpose', ['columns'], 'ordered', { perm: [0n, 2n, 1n, 3n] }),
      node('Cast', ['input_ids'], 'ids', { to: 1 }),
      node('ReduceMean', ['ids'], 'mean', { axes: [1n, 2n], keepdims: 0 }),
      node('Mul', ['mean', 'trace'], 'hint'),
      node('Reshape', ['hint', 'hint_shape'], 'hints'),
      node('Add', ['ordered', 'hints'], 'logits'),
    ],
    initializers: [
      { name: 'answers', type: 'float32', dims: [frames, 8, CLASSES], values: table },
      int64('axis1', [1], []),
      int64('one_long', [1], []),
      int64('lowest', [0], []),
      int64('highest', [frames - 1], []),
      int64('hint_shape', [-1, 1, 1, 1]),
      float32('trace', [], () => 1e-3),
    ],
  })
  return { 'omnivoice_backbone.onnx': bytes }
}

/** Codes become levels, 120 samples each; a voice becomes the mean of its frames. */
export function codecFiles(): Record<string, Uint8Array> {
  const wave24 = value('waveform_24k', 'float32', 1, 1, 'n')
  const wave16 = value('waveform_16k', 'float32', 1, 'm')
  const codes = value('codes', 'int64', 8, 1, 'T')
  const acoustic = value('acoustic_features', 'float32', 1, 256, 'T')
  const semantic = value('semantic_features', 'float32', 1, 768, 'U')
  const framed = (input: string, size: number, channels: number, out: string) => ({
    nodes: [
      node('Reshape', [input, 'frames'], 'framed'),
      node('ReduceMean', ['framed'], 'means', { axes: [2n], keepdims: 1 }),
      node('Transpose', ['means'], 'row', { perm: [0n, 2n, 1n] }),
      node('Expand', ['row', 'channels'], out),
    ],
    initializers: [int64('frames', [1, -1, size]), int64('channels', [1, channels, 1])],
  })
  return {
    'audio_tokenizer/higgs_decoder.onnx': model({
      inputs: [codes],
      outputs: [wave24],
      nodes: [
        node('Transpose', ['codes'], 'by_frame', { perm: [1n, 2n, 0n] }),
        node('Cast', ['by_frame'], 'levels', { to: 1 }),
        node('Sub', ['levels', 'middle'], 'centred'),
        node('Div', ['centred', 'range'], 'small'),
        node('Unsqueeze', ['small', 'last'], 'stacked'),
        node('Expand', ['stacked', 'held'], 'long'),
        node('Reshape', ['long', 'wave'], 'waveform_24k'),
      ],
      initializers: [
        float32('middle', [1], () => 512),
        float32('range', [1], () => 1024),
        int64('last', [3]),
        int64('held', [1, 1, 8, 120]),
        int64('wave', [1, 1, -1]),
      ],
    }),
    'audio_tokenizer/acoustic_encoder.onnx': model({
      inputs: [wave24],
      outputs: [acoustic],
      ...framed('waveform_24k', 960, 256, 'acoustic_features'),
    }),
    // One frame fewer than the other network would see, as the real ones differ at their ends.
    'audio_tokenizer/semantic_encoder.onnx': model({
      inputs: [wave16],
      outputs: [semantic],
      ...framed('waveform_16k', 640, 768, 'semantic_features'),
    }),
    'audio_tokenizer/quantizer_encoder.onnx': model({
      inputs: [acoustic, semantic],
      outputs: [codes],
      nodes: [
        node('Add', ['acoustic_features', 'shift'], 'lifted'),
        node('Mul', ['lifted', 'scale'], 'scaled'),
        node('Clip', ['scaled', 'low', 'high'], 'clipped'),
        node('Slice', ['clipped', 'from', 'to', 'axis'], 'eight'),
        node('Transpose', ['eight'], 'turned', { perm: [1n, 0n, 2n] }),
        node('Cast', ['turned'], 'codes', { to: 7 }),
      ],
      initializers: [
        float32('shift', [1], () => 0.5),
        float32('scale', [1], () => 1023),
        float32('low', [], () => 0),
        float32('high', [], () => 1023),
        int64('from', [0]),
        int64('to', [8]),
        int64('axis', [1]),
      ],
    }),
  }
}

/** A byte-level tokenizer in the format of the real one: 256 letters, no merges, and the control tokens. */
export function tokenizerJson(special: readonly string[] = SPECIAL): string {
  const printable = [...Array(94).keys()]
    .map((at) => at + 33)
    .concat(
      [...Array(12).keys()].map((at) => at + 161),
      [...Array(82).keys()].map((at) => at + 174),
    )
  let spare = 0
  const letters = [...Array(256).keys()].map((byte) => String.fromCodePoint(printable.includes(byte) ? byte : 256 + spare++))
  const added = special.map((content, at) => ({
    id: 256 + at,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  }))
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: { type: 'NFC' },
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: true },
    post_processor: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(letters.map((letter, byte) => [letter, byte])),
      merges: [],
    },
  })
}

/** A backbone with a letter that no arithmetic survives; the check at load does not meet it. */
export function brokenLater(): Record<string, Uint8Array> {
  const next = seededRandom(1).unit
  const data = [...embedData(next), ...mixData(), ...headData(next)]
  // The letter Q; the check at load says "Hello." and nothing with a Q.
  const table = data.find(({ name }) => name === 'table')!.values as Float32Array
  table.fill(Number.NaN, 81 * HIDDEN, 82 * HIDDEN)
  const nodes = [...embedNodes('embedded'), ...mixNodes('embedded', 'mixed_columns', 'none'), ...headNodes('mixed_columns')]
  return { 'omnivoice_backbone.onnx': model({ inputs: [INPUT_IDS, AUDIO_MASK], outputs: [LOGITS], nodes, initializers: data }) }
}

export type Tiny = { readonly folder: string; readonly filesOf: FilesOf }

/** A downloaded model in a folder of its own, which goes with the test. */
export function tinyModel(t: TestContext, backbone: Record<string, Uint8Array>, more: Record<string, Uint8Array | string> = {}): Tiny {
  const folder = mkdtempSync(join(tmpdir(), 'omnivoice-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const all: Record<string, Uint8Array | string> = { ...backbone, ...codecFiles(), 'tokenizer.json': tokenizerJson(), ...more }
  for (const [name, bytes] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), bytes)
  }
  const names = Object.keys(all).filter((name) => name !== 'manifest.json')
  const files = new Map(names.map((name) => [name, join(folder, name)]))
  return { folder, filesOf: (engine, wanted) => (engine === 'svc-engine' && wanted === '' ? files : null) }
}
