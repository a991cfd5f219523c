// Figures that verification compares. Source: the parameters that UVR publishes for the weights (Voc FT: transform 7680, 3072 bins, 2^8
// frames, gain 1.021).
import { ONNX_PACKAGE } from '#agent/engine/runtimes/onnx/library.ts'
import { SEPARATES, type Verification } from '#agent/engine/seam/verification.ts'
import { MDX_MODELS, mdxContract } from './models.ts'

export const MDX_VERIFICATION: Verification = {
  reference: 'MDX-Net (Anjok07/ultimatevocalremovergui)',
  packages: [ONNX_PACKAGE],
  checks(name) {
    const model = MDX_MODELS[name]
    if (!model) return []
    return [
      ...(name === ''
        ? [
            {
              kind: 'value',
              title: 'transform, bins, frames as a power of two, gain',
              expected: '7680 3072 8 1.021',
              find: () => `${model.geometry.fftSize} ${model.geometry.bins} ${Math.log2(model.geometry.frames)} ${model.compensation}`,
            } as const,
          ]
        : []),
      { kind: 'graph', file: model.file, contract: mdxContract(model.geometry) },
      SEPARATES,
    ]
  },
}
