// Figures that verification compares: each language of the engine is a model of its own. The French one comes without voices.
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { requireFile } from '#agent/engine/seam/model-files.ts'
import { clones, SENTENCE, speaks, type Verification } from '#agent/engine/seam/verification.ts'
import { BUNDLE_FILE, readBundle } from './bundle.ts'
import { pocketContracts } from './graphs.ts'

const RATE = 24_000
const SENTENCES: Readonly<Record<string, string>> = {
  en: SENTENCE,
  fr: 'Le renard brun saute par-dessus le chien paresseux.',
  de: 'Der braune Fuchs springt über den faulen Hund.',
  it: 'La volpe marrone salta sopra il cane pigro.',
  pt: 'A raposa marrom salta sobre o cachorro preguiçoso.',
  es: 'El zorro marrón salta sobre el perro perezoso.',
}

export const POCKET_VERIFICATION: Verification = {
  reference: 'Pocket TTS (kyutai-labs/pocket-tts), export of KevinAHM/pocket-tts-web',
  packages: [ONNX_PACKAGE],
  checks(model) {
    const language = model === '' ? 'en' : model
    const text = SENTENCES[language] ?? SENTENCE
    return [
      {
        kind: 'value',
        title: `sizes in ${BUNDLE_FILE}`,
        expected: `${RATE} Hz, 5 graphs`,
        async find({ files }) {
          const bundle = await readBundle(requireFile(files, 'pockettts', BUNDLE_FILE))
          return `${bundle.sample_rate} Hz, ${Object.keys(pocketContracts(bundle)).length} graphs`
        },
      },
      ...(language === 'fr' ? [] : [speaks(RATE, language, text)]),
      clones(RATE, language, text),
    ]
  },
}
