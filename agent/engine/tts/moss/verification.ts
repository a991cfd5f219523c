// Figures that verification compares. The reference publishes no token ids. The tokenizer adds a blank, so a text has at most one token
// more than characters.
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { requireFile } from '#agent/engine/seam/model-files.ts'
import { clones, SENTENCE, speaks, type Verification } from '#agent/engine/seam/verification.ts'
import { readSentencePiece } from '#agent/engine/text/sentencepiece.ts'
import { readSmallFile } from '#agent/engine/text/small-file.ts'
import { cleanMossText } from './text.ts'

const FILE = 'tokenizer.model'
const RATE = 48_000
const MAX_TOKENS = SENTENCE.length + 1
const EXPECTED = `1 to ${MAX_TOKENS} tokens`

export const MOSS_VERIFICATION: Verification = {
  reference: 'MOSS-TTS-Nano (OpenMOSS/MOSS-TTS-Nano 42b4645)',
  packages: [ONNX_PACKAGE],
  checks: () => [
    // A case of tts_robust_normalizer_single_script.py.
    {
      kind: 'value',
      title: 'cleaned text',
      expected: '关注 @biscuit0228_ 并转发 #thetime_tbs。',
      find: () => cleanMossText('关注@biscuit0228_并转发#thetime_tbs'),
    },
    {
      kind: 'value',
      title: 'tokens of a sentence',
      expected: EXPECTED,
      async find({ files }) {
        const ids = readSentencePiece(await readSmallFile(requireFile(files, 'moss-tts-nano', FILE), FILE), FILE).encode(SENTENCE)
        return ids.length >= 1 && ids.length <= MAX_TOKENS ? EXPECTED : `${ids.length} tokens`
      },
    },
    speaks(RATE),
    clones(RATE),
  ],
}
