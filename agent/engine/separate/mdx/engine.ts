// MDX networks: input and output are the lower part of a spectrum; the transforms run here.

import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import { floatOutput, floats, type Graph, type GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps } from '#agent/engine/seam/define.ts'
import { separationParts } from '#agent/engine/separate/network/engine.ts'
import type { Separator, Stereo } from '#agent/engine/separate/network/windows.ts'
import { MDX_MODELS, type MdxModel, mdxContract } from './models.ts'
import { createSpectrum } from './spectrum.ts'
import { MDX_VERIFICATION } from './verification.ts'

const ID = 'mdx-net'
/** The weights plus the working memory for 256 frames. */
const MEMORY_BYTES = 1024 ** 3
/** The lowest bins contain only rumble; the networks expect them to be silent. */
const SILENT_BINS = 3

export const mdxNet = defineEngine({
  id: ID,
  // One step is a chunk of six seconds, which takes many seconds on a slow processor.
  maxBlockSeconds: 90,
  verification: MDX_VERIFICATION,
  create({ filesOf }: EngineDeps, open: GraphFactory = openPlacedGraph, models: Readonly<Record<string, MdxModel>> = MDX_MODELS) {
    const each = Object.entries(models).map(([name, model]) => {
      const { file, geometry } = model
      return [name, { file, contract: mdxContract(geometry), over: (graph: Graph) => separatorOf(model, graph) }] as const
    })
    return separationParts({ engine: ID, memoryBytes: MEMORY_BYTES, filesOf, open, models: Object.fromEntries(each) })
  },
})

function separatorOf({ geometry, compensation }: MdxModel, graph: Graph): Separator {
  const { bins, frames, fftSize } = geometry
  const { length, analyse, synthesise } = createSpectrum(geometry)
  // The edges of a window lack context and are not used.
  const trim = fftSize / 2
  const plane = bins * frames
  async function spectrumOf(mix: Stereo): Promise<Float32Array> {
    const values = analyse(mix)
    for (let part = 0; part < 4; part++) values.fill(0, part * plane, part * plane + SILENT_BINS * frames)
    return floatOutput(await graph.run({ input: floats(values, [1, 4, bins, frames]) }), 'output')
  }
  const sound = (values: Float32Array) => synthesise(values).map((sample) => sample * compensation)
  /** The mix of two equal channels is that channel. */
  const alone = (values: Float32Array, channel: 0 | 1): Float32Array => {
    const twice = new Float32Array(4 * plane)
    for (const at of [0, 2 * plane]) twice.set(values.subarray(2 * channel * plane, 2 * (channel + 1) * plane), at)
    return sound(twice)
  }
  return {
    length,
    trim,
    fade: Math.min(fftSize, (length - 2 * trim) >> 2),
    centresLast: false,
    voiceIn: async (mix) => sound(await spectrumOf(mix)),
    async voicesIn(mix) {
      const values = await spectrumOf(mix)
      return [alone(values, 0), alone(values, 1)]
    },
  }
}
