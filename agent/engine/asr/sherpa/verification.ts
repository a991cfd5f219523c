// Figures that verification compares.
import { SHERPA_PACKAGE } from '#agent/engine/runtimes/sherpa/library.ts'
import { PARAKEET_MODELS, SHERPA_ID, SHERPA_MODELS } from '#agent/engine/runtimes/sherpa/models.ts'
import { recognises, type Verification } from '#agent/engine/seam/verification.ts'
import { isOwnModel } from '#shared/models/own.ts'

/** The languages of a model that the owner of the machine added are unknown. */
const isEnglish = (model: string): boolean => {
  if (isOwnModel(model)) return false
  const { languages = ['*'] } = SHERPA_MODELS.find((row) => row.model === model) ?? {}
  return languages.includes('en') || languages.includes('*')
}

export const SHERPA_VERIFICATION: Verification = {
  reference: 'sherpa-onnx (k2-fsa/sherpa-onnx 1.13)',
  packages: [SHERPA_PACKAGE],
  filesOf: (filesOf, model) =>
    filesOf(SHERPA_ID, model === '' ? (PARAKEET_MODELS.find((row) => filesOf(SHERPA_ID, row.model))?.model ?? '') : model),
  checks: (model) =>
    isEnglish(model)
      ? [recognises({ language: null })]
      : // The embedded voice speaks English only.
        [{ kind: 'run', title: 'answers for a recording', operation: 'asr', params: {}, clip: 'sentence', expect: { of: 'result' } }],
}
