// Figures that verification compares: the weights are part of the installed packages, so it passes on every complete installation.
import { packagedFiles, sha256Of } from '#agent/engine/seam/packaged-files.ts'
import type { Verification } from '#agent/engine/seam/verification.ts'

const FILE = 'rnnoise.wasm'

export const RNNOISE_VERIFICATION: Verification = {
  reference: 'RNNoise (xiph/rnnoise)',
  packages: ['@echogarden/rnnoise-wasm'],
  packagedFiles: () => packagedFiles(`@echogarden/rnnoise-wasm/${FILE}`),
  checks: () => [
    {
      kind: 'value',
      title: 'digest of the weights',
      expected: '6b4d53ac61b7301fa150020fe529151700726b38d5954552ec043e22e93dada2',
      find: ({ files }) => sha256Of(files.get(FILE)),
    },
    {
      kind: 'run',
      title: 'removes noise before a sentence',
      operation: 'denoise',
      params: {},
      clip: 'noise',
      expect: { of: 'less noise', noiseDb: 10, speechDb: 3 },
    },
  ],
}
