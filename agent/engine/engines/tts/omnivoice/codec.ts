// The Higgs audio codec of OmniVoice: 24 kHz samples to eight rows of codes and back, 960 samples to a frame. It runs once per text or voice
// and stays on the CPU, so that the device's memory is the backbone's.

import { type ExpectedTensor, floatOutput, floats, type Graph, type GraphFactory, longs } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { CODEBOOKS } from './scoring.ts'

export const OMNIVOICE_SAMPLE_RATE = 24_000
export const FRAME_SAMPLES = 960
const SEMANTIC_RATE = 16_000

export type CodecFiles = {
  readonly decoder: string
  /** Null when the encoders were not downloaded: then no voice can be followed. */
  readonly encoder: { readonly acoustic: string; readonly semantic: string; readonly quantizer: string } | null
}
export type Codec = {
  /** Samples, `frames` * 960 of them. */
  readonly decode: (codes: Int32Array, frames: number) => Promise<Float32Array>
  /** Codes of 24 kHz samples whose count is a multiple of 960. `resample` is asked for the same at 16 kHz. */
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
  // The encoders weigh six times the decoder and most people never bring a voice: they are opened when one comes.
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
        throw new Failure('WORKER_FAILED', `the codec made ${wave.length} samples of ${frames} frames, not ${frames * FRAME_SAMPLES}`)
      }
      if (!wave.every((sample) => Number.isFinite(sample)))
        throw new Failure('NON_FINITE_OUTPUT', 'the codec made samples that are not numbers')
      return wave
    },

    async encode(samples, resample) {
      if (!files.encoder)
        throw new Failure('MODEL_NOT_DOWNLOADED', 'a reference voice needs the codec encoders; download the model again with them')
      encoders ??= openEncoders(files.encoder).catch((error) => {
        encoders = null
        throw error
      })
      const { acoustic, semantic, quantizer } = await encoders
      const slow = await resample(SEMANTIC_RATE)
      const sound = await acoustic.run({ waveform_24k: floats(samples, [1, 1, samples.length]) })
      const sense = await semantic.run({ waveform_16k: floats(slow, [1, slow.length]) })
      // The two networks round their ends differently.
      const frames = Math.min(sound['acoustic_features']!.dims[2]!, sense['semantic_features']!.dims[2]!)
      if (frames < 1) throw new Failure('INVALID_TASK_PARAMS', 'reference: too short to hear a voice in it')
      const made = await quantizer.run({
        acoustic_features: floats(cut(floatOutput(sound, 'acoustic_features'), 256, frames), [1, 256, frames]),
        semantic_features: floats(cut(floatOutput(sense, 'semantic_features'), 768, frames), [1, 768, frames]),
      })
      const { values, dims } = made['codes']!
      const count = dims[2]!
      const codes = Int32Array.from({ length: CODEBOOKS * count }, (_, at) => Number(values[at]))
      if (codes.some((code) => !(code >= 0 && code < 1024))) throw new Failure('WORKER_FAILED', 'the codec made codes that do not exist')
      return { codes, frames: count }
    },

    close: async () => {
      for (const graph of opened) await graph.close()
    },
  }
}

/** The first `frames` of each of `channels` rows. */
function cut(values: Float32Array, channels: number, frames: number): Float32Array {
  const all = values.length / channels
  if (all === frames) return values
  const kept = new Float32Array(channels * frames)
  for (let channel = 0; channel < channels; channel++) kept.set(values.subarray(channel * all, channel * all + frames), channel * frames)
  return kept
}
