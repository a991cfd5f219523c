// Networks of a given size for benchmarks: square layers whose random weights are in a separate file, and small matrices inside the graph.

import { seededRandom } from '#agent/engine/seam/random.ts'
import type { Initializer, Node } from '#test/support/models/onnx-graph.ts'

type Layers = { readonly count: number; readonly width: number; readonly from: string; readonly into: string; readonly file: string }
/** `from` -> layers of MatMul and Tanh over rows of `width` values -> `into`. Their weights are stored consecutively in `file`. */
export function layers({ count, width, from, into, file }: Layers): { nodes: Node[]; initializers: Initializer[] } {
  const bytes = width * width * 4
  const nodes: Node[] = []
  const initializers: Initializer[] = []
  let last = from
  for (let layer = 0; layer < count; layer++) {
    const [weights, sum, out] = [`w${layer}`, `m${layer}`, layer === count - 1 ? into : `t${layer}`]
    nodes.push({ op: 'MatMul', inputs: [last, weights], outputs: [sum] }, { op: 'Tanh', inputs: [sum], outputs: [out] })
    const values = { file, offset: layer * bytes, length: bytes }
    initializers.push({ name: weights, type: 'float32', dims: [width, width], values })
    last = out
  }
  return { nodes, initializers }
}
export const matrix = (name: string, rows: number, columns: number): Initializer => {
  const random = seededRandom(rows, columns)
  return {
    name,
    type: 'float32',
    dims: [rows, columns],
    values: Float32Array.from({ length: rows * columns }, () => random.gaussian() / 32),
  }
}
