// What verification compares: the weights are part of the installed packages, so it passes on every complete installation.
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { packagedFiles, sha256Of } from '#agent/engine/seam/packaged-files.ts'
import type { Verification } from '#agent/engine/seam/verification.ts'
import { SILERO_CONTRACT, SILERO_DIGEST } from './network.ts'

const FILE = 'silero_vad_v6.onnx'

export const SILERO_VERIFICATION: Verification = {
  reference: 'Silero VAD v6 (snakers4/silero-vad)',
  packages: ['@ricky0123/vad-web', ONNX_PACKAGE],
  packagedFiles: () => packagedFiles(`@ricky0123/vad-web/dist/${FILE}`),
  checks: () => [
    {
      kind: 'value',
      title: 'digest of the weights',
      expected: SILERO_DIGEST,
      find: ({ files }) => sha256Of(files.get(FILE)),
    },
    {
      kind: 'graph',
      file: FILE,
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
