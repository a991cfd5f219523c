// Figures that verification compares.
import { SHERPA_PACKAGE } from '#agent/engine/runtimes/sherpa/library.ts'
import { SHERPA_ID } from '#agent/engine/runtimes/sherpa/models.ts'
import type { Verification } from '#agent/engine/seam/verification.ts'

export const IDENTIFIER_VERIFICATION: Verification = {
  reference: 'Whisper, in sherpa-onnx (k2-fsa/sherpa-onnx 1.13)',
  packages: [SHERPA_PACKAGE],
  filesOf: (filesOf, model) => filesOf(SHERPA_ID, model),
  checks: () => [
    {
      kind: 'run',
      title: 'identifies English',
      operation: 'identify',
      params: {},
      clip: 'pauses',
      expect: { of: 'language', code: 'en' },
    },
  ],
}
