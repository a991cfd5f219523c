// Figures that verification compares: the voices are part of the installed packages, so it passes on every complete installation.
import { packagedFiles, sha256Of } from '#agent/engine/seam/packaged-files.ts'
import { speaks, type Verification } from '#agent/engine/seam/verification.ts'
import { FLITE_DIGEST, FLITE_PACKAGE, FLITE_SAMPLE_RATE } from './synthesis.ts'

const FILE = 'flite.wasm'

export const FLITE_VERIFICATION: Verification = {
  reference: 'Flite (festvox/flite)',
  packages: [FLITE_PACKAGE],
  packagedFiles: () => packagedFiles(FLITE_PACKAGE),
  checks: () => [
    { kind: 'value', title: 'digest of the voices', expected: FLITE_DIGEST, find: ({ files }) => sha256Of(files.get(FILE)) },
    speaks(FLITE_SAMPLE_RATE),
  ],
}
