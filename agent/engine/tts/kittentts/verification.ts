// Figures that verification compares. Source: KittenTTS 0.8 (ids of `həlˈoʊ wˈɜːld.`; a graph returns 600 samples for each unit of
// `duration`).
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { openGraph } from '#agent/engine/runtimes/onnx/session.ts'
import { type Check, numbersOf, speaks, type Verification } from '#agent/engine/seam/verification.ts'
import { openStyledGraph, STYLE_WIDTH, STYLED_CONTRACT, STYLED_SAMPLE_RATE } from '#agent/engine/speech/styled-graph.ts'
import { toKittenRuns } from './symbols.ts'

const SAMPLES_PER_UNIT = 600
const IDS = '0 50 83 54 156 57 135 16 65 156 87 158 54 46 16 4 10 0'

const DURATION: Check = {
  kind: 'value',
  title: `samples are ${SAMPLES_PER_UNIT} times the sum of the durations`,
  expected: 'equal',
  async find({ files }) {
    const file = [...files].find(([name]) => name.endsWith('.onnx'))?.[1] ?? ''
    const graph = await openStyledGraph({ file, device: 'cpu', single: null, what: 'kittentts' }, openGraph)
    try {
      const { samples, frames } = await graph.speakFrames(IDS.split(' ').map(Number), new Float32Array(STYLE_WIDTH), 1)
      if (frames === null) return 'the graph has no output of durations'
      return samples.length === SAMPLES_PER_UNIT * frames ? 'equal' : `${samples.length} samples for ${frames} units`
    } finally {
      await graph.close()
    }
  },
}

export const KITTEN_VERIFICATION: Verification = {
  reference: 'KittenTTS 0.8 (KittenML/KittenTTS 395171a)',
  packages: [ONNX_PACKAGE],
  checks: () => [
    { kind: 'value', title: 'ids of həlˈoʊ wˈɜːld.', expected: IDS, find: () => toKittenRuns('həlˈoʊ wˈɜːld.').map(numbersOf).join(' | ') },
    ...['kitten_tts_nano_v0_8.onnx', 'kitten_tts_micro_v0_8.onnx', 'kitten_tts_mini_v0_8.onnx'].map(
      (file) => ({ kind: 'graph', file, contract: STYLED_CONTRACT, isOptional: true }) as const,
    ),
    DURATION,
    speaks(STYLED_SAMPLE_RATE),
  ],
}
