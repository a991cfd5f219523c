// The graph of Kokoro and KittenTTS: token ids, one style row of a voice and a speed in, samples out. Output that overflows in half
// precision is computed again in single precision.

import { finiteFloats } from '#agent/engine/runtimes/onnx/finite.ts'
import {
  floatOutput,
  floats,
  type Graph,
  type GraphContract,
  type GraphFactory,
  longs,
  type Tensor,
} from '#agent/engine/runtimes/onnx/session.ts'

export const STYLED_SAMPLE_RATE = 24_000
export const STYLE_WIDTH = 256
const FRAMES = 'duration'

/**
 * The names of the first input, the type of the last and the name and rank of the output differ between exports (those of onnx-community and of the
 * project kokoro-onnx); the first output is the samples.
 */
export const STYLED_CONTRACT: GraphContract = {
  inputs: [
    { name: 'input_ids', aliases: ['tokens'], type: 'int64', rank: 2 },
    { name: 'style', type: 'float32', rank: 2, dims: [null, STYLE_WIDTH] },
    { name: 'speed', type: 'float32', rank: 1, orWhole: true },
  ],
  outputs: [],
}

export type StyledSpeech = { readonly samples: Float32Array; readonly frames: number | null }
export type StyledGraph = {
  readonly device: string
  readonly reason: string
  /** The graph takes whole numbers as speed only. */
  readonly hasWholeSpeeds: boolean
  readonly speak: (ids: readonly number[], style: Float32Array, speed: number) => Promise<Float32Array>
  /** The same, with the sum of the output `duration` (frames per id); null for an export without it. */
  readonly speakFrames: (ids: readonly number[], style: Float32Array, speed: number) => Promise<StyledSpeech>
  readonly close: () => Promise<void>
}

/**
 * `single`: path of the same graph in single precision, opened on the CPU when first needed; null when there is none. `rewrite`: as in GraphOptions, of
 * `file`.
 */
export async function openStyledGraph(
  options: { file: string; device: string; single: string | null; what: string; rewrite?: (model: Buffer) => Buffer },
  open: GraphFactory,
): Promise<StyledGraph> {
  const { file, device, single, what, rewrite } = options
  const graph = await open(file, { device, contract: STYLED_CONTRACT, ...(rewrite && { rewrite }) })
  let fallback: Promise<Graph> | null = null
  async function speakFrames(ids: readonly number[], style: Float32Array, speed: number): Promise<StyledSpeech> {
    const feeds = { input_ids: longs(ids, [1, ids.length]), style: floats(style, [1, STYLE_WIDTH]), speed: floats([speed], [1]) }
    let frames: number | null = null
    const runOn = async (on: Graph): Promise<Float32Array> => {
      const name = on.outputs[0]?.name ?? ''
      const hasFrames = on.outputs.some((output) => output.name === FRAMES)
      const made = await on.run(feeds, hasFrames ? [name, FRAMES] : [name])
      frames = hasFrames ? sumOf(made[FRAMES]) : null
      return floatOutput(made, name)
    }
    // The single-precision graph on the CPU would give the same output again.
    const hasFallback = single !== null && (single !== file || graph.device !== 'cpu')
    const runInSingle = async () => {
      fallback ??= open(single!, { device: 'cpu', contract: STYLED_CONTRACT }).catch((error) => {
        fallback = null
        throw error
      })
      return await runOn(await fallback)
    }
    const { samples } = await finiteFloats(() => runOn(graph), hasFallback ? runInSingle : null, what)
    return { samples, frames }
  }
  return {
    device: graph.device,
    reason: graph.reason,
    hasWholeSpeeds: graph.inputs.some(({ name, type }) => name === 'speed' && type === 'int32'),
    speak: async (ids, style, speed) => (await speakFrames(ids, style, speed)).samples,
    speakFrames,
    async close() {
      await graph.close()
      await fallback?.then((other) => other.close()).catch(() => {})
    },
  }
}

/** Some exports declare frames as integers, others as floats. */
const sumOf = (tensor: Tensor | undefined): number => [...(tensor?.values ?? [])].reduce<number>((sum, frames) => sum + Number(frames), 0)
