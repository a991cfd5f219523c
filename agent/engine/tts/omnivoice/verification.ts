// Figures that verification compares. Source: k2-fsa/OmniVoice 468e927, run with "hello world" and the language English.
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { requireFile } from '#agent/engine/seam/model-files.ts'
import { clones, numbersOf, speaks, type Verification } from '#agent/engine/seam/verification.ts'
import { estimateFrames, wholeFrames } from './text/duration.ts'
import { textIds } from './text/prompt.ts'
import { loadTokens } from './text/tokens.ts'

const RATE = 24_000
const TEXT = 'hello world'

export const OMNIVOICE_VERIFICATION: Verification = {
  reference: 'OmniVoice (k2-fsa/OmniVoice 468e927)',
  packages: [ONNX_PACKAGE, '@huggingface/transformers'],
  checks: () => [
    {
      kind: 'value',
      title: `ids of "${TEXT}" in English`,
      expected: '151670 22574 151671 151672 4064 151673 151674 14990 1879 151675',
      async find({ files }) {
        const encode = await loadTokens(requireFile(files, 'svc-engine', 'tokenizer.json'))
        return numbersOf(textIds({ text: TEXT, frames: 0, language: 'English', instruct: null, denoise: true, reference: null }, encode))
      },
    },
    {
      kind: 'value',
      title: `frames of "${TEXT}" at the speeds 1 and 1.5`,
      expected: '35 23',
      find: () => numbersOf([1, 1.5].map((speed) => wholeFrames(estimateFrames(TEXT, null), speed))),
    },
    {
      kind: 'graph',
      file: 'higgs_decoder.onnx',
      contract: {
        inputs: [{ name: 'codes', type: 'int64', rank: 3, dims: [8, null, null] }],
        outputs: [{ name: 'waveform_24k', type: 'float32', rank: 3, dims: [null, 1, null] }],
      },
    },
    speaks(RATE),
    clones(RATE),
  ],
}
