// The two networks of diarisation with planted outputs, and sound that they tell apart: the pitch determines the speaker.
import { model } from '#test/support/models/onnx-graph.ts'

/** A voice that changes between two pitches ten times a second, above a little noise. At 16 kHz. */
export const spoken = (hertz: number, seconds: number): Float32Array =>
  Float32Array.from({ length: seconds * 16_000 }, (_, at) => {
    const pitch = Math.floor(at / 1_600) % 2 === 0 ? hertz : hertz * 1.7
    return 0.5 * Math.sin((2 * Math.PI * pitch * at) / 16_000) + 0.008 * Math.sin(at * at * 0.7)
  })

const SHIFT = 270

/**
 * pyannote's: ten seconds in, for each frame one of seven sets of speakers out. A low voice is the first one's, a high one the second's.
 */
export const segmentation = (): Uint8Array =>
  model({
    inputs: [{ name: 'x', type: 'float32', dims: ['N', 1, 'T'] }],
    outputs: [{ name: 'y', type: 'float32', dims: ['N', 'frames', 7] }],
    nodes: [
      { op: 'Conv', inputs: ['x', 'difference'], outputs: ['steep'], attributes: { kernel_shape: [2n], pads: [1n, 0n] } },
      { op: 'Concat', inputs: ['x', 'steep'], outputs: ['both'], attributes: { axis: 1 } },
      { op: 'Abs', inputs: ['both'], outputs: ['loud'] },
      { op: 'AveragePool', inputs: ['loud'], outputs: ['mean'], attributes: { kernel_shape: [991n], strides: [BigInt(SHIFT)] } },
      { op: 'Transpose', inputs: ['mean'], outputs: ['frames'], attributes: { perm: [0n, 2n, 1n] } },
      { op: 'MatMul', inputs: ['frames', 'scale'], outputs: ['scaled'] },
      { op: 'Add', inputs: ['scaled', 'base'], outputs: ['y'] },
    ],
    initializers: [
      { name: 'difference', type: 'float32', dims: [1, 1, 2], values: [-1, 1] },
      { name: 'scale', type: 'float32', dims: [2, 7], values: [0, 100, 0, 0, 0, 0, 0, 0, -300, 100, 0, 0, 0, 0] },
      { name: 'base', type: 'float32', dims: [7], values: [1, 0, -9, -9, -9, -9, -9] },
    ],
  })

/**
 * WeSpeaker's: eighty bands of each frame in, one direction per voice out: here how much each band changes, without what the bands have in
 * common. The means of the bands are not in the features.
 */
export const embedding = (): Uint8Array =>
  model({
    inputs: [{ name: 'feats', type: 'float32', dims: ['N', 'T', 80] }],
    outputs: [{ name: 'embs', type: 'float32', dims: ['N', 80] }],
    nodes: [
      { op: 'Abs', inputs: ['feats'], outputs: ['changes'] },
      { op: 'ReduceMean', inputs: ['changes'], outputs: ['bands'], attributes: { axes: [1n], keepdims: 0 } },
      { op: 'ReduceMean', inputs: ['bands'], outputs: ['level'], attributes: { axes: [1n], keepdims: 1 } },
      { op: 'Sub', inputs: ['bands', 'level'], outputs: ['embs'] },
    ],
  })
