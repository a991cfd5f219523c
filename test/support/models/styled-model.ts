// The graph of Kokoro and KittenTTS with a known result: each id produces PER_ID samples at speed 1, with the value id/1000 + the first style
// value. `frame`: samples per frame of the output `duration`; without it the graph has no such output. `idsName` and `speedType`: as other
// exports have them.

import { model } from './onnx-graph.ts'

export const PER_ID = 2_400

type Planted = {
  readonly factor?: number
  readonly idsType?: 'int64' | 'int32'
  readonly frame?: number
  readonly idsName?: string
  readonly speedType?: 'float32' | 'int32'
}
export const styledGraph = ({
  factor = 1,
  idsType = 'int64',
  frame,
  idsName = 'input_ids',
  speedType = 'float32',
}: Planted = {}): Uint8Array =>
  model({
    inputs: [
      { name: idsName, type: idsType, dims: [1, 'n'] },
      { name: 'style', type: 'float32', dims: [1, 256] },
      { name: 'speed', type: speedType, dims: [1] },
    ],
    outputs: [
      { name: 'waveform', type: 'float32', dims: [1, 'samples'] },
      ...(frame ? [{ name: 'duration', type: 'int64' as const, dims: ['n'] }] : []),
    ],
    nodes: [
      { op: 'Cast', inputs: [idsName], outputs: ['ids'], attributes: { to: 1 } },
      { op: 'Mul', inputs: ['ids', 'thousandth'], outputs: ['small'] },
      { op: 'Slice', inputs: ['style', 'zero', 'one', 'one'], outputs: ['first'] },
      { op: 'Add', inputs: ['small', 'first'], outputs: ['plain'] },
      { op: 'Mul', inputs: ['plain', 'factor'], outputs: ['values'] },
      { op: 'Unsqueeze', inputs: ['values', 'two'], outputs: ['column'] },
      { op: 'Cast', inputs: ['speed'], outputs: ['pace'], attributes: { to: 1 } },
      { op: 'Div', inputs: ['per', 'pace'], outputs: ['length'] },
      { op: 'Cast', inputs: ['length'], outputs: ['count'], attributes: { to: 7 } },
      { op: 'Concat', inputs: ['ones', 'count'], outputs: ['wide'], attributes: { axis: 0 } },
      { op: 'Expand', inputs: ['column', 'wide'], outputs: ['spread'] },
      { op: 'Reshape', inputs: ['spread', 'row'], outputs: ['waveform'] },
      ...(frame
        ? [
            { op: 'Div', inputs: ['count', 'frame'], outputs: ['frames'] },
            { op: 'Shape', inputs: [idsName], outputs: ['shape'] },
            { op: 'Slice', inputs: ['shape', 'one', 'two', 'zero'], outputs: ['ids_count'] },
            { op: 'Expand', inputs: ['frames', 'ids_count'], outputs: ['duration'] },
          ]
        : []),
    ],
    initializers: [
      { name: 'thousandth', type: 'float32', dims: [], values: [0.001] },
      { name: 'factor', type: 'float32', dims: [], values: [factor] },
      { name: 'zero', type: 'int64', dims: [1], values: [0] },
      { name: 'one', type: 'int64', dims: [1], values: [1] },
      { name: 'two', type: 'int64', dims: [1], values: [2] },
      { name: 'per', type: 'float32', dims: [1], values: [PER_ID] },
      { name: 'ones', type: 'int64', dims: [2], values: [1, 1] },
      { name: 'row', type: 'int64', dims: [2], values: [1, -1] },
      ...(frame ? [{ name: 'frame', type: 'int64' as const, dims: [1], values: [frame] }] : []),
    ],
  })

/** A table of voices whose row r starts with r / 1000. */
export function voiceTable(rows: number): Float32Array {
  const table = new Float32Array(rows * 256)
  for (let row = 0; row < rows; row++) table[row * 256] = row / 1000
  return table
}

/** The ids that the graph received, derived from its output. */
export const idsHeard = (samples: Float32Array, row: number, perId = PER_ID): number[] =>
  Array.from({ length: Math.floor(samples.length / perId) }, (_, at) => Math.round((samples[at * perId]! - row / 1000) * 1000) + 0)
