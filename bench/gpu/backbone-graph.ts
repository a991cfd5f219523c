// A backbone in the shape of OmniVoice with random weights: the layers, sizes, names and types of the real one. The weights of all tensors are
// windows of one noise file, so that gigabytes of model need 64 MB of disk.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { seededRandom } from '#agent/engine/seam/random.ts'
import { type Initializer, model, type Node } from '#test/support/models/onnx-graph.ts'

export type Shape = {
  readonly layers: number
  readonly hidden: number
  readonly heads: number
  readonly sharedHeads: number
  readonly headSize: number
  readonly inner: number
  /** Rows of the text table. The cost of a lookup does not depend on its length, so it is shorter than the real one. */
  readonly words: number
}
export const REAL: Shape = { layers: 28, hidden: 1024, heads: 16, sharedHeads: 8, headSize: 128, inner: 3072, words: 4096 }
export const SMALL: Shape = { layers: 2, hidden: 64, heads: 4, sharedHeads: 2, headSize: 16, inner: 128, words: 2048 }

const [CODEBOOKS, CLASSES, POSITIONS] = [8, 1025, 2048]
const NOISE_BYTES = 64 * 1024 ** 2
const PAGE = 4096

export const parametersOf = ({ layers, hidden, heads, sharedHeads, headSize, inner }: Shape): number =>
  layers * hidden * headSize * (2 * heads + 2 * sharedHeads) + layers * 3 * hidden * inner + 2 * hidden * CODEBOOKS * CLASSES

/** Writes the graph and its noise into `folder`; returns the path of the graph. */
export function writeBackbone(folder: string, shape: Shape): string {
  const { layers, hidden, heads, sharedHeads, headSize, inner, words } = shape
  const next = seededRandom(1).unit
  const noise = Float32Array.from({ length: NOISE_BYTES / 4 }, () => (next() - 0.5) * 0.07) // the spread of a Gaussian of 0.02
  writeFileSync(join(folder, 'noise.bin'), noise)

  const nodes: Node[] = []
  const initializers: Initializer[] = []
  let names = 0
  const add = (op: string, inputs: string[], attributes: Node['attributes'] = {}, output = `t${names++}`): string => {
    nodes.push({ op, inputs, outputs: [output], attributes })
    return output
  }
  const weights = (...dims: number[]): string => {
    const name = `w${names++}`
    const length = dims.reduce((a, b) => a * b, 4)
    const offset = Math.floor((next() * (NOISE_BYTES - length)) / PAGE) * PAGE
    initializers.push({ name, type: 'float32', dims, values: { file: 'noise.bin', offset, length } })
    return name
  }
  const constant = (type: 'float32' | 'int64', dims: number[], values: ArrayLike<number>): string => {
    const name = `c${names++}`
    initializers.push({ name, type, dims, values })
    return name
  }
  const longs = (...values: number[]) => constant('int64', [values.length], values)
  const scalar = (value: number) => constant('float32', [], [value])

  const tiny = scalar(1e-6)
  const normalised = (x: string, size: number): string => {
    const mean = add('ReduceMean', [add('Mul', [x, x])], { axes: [-1n], keepdims: 1 })
    const scale = add('Sqrt', [add('Add', [mean, tiny])])
    return add('Mul', [add('Div', [x, scale]), constant('float32', [size], new Float32Array(size).fill(1))])
  }
  const angles = (read: (angle: number) => number) =>
    constant(
      'float32',
      [POSITIONS, headSize],
      Float32Array.from({ length: POSITIONS * headSize }, (_, at) => {
        const pair = (at % headSize) % (headSize / 2)
        return read(Math.floor(at / headSize) / 1e6 ** ((2 * pair) / headSize))
      }),
    )
  const ones = longs(1)
  const rotationsOf = (table: string) => add('Unsqueeze', [add('Gather', [table, 'position_ids']), ones])
  const [cos, sin] = [rotationsOf(angles(Math.cos)), rotationsOf(angles(Math.sin))]
  const [zero, half, end, last] = [longs(0), longs(headSize / 2), longs(headSize), longs(3)]
  const rotated = (x: string): string => {
    const front = add('Slice', [x, zero, half, last])
    const back = add('Neg', [add('Slice', [x, half, end, last])])
    return add('Add', [add('Mul', [x, cos]), add('Mul', [add('Concat', [back, front], { axis: -1 }), sin])])
  }

  // Embeddings: the text table for text, the sum over codebooks for audio.
  const highest = constant('int64', [], [CLASSES - 1])
  const offsets = constant(
    'int64',
    [1, CODEBOOKS, 1],
    Array.from({ length: CODEBOOKS }, (_, book) => book * CLASSES),
  )
  const shifted = add('Add', [add('Min', ['input_ids', highest]), offsets])
  const audio = add('ReduceSum', [add('Gather', [weights(CODEBOOKS * CLASSES, hidden), shifted]), ones], { keepdims: 0 })
  const firstRow = add('Squeeze', [add('Slice', ['input_ids', zero, ones, ones]), ones])
  const text = add('Gather', [weights(words, hidden), firstRow])
  let x = add('Where', [add('Unsqueeze', ['audio_mask', longs(2)]), audio, text])
  const masked = add('Where', ['attention_mask', scalar(0), scalar(-1e9)])

  const [split, sharedSplit, joined] = [longs(0, 0, heads, headSize), longs(0, 0, sharedHeads, headSize), longs(0, 0, heads * headSize)]
  const [repeated, two] = [longs(0, heads, -1, headSize), longs(2)]
  const scale = scalar(headSize ** -0.5)
  const spread = (y: string): string => {
    const lifted = add('Unsqueeze', [y, two])
    const copies = Array.from({ length: heads / sharedHeads }, () => lifted)
    return add('Reshape', [add('Concat', copies, { axis: 2 }), repeated])
  }
  const byHead = (y: string) => add('Transpose', [y], { perm: [0n, 2n, 1n, 3n] })
  for (let layer = 0; layer < layers; layer++) {
    const y = normalised(x, hidden)
    const projected = (count: number, shapeOf: string) => add('Reshape', [add('MatMul', [y, weights(hidden, count * headSize)]), shapeOf])
    const q = rotated(byHead(normalised(projected(heads, split), headSize)))
    const k = spread(rotated(byHead(normalised(projected(sharedHeads, sharedSplit), headSize))))
    const v = spread(byHead(projected(sharedHeads, sharedSplit)))
    const products = add('MatMul', [q, add('Transpose', [k], { perm: [0n, 1n, 3n, 2n] })])
    const attention = add('Softmax', [add('Add', [add('Mul', [products, scale]), masked])], { axis: -1 })
    const attended = add('Reshape', [byHead(add('MatMul', [attention, v])), joined])
    x = add('Add', [x, add('MatMul', [attended, weights(heads * headSize, hidden)])])
    const z = normalised(x, hidden)
    const gate = add('MatMul', [z, weights(hidden, inner)])
    const open = add('Mul', [gate, add('Sigmoid', [gate])])
    const wide = add('Mul', [open, add('MatMul', [z, weights(hidden, inner)])])
    x = add('Add', [x, add('MatMul', [wide, weights(inner, hidden)])])
  }
  const flat = add('MatMul', [normalised(x, hidden), weights(hidden, CODEBOOKS * CLASSES)])
  add('Transpose', [add('Reshape', [flat, longs(0, 0, CODEBOOKS, CLASSES)])], { perm: [0n, 2n, 1n, 3n] }, 'logits')

  const file = join(folder, 'omnivoice_backbone.onnx')
  const bytes = model({
    inputs: [
      { name: 'input_ids', type: 'int64', dims: ['B', CODEBOOKS, 'S'] },
      { name: 'audio_mask', type: 'bool', dims: ['B', 'S'] },
      { name: 'attention_mask', type: 'bool', dims: ['B', 1, 'S', 'S'] },
      { name: 'position_ids', type: 'int64', dims: ['B', 'S'] },
    ],
    outputs: [{ name: 'logits', type: 'float32', dims: ['B', CODEBOOKS, 'S', CLASSES] }],
    nodes,
    initializers,
  })
  writeFileSync(file, bytes)
  return file
}
