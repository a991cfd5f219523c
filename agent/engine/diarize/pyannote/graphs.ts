// The two networks of diarisation: who speaks in a window of ten seconds, and the direction of a voice.
import { isAllFinite } from '#agent/engine/runtimes/onnx/finite.ts'
import { type ExpectedTensor, floatOutput, floats, type Graph, type GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { activityOf, CLASS_COUNT, FRAMES, WINDOW_SAMPLES, type WindowActivity } from './activity.ts'
import { BANDS, createFbank, withoutMeans } from './fbank.ts'

export type DiarisationGraphs = {
  readonly device: string
  readonly reason: string
  /** Activity in the samples of a window, which may end early. */
  readonly activityIn: (samples: Float32Array) => Promise<WindowActivity>
  /** Null for sound that is too short for a frame or has no direction. */
  readonly vectorOf: (samples: Float32Array) => Promise<Float32Array | null>
  readonly close: () => Promise<void>
}

const tensor = (name: string, rank: number, dims: ExpectedTensor['dims'], aliases: readonly string[]): ExpectedTensor => ({
  name,
  type: 'float32',
  rank,
  ...(dims && { dims }),
  aliases,
})
const SEGMENTATION = {
  inputs: [tensor('x', 3, [null, 1, null], ['input_values'])],
  outputs: [tensor('y', 3, [null, null, CLASS_COUNT], ['logits'])],
}
/** The names of WeSpeaker, then those of 3D-Speaker. */
const EMBEDDING = {
  inputs: [tensor('feats', 3, [null, null, BANDS], ['x'])],
  outputs: [tensor('embs', 2, undefined, ['embedding'])],
}
/** Features that the two networks were trained with. */
const FEATURES = { feats: { window: 'hamming', scale: 32_768 }, x: { window: 'povey', scale: 1 } } as const
/** The network halves its frames several times. */
const MIN_FRAMES = 8

export async function openDiarisation(
  files: { readonly segmentation: string; readonly embedding: string },
  open: GraphFactory,
): Promise<DiarisationGraphs> {
  // The networks are small, and windows are computed one by one.
  const segmentation = await open(files.segmentation, { device: 'cpu', contract: SEGMENTATION })
  let embedding: Graph
  try {
    embedding = await open(files.embedding, { device: 'cpu', contract: EMBEDDING })
  } catch (error) {
    await segmentation.close()
    throw error
  }
  const fbank = createFbank(FEATURES[embedding.inputs[0]!.name === 'x' ? 'x' : 'feats'])
  return {
    device: embedding.device,
    reason: embedding.reason,
    async activityIn(samples) {
      const window = new Float32Array(WINDOW_SAMPLES)
      window.set(samples)
      const scores = floatOutput(await segmentation.run({ x: floats(window, [1, 1, WINDOW_SAMPLES]) }), 'y')
      if (scores.length !== FRAMES * CLASS_COUNT)
        throw new Failure(
          'MODEL_NOT_DOWNLOADED',
          `The segmentation network is the wrong export: it has ${scores.length} scores for a window. Download the model again.`,
        )
      return activityOf(finite(scores, 'segmentation'))
    },
    async vectorOf(samples) {
      const features = withoutMeans(fbank(samples))
      const frames = features.length / BANDS
      if (frames < MIN_FRAMES) return null
      const vector = floatOutput(await embedding.run({ feats: floats(features, [1, frames, BANDS]) }), 'embs')
      return finite(vector, 'embedding').some((value) => value !== 0) ? vector.slice() : null
    },
    async close() {
      await segmentation.close()
      await embedding.close()
    },
  }
}

function finite(values: Float32Array, what: string): Float32Array {
  if (isAllFinite(values)) return values
  throw new Failure('NON_FINITE_OUTPUT', `The ${what} network returned values that are not finite.`)
}
