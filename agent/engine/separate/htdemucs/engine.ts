// HTDemucs: two channels in, four stems out. The graph normalises its input, so samples are passed unscaled. The weights were never
// available for a test here: the order of the stems, the overlap of the windows and the missing scaling follow other programs that run the
// same file.

import { openPlacedGraph } from '#agent/engine/runtimes/onnx/place.ts'
import { floatOutput, floats, type Graph, type GraphContract, type GraphFactory } from '#agent/engine/runtimes/onnx/session.ts'
import { defineEngine, type EngineDeps } from '#agent/engine/seam/define.ts'
import { separationParts } from '#agent/engine/separate/network/engine.ts'
import { type Separator, toMono } from '#agent/engine/separate/network/windows.ts'
import { Failure } from '#shared/protocol/failure.ts'
import { HTDEMUCS_VERIFICATION } from './verification.ts'

const ID = 'htdemucs'
export const HTDEMUCS_FILE = 'htdemucs_fp16weights.onnx'
/** 7.8 s. */
export const HTDEMUCS_WINDOW = 343_980
/** Drums, bass, other, vocals. */
const STEMS = 4
const VOCALS = 3
/** The weights in single precision plus the working memory for one window. */
const MEMORY_BYTES = 2 * 1024 ** 3

const CONTRACT: GraphContract = {
  inputs: [{ name: 'mix', type: 'float32', rank: 3, dims: [1, 2, HTDEMUCS_WINDOW] }],
  outputs: [{ name: 'stems', type: 'float32', rank: 4, dims: [1, STEMS, 2, HTDEMUCS_WINDOW] }],
}

export const htdemucs = defineEngine({
  id: ID,
  // One step is a window of eight seconds through a far larger network than that of MDX.
  maxBlockSeconds: 240,
  verification: HTDEMUCS_VERIFICATION,
  create({ filesOf }: EngineDeps, open: GraphFactory = openPlacedGraph) {
    const models = { '': { file: HTDEMUCS_FILE, contract: CONTRACT, over: separatorFor } }
    return separationParts({ engine: ID, memoryBytes: MEMORY_BYTES, filesOf, open, models })
  },
})

function separatorFor(graph: Graph): Separator {
  const values = new Float32Array(2 * HTDEMUCS_WINDOW)
  const separator: Separator = {
    length: HTDEMUCS_WINDOW,
    trim: 0,
    fade: HTDEMUCS_WINDOW / 4,
    centresLast: true,
    voiceIn: async (mix) => toMono(await separator.voicesIn(mix)),
    async voicesIn([left, right]) {
      values.set(left)
      values.set(right, HTDEMUCS_WINDOW)
      const stems = floatOutput(await graph.run({ mix: floats(values, [1, 2, HTDEMUCS_WINDOW]) }), 'stems')
      // The size of an output may be dynamic.
      if (stems.length !== STEMS * 2 * HTDEMUCS_WINDOW)
        throw new Failure(
          'MODEL_NOT_DOWNLOADED',
          `The graph ${HTDEMUCS_FILE} is the wrong export: stems has ${stems.length} values. Download the model again.`,
        )
      const channel = (at: number) => stems.subarray(at * HTDEMUCS_WINDOW, (at + 1) * HTDEMUCS_WINDOW)
      return [channel(2 * VOCALS), channel(2 * VOCALS + 1)]
    },
  }
  return separator
}
