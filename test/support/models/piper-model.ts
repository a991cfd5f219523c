// A Piper voice with a known result: each id produces PIPER_PER_ID samples at speed 1, with the value id/1000 + speaker/2, and noise of a seed below that.
// As in a real one, a part of the length of an id does not follow the scale.
import { model } from './onnx-graph.ts'

export const PIPER_PER_ID = 480
const FIXED = (PIPER_PER_ID * 0.45) / ((0.0244 * 22_050) / 256)

type Planted = { readonly speakers?: boolean; readonly random?: string; readonly idsType?: 'int64' | 'int32'; readonly factor?: number }
export const piperGraph = ({ speakers = false, random = 'RandomNormalLike', idsType = 'int64', factor = 1 }: Planted = {}): Uint8Array =>
  model({
    opset: 15,
    inputs: [
      { name: 'input', type: idsType, dims: ['batch_size', 'phonemes'] },
      { name: 'input_lengths', type: 'int64', dims: ['batch_size'] },
      { name: 'scales', type: 'float32', dims: [3] },
      ...(speakers ? [{ name: 'sid', type: 'int64' as const, dims: ['batch_size'] }] : []),
    ],
    outputs: [{ name: 'output', type: 'float32', dims: ['batch_size', 1, 'unknown', 'time'] }],
    nodes: [
      { op: 'Cast', inputs: ['input'], outputs: ['ids'], attributes: { to: 1 } },
      { op: 'Mul', inputs: ['ids', 'thousandth'], outputs: ['small'] },
      { op: random, inputs: ['small'], outputs: ['random'], attributes: { dtype: 1 } },
      { op: 'Slice', inputs: ['scales', 'zero', 'one'], outputs: ['noise_scale'] },
      { op: 'Slice', inputs: ['scales', 'one', 'two'], outputs: ['length_scale'] },
      { op: 'Mul', inputs: ['random', 'noise_scale'], outputs: ['scaled'] },
      { op: 'Mul', inputs: ['scaled', 'tiny'], outputs: ['noisy'] },
      { op: 'Add', inputs: ['small', 'noisy'], outputs: ['plain'] },
      ...(speakers
        ? [
            { op: 'Cast', inputs: ['sid'], outputs: ['speaker'], attributes: { to: 1 } },
            { op: 'Mul', inputs: ['speaker', 'half'], outputs: ['offset'] },
            { op: 'Add', inputs: ['plain', 'offset'], outputs: ['values'] },
          ]
        : [{ op: 'Mul', inputs: ['plain', 'factor'], outputs: ['values'] }]),
      { op: 'Unsqueeze', inputs: ['values', 'two'], outputs: ['column'] },
      { op: 'Mul', inputs: ['per', 'length_scale'], outputs: ['stretched'] },
      { op: 'Add', inputs: ['stretched', 'fixed'], outputs: ['length'] },
      { op: 'Cast', inputs: ['length'], outputs: ['count'], attributes: { to: 7 } },
      { op: 'Concat', inputs: ['ones', 'count'], outputs: ['wide'], attributes: { axis: 0 } },
      { op: 'Expand', inputs: ['column', 'wide'], outputs: ['spread'] },
      { op: 'Reshape', inputs: ['spread', 'row'], outputs: ['output'] },
    ],
    initializers: [
      { name: 'thousandth', type: 'float32', dims: [], values: [0.001] },
      { name: 'tiny', type: 'float32', dims: [], values: [1e-5] },
      { name: 'half', type: 'float32', dims: [], values: [0.5] },
      { name: 'factor', type: 'float32', dims: [], values: [factor] },
      { name: 'zero', type: 'int64', dims: [1], values: [0] },
      { name: 'one', type: 'int64', dims: [1], values: [1] },
      { name: 'two', type: 'int64', dims: [1], values: [2] },
      { name: 'per', type: 'float32', dims: [1], values: [PIPER_PER_ID - FIXED] },
      { name: 'fixed', type: 'float32', dims: [1], values: [FIXED + 0.01] },
      { name: 'ones', type: 'int64', dims: [2], values: [1, 1] },
      { name: 'row', type: 'int64', dims: [4], values: [1, 1, 1, -1] },
    ],
  })

const SYMBOLS = [...'_^$ .abcdefghijklmnopqrstuvwxyz\u0301']
/** `symbols`: in the order of their ids, from 0. */
export const piperConfig = (more: object = {}, symbols: readonly string[] = SYMBOLS): string =>
  JSON.stringify({
    audio: { sample_rate: 22_050, quality: 'medium' },
    espeak: { voice: 'en-us' },
    inference: { noise_scale: 0.667, length_scale: 1, noise_w: 0.8 },
    phoneme_type: 'espeak',
    phoneme_id_map: Object.fromEntries(symbols.map((symbol, id) => [symbol, [id]])),
    num_symbols: 256,
    num_speakers: 1,
    speaker_id_map: {},
    language: { code: 'en_US', family: 'en', name_english: 'English' },
    ...more,
  })

export const piperFiles = (name: string, config = piperConfig(), graph = piperGraph()): Record<string, Uint8Array | string> => ({
  [`${name}.onnx`]: graph,
  [`${name}.onnx.json`]: config,
})
