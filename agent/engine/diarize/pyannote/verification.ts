// Figures that verification compares.
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import type { Verification } from '#agent/engine/seam/verification.ts'

export const PYANNOTE_VERIFICATION: Verification = {
  reference: 'pyannote segmentation 3.0 and WeSpeaker, with the clustering of pyannote.audio 3.1',
  packages: [ONNX_PACKAGE],
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
