// What verification compares.
import { SHERPA_PACKAGE } from '#agent/engine/runtimes/sherpa/library.ts'
import type { Verification } from '#agent/engine/seam/verification.ts'

export const PYANNOTE_VERIFICATION: Verification = {
  reference: 'pyannote segmentation 3.0 and WeSpeaker, in sherpa-onnx (k2-fsa/sherpa-onnx 1.13)',
  packages: [SHERPA_PACKAGE],
  checks: () => [
    {
      kind: 'run',
      title: 'finds two speakers',
      operation: 'diarize',
      params: { num_speakers: null },
      clip: 'two speakers',
      expect: { of: 'speakers', count: 2 },
    },
  ],
}
