// MDX networks: input and output are the lower part of a spectrum; the transforms run here.

import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import { floatOutput, floats, type Graph, type GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps } from '#agent/engine/seam/define.ts'
import { separationParts } from '../network/engine.ts'
import type { Separator } from '../network/windows.ts'
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
  return {
    length,
    trim,
    fade: Math.min(fftSize, (length - 2 * trim) >> 2),
    async voiceIn(mix) {
      const values = analyse(mix)
      for (let plane = 0; plane < 4; plane++) values.fill(0, plane * bins * frames, (plane * bins + SILENT_BINS) * frames)
      const made = await graph.run({ input: floats(values, [1, 4, bins, frames]) })
      return synthesise(floatOutput(made, 'output')).map((sample) => sample * compensation)
    },
  }
}
