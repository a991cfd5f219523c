// Figures that verification compares: the weights are part of this program, so it passes on every complete installation.
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { sha256Of } from '#agent/engine/seam/packaged-files.ts'
import type { Verification } from '#agent/engine/seam/verification.ts'
import { SILERO_CONTRACT, SILERO_DIGEST, SILERO_FILE, sileroFile } from './network.ts'

export const SILERO_VERIFICATION: Verification = {
  reference: 'Silero VAD v6 (snakers4/silero-vad)',
  packages: [ONNX_PACKAGE],
  packagedFiles() {
    const file = sileroFile()
    return file === null ? null : new Map([[SILERO_FILE, file]])
  },
  checks: () => [
    {
      kind: 'value',
      title: 'digest of the weights',
      expected: SILERO_DIGEST,
      find: ({ files }) => sha256Of(files.get(SILERO_FILE)),
    },
    {
      kind: 'graph',
      file: SILERO_FILE,
      contract: SILERO_CONTRACT,
    },
    {
      kind: 'run',
      title: 'finds two sentences between pauses',
      operation: 'vad',
      params: { min_silence_ms: 300 },
      clip: 'pauses',
      expect: { of: 'sentences', within: 0.25 },
    },
  ],
}
