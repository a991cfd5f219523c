// Figures that verification compares. Sources: the token ids are those of the tests of huggingface/transformers
// (test_tokenization_m2m_100.py), the Chinese sentence is the example of the model card of facebook/m2m100_418M.
import { z } from 'zod'
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { loadTokenizer } from '#agent/engine/runtimes/transformers/tokenizer.ts'
import { readModelJson, requireFile } from '#agent/engine/seam/model-files.ts'
import { type Check, numbersOf, type Verification } from '#agent/engine/seam/verification.ts'
import { OPUS_PAIRS } from '#shared/models/translation-models.ts'

const packages = ['@huggingface/transformers', ONNX_PACKAGE]
const GREETINGS: Readonly<Record<string, { readonly text: string; readonly share: number }>> = {
  en: { text: 'Good morning.', share: 0.5 },
  de: { text: 'Guten Morgen.', share: 0.5 },
  fr: { text: 'Bonjour.', share: 1 },
  es: { text: 'Buenos días.', share: 0.5 },
  it: { text: 'Buongiorno.', share: 1 },
  nl: { text: 'Goedemorgen.', share: 1 },
  ru: { text: 'Доброе утро.', share: 0.5 },
  // It has no blanks between words, and several greetings are right.
  zh: { text: '早上好。', share: 0 },
}

const Vocabulary = z.object({
  model: z.object({ vocab: z.union([z.array(z.tuple([z.string(), z.number()])), z.record(z.string(), z.number())]) }),
})
/** Chooses the script; the translator looks it up by its text. */
const SCRIPT: Check = {
  kind: 'value',
  title: 'tokens >>cmn_Hans<< in the vocabulary',
  expected: '1',
  async find({ files }) {
    const { model } = await readModelJson(requireFile(files, 'opus-mt', 'tokenizer.json'), 'tokenizer.json', Vocabulary)
    const pieces = Array.isArray(model.vocab) ? model.vocab.map(([piece]) => piece) : Object.keys(model.vocab)
    return String(pieces.filter((piece) => piece === '>>cmn_Hans<<').length)
  },
}

function translates(source: string, target: string, text: string, words: string, share: number): Check {
  return {
    kind: 'run',
    title: `translates from ${source} to ${target}`,
    operation: 'translate',
    params: { texts: [text], source, target },
    expect: { of: 'words', words, share },
  }
}

export const TRANSLATION_VERIFICATIONS: Readonly<Record<'opus-mt' | 'm2m100', Verification>> = {
  'opus-mt': {
    reference: 'OPUS-MT (Helsinki-NLP), in transformers.js (huggingface/transformers.js 4.3.1)',
    packages,
    filesOf: (filesOf, model) =>
      (model === '' ? OPUS_PAIRS.map((pair) => `opus-mt-${pair}`) : [model])
        .map((name) => filesOf('opus-mt', name))
        .find((files) => files !== null) ?? null,
    checks(model) {
      const [source = '', target = ''] = model.replace('opus-mt-', '').split('-')
      const [given, wanted] = [GREETINGS[source], GREETINGS[target]]
      return given && wanted
        ? [...(target === 'zh' ? [SCRIPT] : []), translates(source, target, given.text, wanted.text, wanted.share)]
        : []
    },
  },
  m2m100: {
    reference: 'M2M-100 418M (facebook/m2m100_418M), in transformers.js (huggingface/transformers.js 4.3.1)',
    packages,
    checks: () => [
      {
        kind: 'value',
        title: 'token ids of an English sentence',
        expected: '593 1949 115781 4 71586 4234 60633 126233 432 123808 15592 1197 117132 120618 5',
        async find({ files }) {
          const encode = await loadTokenizer(requireFile(files, 'm2m100', 'tokenizer.json'), 'M2M100Tokenizer')
          return numbersOf(encode('In my opinion, there are two levels of response from the French government.'))
        },
      },
      translates('zh', 'en', '生活就像一盒巧克力。', 'Life is like a box of chocolate.', 0.8),
    ],
  },
}
