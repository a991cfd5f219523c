// Translation models: one for each pair of languages, and one for a hundred languages.
import { M2M100, OPUS } from './pair-pins.ts'
import { held, row, sizeOf } from './rows.ts'

const OTHERS = { de: 'German', fr: 'French', es: 'Spanish', it: 'Italian', nl: 'Dutch', ru: 'Russian', zh: 'Chinese' } as const
/** Source and target, such as `en-de`. */
export const OPUS_PAIRS = Object.keys(OTHERS).flatMap((other) => [`en-${other}`, `${other}-en`])

const FILES = [
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'onnx/encoder_model_quantized.onnx',
  'onnx/decoder_model_merged_quantized.onnx',
]
/** Size of a pair of which not every file is known. */
const USUAL_GB = 0.12
/** Pairs under CC-BY by the model cards of Helsinki-NLP, whose models these files are conversions of; the others are under Apache-2.0. */
const CC_BY: ReadonlySet<string> = new Set(['en-de', 'ru-en', 'zh-en'])
const nameOf = (tag: string) => (OTHERS as Readonly<Record<string, string>>)[tag] ?? 'English'

export const TRANSLATION_MODELS = [
  ...OPUS_PAIRS.map((pair) => {
    const [source = '', target = ''] = pair.split('-')
    const sources = [held(`Xenova/opus-mt-${pair}`, OPUS[pair]!, FILES)]
    return row({
      id: `Xenova/opus-mt-${pair}`,
      label: `${nameOf(source)} to ${nameOf(target)}`,
      role: 'Translation',
      engine: 'opus-mt',
      model: `opus-mt-${pair}`,
      precision: 'q8',
      licence: CC_BY.has(pair) ? 'CC-BY-4.0' : 'Apache-2.0',
      sizeGb: sizeOf(sources) ?? USUAL_GB,
      note: 'Translates one pair of languages in one direction. By the Language Technology Research Group of the University of Helsinki.',
      sources,
    })
  }),
  row({
    id: 'Xenova/m2m100_418M',
    label: 'M2M100 418M',
    role: 'Translation',
    engine: 'm2m100',
    model: 'm2m100-418m',
    precision: 'q8',
    licence: 'MIT',
    sizeGb: 0.64,
    note: 'Translates between any two of a hundred languages.',
    sources: [held('Xenova/m2m100_418M', M2M100, FILES)],
  }),
]
