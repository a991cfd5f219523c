// Figures that verification compares: windows of 343,980 samples, which follow each other after 257,985.
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { SEPARATES, type Verification } from '#agent/engine/seam/verification.ts'

const WINDOW = 343_980

export const HTDEMUCS_VERIFICATION: Verification = {
  reference: 'HTDemucs (facebookresearch/demucs), export of StemSplitio/htdemucs-onnx',
  packages: [ONNX_PACKAGE],
  checks: () => [
    {
      kind: 'graph',
      file: 'htdemucs_fp16weights.onnx',
      contract: {
        inputs: [{ name: 'mix', type: 'float32', rank: 3, dims: [1, 2, WINDOW] }],
        outputs: [{ name: 'stems', type: 'float32', rank: 4, dims: [1, 4, 2, WINDOW] }],
      },
    },
    SEPARATES,
  ],
}
