// Figures that verification compares. Both engines read the files of `faster-whisper`; `whisperx` also has a network of its own.
// Source of the ids: the multilingual vocabulary of openai/whisper (tokenizer.py), in which every language is a token.

import { CTC_CONTRACT } from '#agent/engine/asr/align/network.ts'
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { loadTokenizer } from '#agent/engine/runtimes/transformers/tokenizer.ts'
import { requireFile } from '#agent/engine/seam/model-files.ts'
import { type Check, numbersOf, recognises, type Verification } from '#agent/engine/seam/verification.ts'
import type { FilesOf } from '#agent/models/manifest.ts'
import { WHISPER_ENGINES, whisperModels } from './models.ts'

const WHISPER = WHISPER_ENGINES.segments
const shared = {
  reference: 'Whisper (openai/whisper), in transformers.js (huggingface/transformers.js 4.3.1)',
  packages: ['@huggingface/transformers', ONNX_PACKAGE],
}
const CONTROL: Check = {
  kind: 'value',
  title: 'token ids of the end, the start and English',
  expected: '50257 50258 50259',
  async find({ files }) {
    const encode = await loadTokenizer(requireFile(files, WHISPER, 'tokenizer.json'), 'WhisperTokenizer')
    return numbersOf(encode('<|endoftext|><|startoftranscript|><|en|>'))
  },
}
/** Least share of the words of the sentence: 7 of 9. The base model has all of them. */
const MIN_SHARE = 0.75
const downloaded = (filesOf: FilesOf) =>
  whisperModels(filesOf)
    .map((model) => filesOf(WHISPER, model))
    .find((files) => files !== null) ?? null

export const WHISPER_VERIFICATIONS: Readonly<Record<'faster-whisper' | 'whisperx', Verification>> = {
  'faster-whisper': {
    ...shared,
    filesOf: (filesOf, model) => (model === '' ? downloaded(filesOf) : filesOf(WHISPER, model)),
    checks: () => [CONTROL, recognises({}, false, MIN_SHARE)],
  },
  whisperx: {
    ...shared,
    reference: `${shared.reference}; word times as WhisperX (m-bain/whisperX)`,
    filesOf: (filesOf, model) => filesOf('whisperx', model) ?? (model === '' ? downloaded(filesOf) : filesOf(WHISPER, model)),
    checks: (model) => [
      // The network of the words, or the recogniser.
      ...(model.startsWith('wav2vec2') ? [{ kind: 'graph', file: 'model.onnx', contract: CTC_CONTRACT } as const] : [CONTROL]),
      recognises({ words: true }, true, MIN_SHARE),
    ],
  },
}
