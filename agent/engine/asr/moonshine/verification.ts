// Figures that verification compares.
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { recognises, type Verification } from '#agent/engine/seam/verification.ts'

export const MOONSHINE_VERIFICATION: Verification = {
  reference: 'Moonshine, in transformers.js (huggingface/transformers.js 4.3.1)',
  packages: ['@huggingface/transformers', ONNX_PACKAGE],
  checks: () => [recognises()],
}
