// Graphs with known results for several tests.
import { model } from './onnx-graph.ts'

/** x f32[1, n, 4] -> y of the same shape: every position depends on all positions, or only on itself and earlier ones. */
export const mixing = (isCausal: boolean): Uint8Array =>
  model({
    inputs: [{ name: 'x', type: 'float32', dims: [1, 'n', 4] }],
    outputs: [{ name: 'y', type: 'float32', dims: [1, 'n', 4] }],
    nodes: isCausal
      ? [{ op: 'CumSum', inputs: ['x', 'axis'], outputs: ['y'] }]
      : [
          { op: 'ReduceSum', inputs: ['x', 'axes'], outputs: ['all'] },
          { op: 'Add', inputs: ['x', 'all'], outputs: ['y'] },
        ],
    initializers: isCausal
      ? [{ name: 'axis', type: 'int64', dims: [], values: [1] }]
      : [{ name: 'axes', type: 'int64', dims: [1], values: [1] }],
  })
