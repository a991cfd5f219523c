// The Higgs audio codec of OmniVoice: converts 24 kHz samples to eight rows of codes and back, 960 samples per frame. It runs once per text
// or voice and stays on the CPU, so that the backbone has all memory of the device.

import { type ExpectedTensor, floatOutput, floats, type Graph, type GraphFactory, longs } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { CODEBOOKS } from './loop/scoring.ts'

export const OMNIVOICE_SAMPLE_RATE = 24_000
export const FRAME_SAMPLES = 960
const SEMANTIC_SAMPLE_RATE = 16_000

export type CodecFiles = {
  readonly decoder: string
  /** Null when the encoders are not downloaded; cloning is then not possible. */
  readonly encoder: { readonly acoustic: string; readonly semantic: string; readonly quantizer: string } | null
}
export type Codec = {
  /** Returns `frames` * 960 samples. Throws WORKER_FAILED, NON_FINITE_OUTPUT. */
  readonly decode: (codes: Int32Array, frames: number) => Promise<Float32Array>
  /** `samples`: 24 kHz, a multiple of 960 samples. `resample` returns the same recording at another rate. Throws MODEL_NOT_DOWNLOADED. */
  readonly encode: (
    samples: Float32Array,
    resample: (to: number) => Promise<Float32Array>,
  ) => Promise<{ codes: Int32Array; frames: number }>
  readonly close: () => Promise<void>
}

const float = (name: string, dims: readonly (number | null)[]): ExpectedTensor => ({ name, type: 'float32', rank: dims.length, dims })
const CODES: ExpectedTensor = { name: 'codes', type: 'int64', rank: 3, dims: [CODEBOOKS, null, null] }
const WAVE_24 = float('waveform_24k', [null, 1, null])
const WAVE_16 = float('waveform_16k', [null, null])
const ACOUSTIC = float('acoustic_features', [null, 256, null])
const SEMANTIC = float('semantic_features', [null, 768, null])

export async function openCodec(files: CodecFiles, openGraph: GraphFactory): Promise<Codec> {
  const opened: Graph[] = []
  const open = async (file: string, inputs: readonly ExpectedTensor[], outputs: readonly ExpectedTensor[]) => {
    const graph = await openGraph(file, { device: 'cpu', contract: { inputs, outputs } })
    opened.push(graph)
    return graph
  }
  const decoder = await open(files.decoder, [CODES], [WAVE_24])
  // The encoders are six times as large as the decoder and opened only for the first reference voice.
  let encoders: Promise<{ acoustic: Graph; semantic: Graph; quantizer: Graph }> | null = null
  const openEncoders = async (paths: NonNullable<CodecFiles['encoder']>) => ({
    acoustic: await open(paths.acoustic, [WAVE_24], [ACOUSTIC]),
    semantic: await open(paths.semantic, [WAVE_16], [SEMANTIC]),
    quantizer: await open(paths.quantizer, [ACOUSTIC, SEMANTIC], [CODES]),
  })

  return {
    async decode(codes, frames) {
      const wave = floatOutput(await decoder.run({ codes: longs(codes, [CODEBOOKS, 1, frames]) }), 'waveform_24k')
      if (wave.length !== frames * FRAME_SAMPLES) {
        throw new Failure('WORKER_FAILED', `The codec returned ${wave.length} samples for ${frames} frames, not ${frames * FRAME_SAMPLES}.`)
      }
      if (!wave.every((sample) => Number.isFinite(sample)))
        throw new Failure('NON_FINITE_OUTPUT', 'The codec returned samples that are not finite.')
      return wave
    },

    async encode(samples, resample) {
      if (!files.encoder)
        throw new Failure('MODEL_NOT_DOWNLOADED', 'A reference voice needs the encoders of the codec. Download the model again with them.')
      encoders ??= openEncoders(files.encoder).catch((error) => {
        encoders = null
        throw error
      })
      const { acoustic, semantic, quantizer } = await encoders
      const downsampled = await resample(SEMANTIC_SAMPLE_RATE)
      const acousticFeatures = await acoustic.run({ waveform_24k: floats(samples, [1, 1, samples.length]) })
      const semanticFeatures = await semantic.run({ waveform_16k: floats(downsampled, [1, downsampled.length]) })
      // The two networks round the length differently.
      const frames = Math.min(acousticFeatures['acoustic_features']!.dims[2]!, semanticFeatures['semantic_features']!.dims[2]!)
      if (frames < 1) throw new Failure('INVALID_TASK_PARAMS', 'reference: The recording is too short.')
      const quantized = await quantizer.run({
        acoustic_features: floats(firstFrames(floatOutput(acousticFeatures, 'acoustic_features'), 256, frames), [1, 256, frames]),
        semantic_features: floats(firstFrames(floatOutput(semanticFeatures, 'semantic_features'), 768, frames), [1, 768, frames]),
      })
      const { values, dims } = quantized['codes']!
      const count = dims[2]!
      const codes = Int32Array.from({ length: CODEBOOKS * count }, (_, at) => Number(values[at]))
      if (codes.some((code) => !(code >= 0 && code < 1024)))
        throw new Failure('WORKER_FAILED', 'The codec returned codes outside its range.')
      return { codes, frames: count }
    },

    close: async () => {
      for (const graph of opened) await graph.close()
    },
  }
}

/** The first `frames` of each of `channels` rows. */
function firstFrames(values: Float32Array, channels: number, frames: number): Float32Array {
  const all = values.length / channels
  if (all === frames) return values
  const kept = new Float32Array(channels * frames)
  for (let channel = 0; channel < channels; channel++) kept.set(values.subarray(channel * all, channel * all + frames), channel * frames)
  return kept
}
