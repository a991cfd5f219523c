// The supported MDX networks. Their geometry is not stored in the files, so it is listed here.
import type { GraphContract } from '#agent/engine/runtimes/onnx/session.ts'
import type { Geometry } from './spectrum.ts'

export type MdxModel = {
  readonly file: string
  readonly geometry: Geometry
  /** Gain for the output, which is too quiet by this factor. */
  readonly compensation: number
}
const HOP = 1_024
const FRAMES = 256

/** By name in the model store. All of them output the voice. */
export const MDX_MODELS: Readonly<Record<string, MdxModel>> = {
  '': { file: 'UVR-MDX-NET-Voc_FT.onnx', geometry: { fftSize: 7_680, hop: HOP, bins: 3_072, frames: FRAMES }, compensation: 1.021 },
  '9703': { file: 'UVR_MDXNET_1_9703.onnx', geometry: { fftSize: 6_144, hop: HOP, bins: 2_048, frames: FRAMES }, compensation: 1.035 },
}

export const mdxContract = ({ bins, frames }: Geometry): GraphContract => ({
  inputs: [{ name: 'input', type: 'float32', rank: 4, dims: [1, 4, bins, frames] }],
  outputs: [{ name: 'output', type: 'float32', rank: 4, dims: [1, 4, bins, frames] }],
})
