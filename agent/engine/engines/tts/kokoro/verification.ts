// What verification compares. Sources: the table of symbols of hexgrad/Kokoro-82M, the pronunciation that the tests of kokoro.js expect
// (hexgrad/kokoro, kokoro.js/tests/phonemize.test.js), and a case of misaki for tied sounds.

import { z } from 'zod'
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { readModelJson, requireFile } from '#agent/engine/seam/model-files.ts'
import { type Check, numbersOf, speaks, type Verification } from '#agent/engine/seam/verification.ts'
import { repairEnglish, toKokoroIds, toKokoroSymbols } from '#agent/engine/speech/kokoro-symbols.ts'
import { createPhonemizer } from '#agent/engine/speech/phonemes.ts'
import { STYLED_CONTRACT, STYLED_SAMPLE_RATE } from '#agent/engine/speech/styled-graph.ts'
import { systemClock } from '#shared/runtime/clock.ts'

const Tokenizer = z.object({ model: z.object({ vocab: z.record(z.string(), z.int()) }) })
const PHONEMES = { 'en-us': 'həlˈoʊ wˈɜːld', 'en-gb': 'həlˈəʊ wˈɜːld' }

export const KOKORO_VERIFICATION: Verification = {
  reference: 'Kokoro 1.0 (hexgrad/kokoro df33496)',
  packages: [ONNX_PACKAGE],
  checks: () => [
    {
      kind: 'value',
      title: `ids of ${PHONEMES['en-us']}`,
      expected: '50 83 54 156 57 135 16 65 156 87 158 54 46',
      async find({ files }) {
        const { model } = await readModelJson(requireFile(files, 'kokoro', 'tokenizer.json'), 'tokenizer.json', Tokenizer)
        return numbersOf(toKokoroIds(PHONEMES['en-us'], model.vocab).ids)
      },
    },
    {
      kind: 'value',
      title: 'symbols of merchantship (en-us)',
      expected: 'mˈɜɹʧəntʃˌɪp',
      find: () => toKokoroSymbols('mˈɜːt^ʃəntʃˌɪp', 'en-us'),
    },
    ...Object.entries(PHONEMES).map(
      ([voice, expected]): Check => ({
        kind: 'value',
        title: `pronunciation of "Hello World" (${voice})`,
        expected,
        find: async ({ signal }) => repairEnglish(await createPhonemizer({ clock: systemClock })('Hello World', voice, signal), voice),
      }),
    ),
    ...['model.onnx', 'model_fp16.onnx', 'model_quantized.onnx'].map(
      (file) => ({ kind: 'graph', file, contract: STYLED_CONTRACT, isOptional: true }) as const,
    ),
    speaks(STYLED_SAMPLE_RATE),
  ],
}
