// Figures that verification compares. Sources: the table of symbols of hexgrad/Kokoro-82M, and the pronunciation of misaki 0.9.

import { z } from 'zod'
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { readModelJson, requireFile } from '#agent/engine/seam/model-files.ts'
import { type Check, numbersOf, speaks, type Verification } from '#agent/engine/seam/verification.ts'
import type { Variety } from '#agent/engine/speech/english/assets.ts'
import { toKokoroIds, toKokoroSymbols } from '#agent/engine/speech/kokoro-symbols.ts'
import { STYLED_CONTRACT, STYLED_SAMPLE_RATE } from '#agent/engine/speech/styled-graph.ts'
import { systemClock } from '#shared/runtime/clock.ts'
import { createKokoroSymbols } from './symbols.ts'
import { voiceLanguage } from './voices.ts'

const Tokenizer = z.object({ model: z.object({ vocab: z.record(z.string(), z.int()) }) })
/** Pronunciations of misaki. */
const HELLO_WORLD = { 'en-us': 'həlˈO wˈɜɹld', 'en-gb': 'həlˈQ wˈɜːld' }
const SYMBOLS = 'həlˈoʊ wˈɜːld'

export const KOKORO_VERIFICATION: Verification = {
  reference: 'Kokoro 1.0 (hexgrad/kokoro df33496)',
  packages: [ONNX_PACKAGE],
  checks: () => [
    {
      kind: 'value',
      title: `ids of ${SYMBOLS}`,
      expected: '50 83 54 156 57 135 16 65 156 87 158 54 46',
      async find({ files }) {
        const { model } = await readModelJson(requireFile(files, 'kokoro', 'tokenizer.json'), 'tokenizer.json', Tokenizer)
        return numbersOf(toKokoroIds(SYMBOLS, model.vocab).ids)
      },
    },
    {
      kind: 'value',
      title: 'symbols of merchantship (en-us)',
      expected: 'mˈɜɹʧəntʃˌɪp',
      find: () => toKokoroSymbols('mˈɜːt^ʃəntʃˌɪp', 'en-us'),
    },
    ...(Object.entries(HELLO_WORLD) as [Variety, string][]).map(
      ([variety, expected]): Check => ({
        kind: 'value',
        title: `pronunciation of "Hello World" (${variety})`,
        expected,
        async find({ signal }) {
          const pronunciation = createKokoroSymbols(systemClock)
          const language = voiceLanguage(variety === 'en-gb' ? 'bf_emma' : 'af_heart')!
          return await pronunciation.symbols('Hello World', language, { signal, refused: () => {} }).finally(pronunciation.close)
        },
      }),
    ),
    ...['model.onnx', 'model_fp16.onnx', 'model_quantized.onnx'].map(
      (file) => ({ kind: 'graph', file, contract: STYLED_CONTRACT, isOptional: true }) as const,
    ),
    speaks(STYLED_SAMPLE_RATE),
  ],
}
