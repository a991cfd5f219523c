// The graph that Kokoro and KittenTTS share: ids, one row of a voice, a speed -> samples. Half precision that overflows is made again in single.

import { finiteFloats } from '../runtimes/onnx/finite.ts'
import { floatOutput, floats, type Graph, type GraphContract, type GraphFactory, longs } from '../runtimes/onnx/session.ts'

export const STYLED_SAMPLE_RATE = 24_000
export const STYLE_WIDTH = 256

/** The output has another name and rank in each export; it is the first. */
export const STYLED_CONTRACT: GraphContract = {
  inputs: [
    { name: 'input_ids', type: 'int64', rank: 2 },
    { name: 'style', type: 'float32', rank: 2, dims: [null, STYLE_WIDTH] },
    { name: 'speed', type: 'float32', rank: 1 },
  ],
  outputs: [],
}

export type StyledGraph = {
  readonly device: string
  readonly reason: string
  readonly speak: (ids: readonly number[], style: Float32Array, speed: number) => Promise<Float32Array>
  readonly close: () => Promise<void>
}

/** `single`: the same graph in single precision, opened on the CPU when it is first needed; null when there is none. */
export async function openStyledGraph(
  wish: { file: string; device: string; single: string | null; what: string },
  open: GraphFactory,
): Promise<StyledGraph> {
  const { file, device, single, what } = wish
  const graph = await open(file, { device, contract: STYLED_CONTRACT })
  let second: Promise<Graph> | null = null
  const runOn = async (on: Graph, feeds: Parameters<Graph['run']>[0]): Promise<Float32Array> => {
    const name = on.outputs[0]?.name ?? ''
    return floatOutput(await on.run(feeds, [name]), name)
  }
  return {
    device: graph.device,
    reason: graph.reason,
    async speak(ids, style, speed) {
      const feeds = { input_ids: longs(ids, [1, ids.length]), style: floats(style, [1, STYLE_WIDTH]), speed: floats([speed], [1]) }
      // On the CPU the single-precision graph would only say the same again.
      const isOther = single !== null && (single !== file || graph.device !== 'cpu')
      const again = async () => {
        second ??= open(single!, { device: 'cpu', contract: STYLED_CONTRACT }).catch((error) => {
          second = null
          throw error
        })
        return await runOn(await second, feeds)
      }
      return (await finiteFloats(() => runOn(graph, feeds), isOther ? again : null, what)).samples
    },
    async close() {
      await graph.close()
      await second?.then((other) => other.close()).catch(() => {})
    },
  }
}
